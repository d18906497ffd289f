#include "forerun/sim/loop.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "forerun/navigate/line_of_sight.hpp"
#include "forerun/sense/contact.hpp"
#include "forerun/sim/press.hpp"

namespace forerun::sim {
namespace {

constexpr RobotTime kNever{INT64_MAX};
constexpr double kCrawl = 0.05;  // people take a slower robot for one that stands [m/s]
constexpr Duration kSameContact = from_seconds(1);

constexpr Duration kTellOn = from_seconds(1);  // that nothing hinders any more

Duration period_of(double rate_hz) noexcept { return from_seconds(1 / rate_hz); }

}  // namespace

Loop::Loop(const Model& model, navigate::ControlSystem& control, const Parts& parts)
    : model_(model),
      control_(control),
      planar_body_(model.robot, model.reality, model.start, stream(model.seed, Stream::plant)),
      plant_(parts.body != nullptr ? *parts.body : planar_body_),
      given_pose_(model.reality, plant_.state().pose, stream(model.seed, Stream::pose)),
      localizer_(parts.localizer != nullptr ? *parts.localizer : given_pose_),
      surroundings_(model.cast),
      readings_(sense::make_readings(model.robot)),
      control_random_(stream(model.seed, Stream::control)),
      guards_hand_(parts.guards_hand && navigate::can_guard_hand(model.robot)),
      hand_watch_(navigate::can_guard_hand(model.robot)
                      ? std::make_unique<navigate::HandWatch>(model.planning, model.outline, model.robot)
                      : nullptr),
      contacts_(model.robot.limits) {
  schedule_sensors();
  FORERUN_CHECK(executive_.start(model.tasks));
  sense();
  decide();
}

void Loop::schedule_sensors() {
  std::array<std::uint64_t, std::variant_size_v<robot::Sensor>> n_of_kind{};
  for (const robot::Sensor& sensor : model_.robot.sensors) {
    // sensors with the same seed in the description still have streams of their own
    const std::uint64_t number = robot::kind_of(sensor).first_stream + n_of_kind[sensor.index()]++;
    const RobotTime first = robot::reading_size(sensor) > 0 ? RobotTime{} : kNever;
    schedules_.push_back({first, period_of(robot::rate_hz(sensor)),
                          stream(model_.seed, Stream::sensors, robot::seed_of(sensor) * 16 + number)});
  }
}

robot::PoseError Loop::reported_error() const noexcept {
  const Reality& reality = model_.reality;
  return localizer_.error().value_or(
      robot::PoseError{reality.pose_error, reality.pose_error, 0, reality.heading_error});
}

bool Loop::finished() const noexcept {
  using navigate::TaskState;
  return executive_.state() != TaskState::driving && executive_.state() != TaskState::waiting;
}

RobotTime Loop::next_event() const noexcept {
  RobotTime next = std::min(next_tick_, next_decision_);
  for (const Schedule& sensor : schedules_) next = std::min(next, sensor.next);
  return next;
}

void Loop::step() noexcept {
  move_to(next_event());
  sense();
  if (time_ >= next_decision_) decide();
}

void Loop::move_to(RobotTime time) noexcept {
  const double dt = to_seconds(time - time_);
  time_ = time;
  if (time_ >= next_tick_) next_tick_ = time_ + kTick;
  if (dt <= 0) return;
  const double length_before = plant_.path_length();
  const Pose2 before = plant_.state().pose;
  plant_.step(decision_.command, dt);
  const double speed = length(Vec2{plant_.state().velocity.vx, plant_.state().velocity.vy});
  const Neighbour robot{plant_.state().pose.position(), model_.robot.footprint.radius, speed > kCrawl,
                        unit_vector(plant_.state().pose.theta), speed};
  surroundings_.step(model_.cast, robot, time_, dt);
  detect_collision(before);
  given_pose_.step(plant_.state().pose, dt);
  if (executive_.state() == navigate::TaskState::driving) {
    statistics_.driving_time += dt;
    statistics_.driving_length += plant_.path_length() - length_before;
  }
}

// A collision is contact while the robot itself moves (PSS-7). The body does not enter what it touches; it may leave
// it, and turn where that leads no deeper.
void Loop::detect_collision(const Pose2& before) noexcept {
  const Pose2 after = plant_.state().pose;
  if (plant_.feels_contacts()) return;
  const auto movers = surroundings_.movers();
  const robot::Footprint& footprint = model_.robot.footprint;
  const Touchable things{footprint, model_.outline, movers};
  contacts_.look(after, things);
  if (after == before) return;
  const Cell cell = model_.planning.clearance.frame().cell_of(after.position());
  // the clearance of the cell is a lower bound, less the cell's own size
  const bool far_from_walls =
      model_.planning.clearance.frame().contains(cell) &&
      model_.planning.clearance[cell] > model_.robot.footprint.radius + 2 * model_.planning.clearance.frame().cell_size;
  if (far_from_walls && movers.empty()) return;
  if (!sense::in_contact({footprint, after}, model_.outline, movers)) return;
  if (!presses_on(footprint, {before, after}, model_.outline, movers)) return;
  // pushing on against the same thing is still the same collision; what only creeps makes none, but is held as well
  if (plant_.moves() || time_ - last_contact_ <= kSameContact) {
    if (time_ - last_contact_ > kSameContact) ++statistics_.collisions;
    last_contact_ = time_;
  }
  contacts_.press(time_, before, plant_.measured_velocity(), things);
  const Pose2 turned{before.x, before.y, after.theta};
  plant_.block(!presses_on(footprint, {before, turned}, model_.outline, movers));
}

void Loop::sense() noexcept {
  const sense::Scene scene{plant_.state().pose, surroundings_.movers()};
  for (std::size_t i = 0; i < schedules_.size(); ++i) {
    Schedule& schedule = schedules_[i];
    if (time_ < schedule.next) continue;
    schedule.next += schedule.period;
    sense::Reading& reading = readings_.sensors[i];
    reading.time = time_;
    reading.odometry = plant_.odometry();
    model_.sensors.read(i, scene, schedule.random, reading);
  }
  if (model_.robot.drive.ticks_per_turn > 0) {
    for (std::size_t i = 0; i < readings_.ticks.size(); ++i) readings_.ticks[i] = plant_.ticks(i);
  }
  localizer_.observe({time_, plant_.odometry(), readings_});
}

void Loop::decide() noexcept {
  const double jitter = model_.reality.control_jitter * control_random_.uniform(-1, 1);
  const bool by_program = helm_ == Helm::program;
  const double period = by_program ? program_period_ : model_.robot.control.period;
  next_decision_ = time_ + from_seconds(period + jitter);
  executive_.update(time_, reported_pose(), model_.robot.control.goal_tolerance);
  pursue_goal();
  if (guards_hand_) hand_watch_->observe(percept());
  // otherwise what the last command said is held
  if (helm_ == Helm::hand) obey_hand();
  if (helm_ == Helm::goals) pursue_by_itself();
  if (by_program) decision_ = program_->decide(percept());
  if (const auto now = hindrance(); now && (now->held_back || now->contact)) hindered_ = time_;
  remember();
}

// Out of a contact first.
void Loop::pursue_by_itself() noexcept {
  const navigate::Percept seen = percept();
  if (hand_watch_ && back_out_.is_going() && !guards_hand_) hand_watch_->observe(seen);
  const auto out = back_out_.next(seen, hand_watch_.get());
  if (!out) {
    decision_ = control_.decide(seen);
    return;
  }
  decision_ = {.command = *out, .target = seen.pose.position(), .motion = navigate::Motion::recovery};
}

// As far as the guard lets it.
void Loop::obey_hand() noexcept {
  if (guards_hand_) {
    allowed_ = hand_watch_->allow(plant_.measured_velocity(), hand_);
    decision_.command = allowed_.velocity;
  }
}

std::optional<robot::Hindrance> Loop::hindrance() const noexcept {
  robot::Hindrance now;
  if (helm_ == Helm::hand && allowed_.held_back > 0) {
    now.held_back = robot::HeldBack{allowed_.held_back, allowed_.distance, allowed_.bearing};
  }
  now.contact = contacts_.at(time_);
  const bool tells = now.held_back || now.contact || time_ - hindered_ <= kTellOn;
  return tells ? std::optional(now) : std::nullopt;
}

navigate::Percept Loop::percept() const noexcept {
  return {time_, reported_pose(), plant_.odometry(), plant_.measured_velocity(), readings_};
}

// Tells the control system when the goal has changed.
void Loop::pursue_goal() noexcept {
  const std::optional<Vec2> wanted = executive_.goal();
  if (wanted == goal_) return;
  goal_ = wanted;
  const bool understood = control_.set_goal(wanted);
  if (wanted && (!understood || !control_.can_reach_goal_from(reported_pose().position()))) executive_.give_up();
}

CommandOutcome Loop::command(const robot::Command& command) noexcept {
  switch (command.kind) {
    case robot::CommandKind::goal:
      return go_to(command.goal);
    case robot::CommandKind::drive:
      return drive_by_hand(command);
    case robot::CommandKind::cancel:
      if (helm_ != Helm::stopped) helm_ = Helm::goals;
      break;
    case robot::CommandKind::stop:
      helm_ = Helm::stopped;
      break;
    case robot::CommandKind::start:
      return CommandOutcome::not_able;
  }
  come_to_rest();
  return CommandOutcome::accepted;
}

CommandOutcome Loop::go_to(Vec2 goal) noexcept {
  if (!std::isfinite(goal.x) || !std::isfinite(goal.y)) return CommandOutcome::not_a_number;
  const navigate::PlanningGrid& grid = model_.planning.grid;
  if (!navigate::covers(grid.frame(), goal) || !grid.is_free(grid.frame().cell_of(goal))) {
    return CommandOutcome::cannot_stand;
  }
  if (!control_.set_goal(goal) || !control_.can_reach_goal_from(reported_pose().position())) {
    control_.set_goal(goal_);
    return CommandOutcome::cannot_get_there;
  }
  const navigate::Task task{goal, 0};
  FORERUN_CHECK(executive_.start({&task, 1}));
  goal_ = goal;
  helm_ = Helm::goals;
  if (contacts_.at(time_)) back_out_.begin(contacts_.came(), model_.robot.limits, percept());
  return CommandOutcome::accepted;
}

CommandOutcome Loop::drive_by_hand(const robot::Command& command) noexcept {
  const robot::Twist& wanted = command.velocity;
  if (!std::isfinite(wanted.vx) || !std::isfinite(wanted.vy) || !std::isfinite(wanted.w)) {
    return CommandOutcome::not_a_number;
  }
  if (command.flippers) {
    for (const double angle : *command.flippers) {
      if (!std::isfinite(angle)) return CommandOutcome::not_a_number;
    }
    plant_.move_flippers(*command.flippers);
  }
  const robot::Limits& limits = model_.believed;
  const robot::Twist velocity = robot::within_steering(
      model_.robot.drive, {clamp(wanted.vx, -limits.max_speed, limits.max_speed),
                           model_.robot.drive.can_strafe() ? clamp(wanted.vy, -limits.max_speed, limits.max_speed) : 0,
                           clamp(wanted.w, -limits.max_turn_rate, limits.max_turn_rate)});
  come_to_rest();
  if (velocity == robot::Twist{}) {
    // nobody drives any more; a robot that was told to stop still is
    if (helm_ != Helm::stopped) helm_ = Helm::goals;
  } else {
    helm_ = Helm::hand;
    hand_ = decision_.command = velocity;
    decision_.motion = navigate::Motion::forward;
    if (guards_hand_) hand_watch_->observe(percept());
    obey_hand();
  }
  return CommandOutcome::accepted;
}

void Loop::drive_by(navigate::ControlSystem& program, double period_s) noexcept {
  come_to_rest();
  program_ = &program;
  program_period_ = period_s;
  helm_ = Helm::program;
  next_decision_ = std::min(next_decision_, time_ + from_seconds(period_s));
}

// No goals any more, and braking as hard as the limits allow.
void Loop::come_to_rest() noexcept {
  executive_.cancel();
  back_out_.end();
  allowed_ = {};
  decision_ = {.command = {}, .target = reported_pose().position(), .motion = navigate::Motion::braking};
}

void Loop::remember() noexcept {
  hash_.add(time_.ns);
  plant_.add_to(hash_);
  surroundings_.add_to(hash_);
  hash_.add(decision_.command.vx);
  hash_.add(decision_.command.vy);
  hash_.add(decision_.command.w);
  hash_.add(static_cast<int>(executive_.state()));
  hash_.add(statistics_.collisions);
}

}  // namespace forerun::sim
