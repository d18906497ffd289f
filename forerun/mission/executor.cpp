#include "forerun/mission/executor.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "forerun/robot/arc.hpp"

namespace forerun::mission {
namespace {

constexpr double kLookStep = 0.1;  // of time on the path, between two places that are looked at [s]
constexpr double kSeen = 2.5;      // obstacles farther from the robot do not matter yet [m]
constexpr double kMapError = 0.2;  // what is seen nearer than this to what is on the map is that [m]
constexpr double kAlong = 2;       // along its path a robot may be this many times farther off than across it: it waits
constexpr double kReactionTime = 0.3;            // of motors and decisions together [s]
constexpr double kStill = 0.02;                  // slower than this it stands [m/s, rad/s]
constexpr Duration kHeldFor = from_seconds(3);   // that it stands and should not: something holds it
constexpr Duration kStaysOff = from_seconds(6);  // that it stands away from where an action is to be done
constexpr Duration kSettle = from_seconds(2);    // for the last centimetres, at the end
constexpr double kThere = 0.03;                  // near enough [m]
constexpr double kNearly = 0.1;                  // farther off no action begins [m]
constexpr double kRunOut = 5;                    // a robot that is stopped comes to rest within this time [s]
constexpr double kAligned = 0.15;                // near enough, before it drives off [rad]
constexpr double kPastAction = 0.002;            // of the path: reports tell its time in milliseconds [s]
constexpr double kTurnShare = 0.5;               // of its turn rate, to where its path leads

double speed_of(const robot::Twist& v) noexcept { return std::max(length(Vec2{v.vx, v.vy}), std::fabs(v.w)); }

}  // namespace

MissionExecutor::MissionExecutor(const Mission& mission, const RehearsedWorld& world, const ExecutorParams& params)
    : world_(world),
      robot_(world.robot),
      params_(params),
      actions_(mission.actions),
      tracker_(mission.path, world.robot, params.tracker),
      sensors_(world) {
  obstacles_.prepare(robot_);
  if (!actions_.empty()) tracker_.stop_at(actions_.front().time);
}

bool MissionExecutor::start() noexcept {
  if (state_ == MissionState::done) return false;
  state_ = MissionState::running;
  departure_ = Departure::none;
  forget();
  turning_ = robot_.drive.can_turn_on_the_spot();
  return true;
}

bool MissionExecutor::start(const Pose2& pose) noexcept {
  if (!start()) return false;
  tracker_.go_to(nearest_start(pose).time);
  return true;
}

TimedPoint MissionExecutor::nearest_start(const Pose2& pose) const noexcept {
  TimedPoint nearest = tracker_.reference();
  if (tracker_.time() <= 0) return nearest;
  const double end = std::min(tracker_.time() + kRunOut, tracker_.stop());  // no action is passed by
  for (double t = tracker_.time(); t <= end; t += kLookStep / 2) {
    const TimedPoint point = point_at(tracker_.path(), t);
    if (distance(point.pose.position(), pose.position()) < distance(nearest.pose.position(), pose.position())) {
      nearest = point;
    }
  }
  return nearest;
}

void MissionExecutor::hold(Departure departure) noexcept {
  if (state_ == MissionState::running) hand_back(departure);
}

void MissionExecutor::hand_back(Departure departure) noexcept {
  state_ = MissionState::handed_back;
  departure_ = departure;
  doing_since_.reset();
}

std::optional<MissionExecutor::Doing> MissionExecutor::doing() const noexcept {
  if (!doing_since_) return std::nullopt;
  return Doing{&actions_[n_done_], *doing_since_};
}

void MissionExecutor::end_action(bool done, std::string_view why) noexcept {
  if (!doing_since_) return;
  if (done) return count_action();
  failure_ = robot::Words(why);
  hand_back(Departure::action_failed);
}

// The path's clock leaves the time that is the action's.
void MissionExecutor::count_action() noexcept {
  doing_since_.reset();
  ++n_done_;
  tracker_.stop_at(n_done_ < actions_.size() ? actions_[n_done_].time : tracker_.path().back().time);
  tracker_.go_to(std::min(tracker_.time() + kPastAction, tracker_.stop()));
}

void MissionExecutor::forget() noexcept {
  sensors_.forget();
  motion_.forget();
  unmapped_.forget();
  last_.reset();
  blocked_since_.reset();
  still_since_.reset();
  at_stop_since_.reset();
  stood_ = {};
  doing_since_.reset();
  bumped_ = false;
}

std::string MissionExecutor::describe() const {
  char text[160] = "";
  const TrackError& error = tracker_.error();
  switch (departure_) {
    case Departure::none:
      break;
    case Departure::blocked:
      std::snprintf(text, sizeof text, "blocked: %s at %.1f s of the path",
                    bumped_ ? "the robot has bumped into something" : "something stands in the way", tracker_.time());
      break;
    case Departure::off_path:
      if (motion_verdict_ == MotionCheck::Verdict::jumped) {
        std::snprintf(text, sizeof text, "off the path: localization jumped by %.2f m and %.2f rad", motion_.apart_m(),
                      motion_.apart_rad());
      } else {
        std::snprintf(text, sizeof text, "off the path by %.2f m and %.2f rad", length(Vec2{error.along, error.across}),
                      std::fabs(error.heading));
      }
      break;
    case Departure::sensors_disagree:
      if (robot_.sensors.empty()) return "sensors disagree: nothing is heard of where the robot is";
      std::snprintf(text, sizeof text, "sensors disagree: sensor %zu (%s) does not see the rehearsed world",
                    sensors_.culprit() + 1, robot::kind_of(robot_.sensors[sensors_.culprit()]).name);
      break;
    case Departure::calibration_drifted:
      std::snprintf(text, sizeof text, "calibration drifted: wheels and localization are apart by %.2f m and %.2f rad",
                    motion_.apart_m(), motion_.apart_rad());
      break;
    case Departure::action_failed:
      return "the action " + actions_[n_done_].name + " failed" +
             (failure_.empty() ? "" : ": " + std::string(failure_.view()));
    case Departure::action_not_done:
      std::snprintf(text, sizeof text, "nobody has done the action %s within %.0f s", actions_[n_done_].name.c_str(),
                    params_.action_limit_s);
      break;
    case Departure::held:
      return "it holds, as planned";
  }
  return text;
}

navigate::Decision MissionExecutor::stand(const navigate::Percept& percept) noexcept {
  commanded_ = {};
  return {.command = {}, .target = percept.pose.position(), .motion = navigate::Motion::braking};
}

navigate::Decision MissionExecutor::decide(const navigate::Percept& percept) noexcept {
  if (state_ != MissionState::running) return stand(percept);
  departure_ = find_departure(percept);
  if (departure_ != Departure::none) {
    hand_back(departure_);
    return stand(percept);
  }
  if (doing_since_) {
    last_ = percept.time;
    blocked_since_.reset();
    return stand(percept);
  }
  const robot::Twist command = follow(percept);
  const Duration since_last = last_ ? percept.time - *last_ : Duration{};
  last_ = percept.time;
  if (has_stopped(percept, since_last)) {
    arrive(percept.time);
    return stand(percept);
  }
  commanded_ = command;
  const auto motion = blocked_since_ ? navigate::Motion::blocked : navigate::Motion::forward;
  return {.command = command, .target = tracker_.reference().pose.position(), .motion = motion};
}

// At the end of its path, or at rest where an action comes next.
bool MissionExecutor::has_stopped(const navigate::Percept& percept, Duration since_last) noexcept {
  const bool acts = n_done_ < actions_.size();
  if (!tracker_.is_at_stop() || (acts && turning_)) return false;
  if (!at_stop_since_) at_stop_since_ = percept.time;
  if (acts) return stands_for_action(percept, since_last);
  return off_stop() < kThere || percept.time - *at_stop_since_ > kSettle;
}

// There; or not quite, and it has come no nearer for a while though nothing keeps it from that.
bool MissionExecutor::stands_for_action(const navigate::Percept& percept, Duration since_last) noexcept {
  if (speed_of(percept.velocity) >= kStill) return false;
  if (off_stop() < kThere) return true;
  if (blocked_since_ || !sees_) return false;
  stood_ = stood_ + since_last;
  return off_stop() < kNearly && stood_ > kSettle;
}

double MissionExecutor::off_stop() const noexcept {
  return length(Vec2{tracker_.error().along, tracker_.error().across});
}

void MissionExecutor::arrive(RobotTime now) noexcept {
  at_stop_since_.reset();
  stood_ = {};
  if (n_done_ == actions_.size()) {
    state_ = MissionState::done;
  } else if (actions_[n_done_].name == kHold) {
    count_action();
    hand_back(Departure::held);
  } else {
    doing_since_ = now;
  }
}

Departure MissionExecutor::find_departure(const navigate::Percept& percept) noexcept {
  if (is_bumped(percept.readings)) {
    bumped_ = true;
    return Departure::blocked;
  }
  motion_verdict_ = motion_.look(percept);
  if (motion_verdict_ == MotionCheck::Verdict::jumped) return Departure::off_path;
  if (motion_verdict_ == MotionCheck::Verdict::drifted) return Departure::calibration_drifted;
  const SensorCheck::Verdict seen = sensors_.look(percept);
  if (seen == SensorCheck::Verdict::disagree) return Departure::sensors_disagree;
  sees_ = seen == SensorCheck::Verdict::fine;
  const Vec2 off = Transform2(tracker_.reference().pose).to_local(percept.pose.position());
  const double turned_off = std::fabs(normalize_angle(tracker_.reference().pose.theta - percept.pose.theta));
  const bool is_turned_off = !turning_ && turned_off > params_.off_heading_rad;
  const bool is_off = std::fabs(off.y) > params_.off_path_m || std::fabs(off.x) > kAlong * params_.off_path_m;
  if (is_off || is_turned_off || stood_ > kStaysOff) return Departure::off_path;
  if (takes_too_long(percept.time)) return Departure::action_not_done;
  const Duration patience = from_seconds(params_.patience_s);
  if (blocked_since_ && percept.time - *blocked_since_ > patience) return Departure::blocked;
  return stands_in_vain(percept) ? Departure::blocked : Departure::none;
}

// The action, or what comes before it where its place has been reached.
bool MissionExecutor::takes_too_long(RobotTime now) const noexcept {
  const auto since = doing_since_ || n_done_ == actions_.size() ? doing_since_ : at_stop_since_;
  return since && now - *since > from_seconds(params_.action_limit_s);
}

bool MissionExecutor::is_bumped(const sense::Readings& readings) const noexcept {
  for (std::size_t i = 0; i < robot_.sensors.size(); ++i) {
    if (!std::holds_alternative<robot::BumperRing>(robot_.sensors[i])) continue;
    const std::vector<float>& pressed = readings.sensors[i].values;
    if (std::any_of(pressed.begin(), pressed.end(), [](float value) { return value > 0; })) return true;
  }
  return false;
}

bool MissionExecutor::stands_in_vain(const navigate::Percept& percept) noexcept {
  if (speed_of(commanded_) < 2 * kStill || speed_of(percept.velocity) > kStill) {
    still_since_.reset();
    return false;
  }
  if (!still_since_) still_since_ = percept.time;
  return percept.time - *still_since_ > kHeldFor;
}

robot::Twist MissionExecutor::follow(const navigate::Percept& percept) noexcept {
  const Transform2 world_from_robot(percept.pose);
  obstacles_.update(robot_, percept.readings, percept.odometry, kSeen);
  unmapped_.update(robot_, world_.planning, percept.readings, percept.odometry, world_from_robot);
  unmapped_.include_near(obstacles_);
  const double free = free_time(percept);
  if (free == kInfinity) {
    blocked_since_.reset();
  } else if (!blocked_since_) {
    blocked_since_ = percept.time;
  }
  // slows down such that it stands before what is in the way: at half the planned speed, half the time is needed
  const double speed = std::max(std::fabs(tracker_.reference().velocity.vx), 0.1);
  const double stopping = kReactionTime + speed / robot_.limits.deceleration;
  double share = free == kInfinity ? 1 : clamp((free - kReactionTime) / (2 * stopping), 0.0, 1.0);
  if (!sees_) share = 0;  // whoever doubts his eyes does not drive on
  const double dt = last_ ? to_seconds(percept.time - *last_) : 0;
  const auto turn = turn_to_path(percept);
  const robot::Twist wanted = turn ? *turn : tracker_.step(dt, percept.pose, share < 0.1 ? 0 : share);
  const navigate::Going going{percept.velocity, commanded_, world_from_robot, nullptr};
  if (!sees_ || (turn && is_swept())) return {};
  return navigate::safe_command(robot_, going, wanted, unmapped_.seen());
}

// Nothing once it looks along its path.
std::optional<robot::Twist> MissionExecutor::turn_to_path(const navigate::Percept& percept) noexcept {
  const double off = normalize_angle(tracker_.reference().pose.theta - percept.pose.theta);
  turning_ = turning_ && std::fabs(off) > kAligned;
  if (!turning_) return std::nullopt;
  const double fastest = kTurnShare * robot_.limits.max_turn_rate;
  return robot::Twist{0, 0, clamp(params_.tracker.heading_gain * off, -fastest, fastest)};
}

// Something is so near that a robot which is no disc might touch it while it turns.
bool MissionExecutor::is_swept() const noexcept {
  if (robot_.footprint.is_disc()) return false;
  const auto near = obstacles_.nearest_first();
  return !near.empty() && near.front().range < robot_.footprint.radius;
}

double MissionExecutor::free_time(const navigate::Percept& percept) noexcept {
  const Transform2 world_from_robot(percept.pose);
  const auto path = tracker_.path();
  const double end = std::min(tracker_.time() + params_.look_ahead_s, path.back().time);
  for (double t = tracker_.time(); t <= end; t += kLookStep) {
    const Pose2 ahead = point_at(path, t).pose;
    const Vec2 place = world_from_robot.to_local(ahead.position());
    if (is_taken({place.x, place.y, ahead.theta - percept.pose.theta}, world_from_robot)) return t - tracker_.time();
  }
  return kInfinity;
}

// Walls that the mission was rehearsed between are in the way only where the robot would touch them.
bool MissionExecutor::is_taken(const Pose2& ahead_in_robot, const Transform2& world_from_robot) const noexcept {
  const Transform2 robot_from_ahead(ahead_in_robot);
  const double reach = length(ahead_in_robot.position()) + robot_.footprint.radius + params_.margin_m;
  for (const navigate::Obstacle& obstacle : obstacles_.nearest_first()) {
    if (obstacle.range > reach) break;
    const double apart = robot::distance_to(robot_.footprint, robot_from_ahead.to_local(obstacle.point_in_robot));
    if (apart > params_.margin_m) continue;
    if (apart <= 0) return true;
    if (navigate::is_off_map(world_.planning, world_from_robot * obstacle.point_in_robot, kMapError)) return true;
  }
  return false;
}

robot::Description for_missions(const robot::Description& robot) {
  robot::Description fast = robot;
  fast.control.period = std::min(fast.control.period, kDecisionPeriod);
  return fast;
}

}  // namespace forerun::mission
