#include "forerun/predict/replica.hpp"

#include <algorithm>
#include <utility>

#include "forerun/navigate/control_systems.hpp"
#include "forerun/predict/shared_scans.hpp"
#include "forerun/robot/motion.hpp"
#include "forerun/world/doors.hpp"

namespace forerun::predict {
namespace {

using robot::TaskState;

constexpr Duration kTick = from_seconds(0.025);  // longest step of the motion
constexpr int kRingBeams = 72;

// A ring of sensors as one horizontal scan all around: what matters for driving is where things stand, and a level fan
// of beams costs a fraction of slanted rays.
robot::Laser level_ring(double height, double max_range) {
  robot::Laser ring;
  ring.name = "ring";
  ring.height = height;
  ring.beams = kRingBeams;
  ring.field_of_view = kTwoPi * (kRingBeams - 1) / kRingBeams;
  ring.min_range = 0;
  ring.max_range = max_range;
  ring.noise = 0;
  return ring;
}

robot::Laser level_scan(robot::Laser laser) {
  laser.noise = 0;
  // twice the step between beams still finds every chair leg in reach of the dynamic window
  if (laser.beams > kRingBeams) laser.beams = (laser.beams + 1) / 2;
  return laser;
}

// The robot's sensors as the copy needs them: without noise, and level. What only feels has no part in it.
robot::Description with_level_sensors(robot::Description robot) {
  std::vector<robot::Sensor> level;
  for (const robot::Sensor& sensor : robot.sensors) {
    if (robot::reading_size(sensor) == 0 || (robot::kind_of(sensor).is_stopgap && !level.empty())) continue;
    std::visit(
        [&](const auto& s) {
          if constexpr (std::is_same_v<std::decay_t<decltype(s)>, robot::Laser>) {
            level.emplace_back(level_scan(s));
          } else if constexpr (requires { s.height + s.max_range; }) {
            level.emplace_back(level_ring(s.height, s.max_range));
          }
        },
        sensor);
  }
  robot.sensors = std::move(level);
  return robot;
}

}  // namespace

Result<ReplicaModel> make_replica_model(const world::World& world, const robot::Description& robot) {
  if (auto known = navigate::check_names(robot); !known) return known.error();
  // as the robot's own planner does, the copy counts on closed doors to open
  auto planning = navigate::make_planning_model(world::with_doors_open(world), robot);
  if (!planning) return planning.error();
  const robot::Description exact = with_level_sensors(robot);
  ReplicaModel model{.robot = exact,
                     .planning = std::move(*planning),
                     .sensors = sense::Sensors(world::with_doors_fixed(world), exact),
                     .doors = world.doors,
                     .bare = {}};
  if (!world.doors.empty()) model.bare.emplace(world, exact);
  return model;
}

Replica::Replica(const ReplicaModel& model, navigate::ControlSystem& control, SharedScans* scans)
    : model_(model), control_(&control), scans_(scans), readings_(sense::make_readings(model.robot)) {}

void Replica::resync(const robot::Report& report, const Circumstances& circumstances) noexcept {
  assumed_ = circumstances;
  random_ = Random(circumstances.chance.seed, 0);
  time_ = reported_ = report.time;
  run_ = {report.time, report.state.pose, {}};
  run_.motors.begin(report.state.velocity);
  next_decision_ = report.time + report.until_decision;
  state_ = report.state;
  task_ = report.task;
  goal_ = report.goal;
  arrival_.reset();
  at_end_since_.reset();
  if (task_ == TaskState::waiting && !goal_) at_end_since_ = report.time;
  wait_until_ = report.time + report.remaining_wait;
  drives_by_itself_ = report.motors == robot::MotorState::on && !report.hand_driven;
  held_speed_ = report.state.velocity.vx;
  coasting_ = report.acceleration;
  belief_error_ = circumstances.belief_error;
  speed_factor_ = turn_factor_ = 1;
  control_->set_changes(assumed_.seen != nullptr ? assumed_.seen->changes() : std::span<const robot::Change>());
  control_->forget();
  control_->set_limits(circumstances.limits);
  decision_ = {.command = report.state.velocity, .target = report.target.value_or(report.state.pose.position())};
}

void Replica::drive_by(navigate::ControlSystem& control) noexcept {
  if (control_ == &control) return;
  control_ = &control;
  goal_given_.reset();
}

robot::Limits Replica::limits_at(RobotTime time) const noexcept {
  robot::Limits limits = assumed_.limits;
  if (assumed_.relax_s <= 0) return limits;
  const double free = 1 - exp(-to_seconds(time - reported_) / assumed_.relax_s);
  limits.max_speed = std::min(limits.max_speed, held_speed_ + (limits.max_speed - held_speed_) * free);
  return limits;
}

// Where the robot believes itself to be, and so decides by.
Pose2 Replica::believed_pose() const noexcept {
  const Pose2& pose = run_.pose;
  return {pose.x + belief_error_.x, pose.y + belief_error_.y, normalize_angle(pose.theta + belief_error_.theta)};
}

// What chance does in the next period.
void Replica::draw_chance() noexcept {
  const Chance& chance = assumed_.chance;
  const double kept = exp(-model_.robot.control.period / assumed_.belief_lasts_s);
  const double renewed = sqrt(1 - square(kept));
  const auto drift = [&](double error, double sigma) {
    return kept * error + (sigma > 0 ? sigma * renewed * random_.normal() : 0);
  };
  belief_error_ = {drift(belief_error_.x, chance.position), drift(belief_error_.y, chance.position),
                   drift(belief_error_.theta, chance.heading)};
  if (chance.velocity > 0) {
    speed_factor_ = 1 + chance.velocity * random_.normal();
    turn_factor_ = 1 + chance.velocity * random_.normal();
  }
  if (chance.period > 0) next_decision_ = next_decision_ + from_seconds(random_.uniform(-chance.period, chance.period));
}

void Replica::advance(RobotTime until) noexcept {
  for (RobotTime next; (next = std::min(next_decision_, run_.time + kTick)) <= until;) {
    move_to(next, run_);
    if (run_.time >= next_decision_) decide();
  }
  Run now = run_;
  move_to(until, now);
  time_ = until;
  state_ = now.state();
}

void Replica::move_to(RobotTime time, Run& run) const noexcept {
  const double dt = to_seconds(time - run.time);
  run.time = time;
  if (dt <= 0) return;
  robot::Twist& v = run.motors.velocity;
  const robot::Twist moves{v.vx * speed_factor_, v.vy * speed_factor_, v.w * turn_factor_};
  run.pose = robot::move(run.pose, moves, dt);
  run.pose.theta = normalize_angle(run.pose.theta);
  if (coasting_) {
    v.vx += coasting_->v * dt;
    v.vy += coasting_->vy * dt;
    v.w += coasting_->w * dt;
    run.motors.begin(v);
    return;
  }
  const robot::Drive& drive = model_.robot.drive;
  run.motors.step(robot::within_steering(drive, decision_.command), limits_at(run.time), dt,
                  robot::lag_share(model_.robot.control.motor_lag, dt));
  v = robot::within_steering(drive, v);
}

// What the executive of the robot does, with the goals that the report tells.
void Replica::follow_task() noexcept {
  const double tolerance = model_.robot.control.goal_tolerance;
  if (task_ == TaskState::driving && goal_ && distance(believed_pose().position(), *goal_) <= tolerance) {
    task_ = TaskState::waiting;
    goal_.reset();
    if (!arrival_) arrival_ = run_.time;
    if (assumed_.next) {
      goal_ = assumed_.next->goal;
      wait_until_ = run_.time + assumed_.next->wait;
      assumed_.next.reset();  // what comes after that is not known
    } else {
      at_end_since_ = run_.time;
    }
  }
  if (task_ == TaskState::waiting && goal_ && run_.time >= wait_until_) task_ = TaskState::driving;
}

void Replica::decide() noexcept {
  next_decision_ = run_.time + from_seconds(model_.robot.control.period);
  draw_chance();
  coasting_.reset();
  follow_task();
  const bool drives = drives_by_itself_ && task_ == TaskState::driving && goal_;
  const std::optional<Vec2> wanted = drives ? goal_ : std::nullopt;
  if (!wanted) {
    decision_.command = {};
    return;
  }
  if (wanted != goal_given_) {
    goal_given_ = wanted;
    static_cast<void>(control_->set_goal(wanted));
  }
  const sense::Readings& seen = control_->uses_sensors() ? sense() : readings_;
  // dead reckoning is exact here: the pose serves as well
  decision_ = control_->decide({run_.time, believed_pose(), run_.pose, run_.motors.velocity, seen});
}

const sense::Readings& Replica::sense() noexcept {
  return assumed_.seen != nullptr && !assumed_.seen->empty() ? sense_changed() : sense_walls(model_.sensors);
}

const sense::Readings& Replica::sense_walls(const sense::Sensors& sensors) noexcept {
  if (scans_ != nullptr) return scans_->near(run_.pose, control_->sensor_reach(), sensors);
  const sense::Scene scene{.pose = run_.pose, .movers = {}, .reach = control_->sensor_reach()};
  for (std::size_t i = 0; i < readings_.sensors.size(); ++i) {
    sense::Reading& reading = readings_.sensors[i];
    reading.time = run_.time;
    reading.odometry = run_.pose;
    sensors.read(i, scene, random_, reading);
  }
  return readings_;
}

// The walls, and what the robot has seen before them.
const sense::Readings& Replica::sense_changed() noexcept {
  const sense::SeenWorld& seen = *assumed_.seen;
  const sense::Sensors& sensors = seen.moves_doors() && model_.bare ? *model_.bare : model_.sensors;
  if (const sense::Readings& walls = sense_walls(sensors); &walls != &readings_) readings_ = walls;
  const double reach = control_->sensor_reach();
  const auto movers = seen.movers(run_.time, run_.pose.position(), reach);
  for (std::size_t i = 0; i < readings_.sensors.size(); ++i) {
    sense::Reading& reading = readings_.sensors[i];
    reading.time = run_.time;
    sensors.add_movers(i, {reading.odometry, {movers.data(), movers.size()}, reach}, reading);
  }
  return readings_;
}

}  // namespace forerun::predict
