#include "forerun/mission/trial.hpp"

#include <algorithm>
#include <cmath>

#include "forerun/mission/pretend_action.hpp"
#include "forerun/robot/arc.hpp"
#include "forerun/sim/given_pose.hpp"
#include "forerun/sim/loop.hpp"
#include "forerun/sim/slipping_body.hpp"
#include "forerun/world/mover.hpp"

namespace forerun::mission {
namespace {

constexpr double kLongerThanPlanned = 120;  // a mission that takes so much longer hangs [s]
constexpr double kForAction = 10;           // may take so long: rest, the moment that it is pretended, going on [s]
constexpr double kNear = 1.0;               // of path, before and after the time, that is looked at [s]
constexpr double kBoxEdge = 0.4;            // of a planted box [m]
constexpr double kBoxHeight = 1.0;          // [m]
constexpr double kInTheWay = 0.2;           // nearer than this to the way of the footprint [m] …
constexpr double kWayAhead = 6;             // … within this time of the path [s]

// The truth with the level's error, and a jump.
class JumpingPose final : public navigate::Localizer {
 public:
  JumpingPose(const sim::Model& model, const sim::Body& body)
      : body_(body), given_(model.reality, model.start, sim::stream(model.seed, sim::Stream::pose)) {}
  void observe(const navigate::Observation& observation) noexcept override {
    given_.step(body_.state().pose, to_seconds(observation.time - last_));
    last_ = observation.time;
  }
  [[nodiscard]] Pose2 pose() const noexcept override {
    const Pose2 pose = given_.pose();
    return {pose.x + jump_.x, pose.y + jump_.y, normalize_angle(pose.theta + jump_.theta)};
  }
  void jump(const Pose2& by) noexcept { jump_ = by; }

 private:
  const sim::Body& body_;
  sim::GivenPose given_;
  Pose2 jump_;
  RobotTime last_;
};

// Stands between the sensors and who decides.
class FailingSensor final : public navigate::ControlSystem {
 public:
  FailingSensor(MissionExecutor& executor, const robot::Description& robot)
      : executor_(executor), readings_(sense::make_readings(robot)) {}
  bool set_goal(std::optional<Vec2> goal) noexcept override { return executor_.set_goal(goal); }
  [[nodiscard]] bool can_reach_goal_from(Vec2 place) const noexcept override {
    return executor_.can_reach_goal_from(place);
  }
  void fail(const Fault& fault) noexcept { fault_ = fault; }
  [[nodiscard]] navigate::Decision decide(const navigate::Percept& percept) noexcept override {
    for (std::size_t i = 0; i < readings_.sensors.size(); ++i) take(i, percept.readings.sensors[i]);
    readings_.ticks = percept.readings.ticks;
    return executor_.decide({percept.time, percept.pose, percept.odometry, percept.velocity, readings_});
  }

 private:
  void take(std::size_t i, const sense::Reading& reading) noexcept {
    sense::Reading& mine = readings_.sensors[i];
    const bool fails = i == fault_.part;
    if (fails && fault_.kind == FaultKind::silent_sensor) return;
    mine.time = reading.time;
    mine.odometry = reading.odometry;
    if (fails && fault_.kind == FaultKind::stuck_sensor) return;
    if (fails && fault_.kind == FaultKind::blind_sensor) {
      std::fill(mine.values.begin(), mine.values.end(), static_cast<float>(kInfinity));
    } else {
      std::copy(reading.values.begin(), reading.values.end(), mine.values.begin());
    }
  }

  MissionExecutor& executor_;
  sense::Readings readings_;
  Fault fault_;
};

class Run {
 public:
  Run(const Mission& mission, const RehearsedWorld& known, sim::Model model, const ExecutorParams& params,
      const Fault& fault)
      : mission_(mission),
        fault_(fault),
        model_(planted(mission, std::move(model), fault)),
        body_(model_.robot, model_.reality, model_.start, sim::stream(model_.seed, sim::Stream::plant)),
        localizer_(model_, body_),
        executor_(mission, known, params),
        control_(executor_, model_.robot),
        loop_(model_, control_, {&body_, &localizer_}) {}

  Trial run() {
    recorder_.take(loop_);
    executor_.start();
    trial_.min_clearance_m = kFarClearance;
    const double acts = kForAction * static_cast<double>(mission_.actions.size());
    const double limit = mission_.path.back().time * 1.5 + kLongerThanPlanned + acts;
    while (executor_.state() == MissionState::running && to_seconds(loop_.time()) < limit) {
      plant();
      loop_.step();
      act();
      recorder_.take(loop_);
      measure();
    }
    trial_.state = executor_.state();
    trial_.departure = executor_.departure();
    trial_.why = executor_.describe();
    trial_.something_in_way = is_something_in_way();
    come_to_rest();
    trial_.collisions = loop_.statistics().collisions;
    trial_.duration_s = to_seconds(loop_.time());
    trial_.cross_track_rms_m = n_ > 0 ? sqrt(sum_ / n_) : 0;
    trial_.driven = recorder_.path();
    return std::move(trial_);
  }

 private:
  static sim::Model planted(const Mission& mission, sim::Model model, const Fault& fault) {
    model.tasks.clear();
    if (fault.kind == FaultKind::obstacle) {
      const Pose2 pose = point_at(mission.path, fault.at_s).pose;
      model.cast.boxes.push_back(world::make_box(pose, {kBoxEdge, kBoxEdge}, kBoxHeight, 0));
    }
    return model;
  }

  // From the fault's time on.
  void plant() {
    if (fault_.kind == FaultKind::none || trial_.fault_in_effect) return;
    const double time = executor_.tracker().time();
    if (fault_.kind == FaultKind::obstacle) {
      trial_.fault_in_effect = time > fault_.at_s - kWayAhead;
      return;
    }
    if (time < fault_.at_s) return;
    trial_.fault_in_effect = true;
    if (fault_.kind == FaultKind::localization_jump) {
      localizer_.jump(fault_.jump);
    } else if (fault_.kind == FaultKind::slip) {
      sim::SlippingBody::Grip grip;
      grip.fill(1);
      grip[fault_.part] = fault_.grip;
      body_.set_grip(grip);
    } else {
      control_.fail(fault_);
    }
  }

  // What it is to do counts as done after a moment; nobody is there to wait for.
  void act() {
    pretend_action(executor_, loop_.time());
    if (executor_.departure() == Departure::held) executor_.start();
  }

  void measure() {
    const Pose2& truth = loop_.truth().pose;
    const double off = cross_track(mission_.path, executor_.tracker().time(), truth.position());
    sum_ += square(off);
    n_ += 1;
    trial_.cross_track_max_m = std::max(trial_.cross_track_max_m, off);
    const double room = clearance(model_.robot.footprint, truth, model_.outline);
    if (room < trial_.min_clearance_m) {
      trial_.min_clearance_m = room;
      trial_.nearest_at = truth.position();
    }
  }

  [[nodiscard]] bool is_something_in_way() const noexcept {
    const double begin = executor_.tracker().time();
    for (double t = begin; t <= begin + kWayAhead; t += 0.1) {
      const Vec2 place = point_at(mission_.path, t).pose.position();
      for (const world::Mover& mover : loop_.surroundings().movers()) {
        if (world::plan_distance(mover, place) < model_.robot.footprint.radius + kInTheWay) return true;
      }
    }
    return false;
  }

  // What it hits while it brakes counts too.
  void come_to_rest() {
    const RobotTime end = loop_.time() + from_seconds(2);
    while (loop_.time() < end) loop_.step();
  }

  const Mission& mission_;
  Fault fault_;
  sim::Model model_;
  sim::SlippingBody body_;
  JumpingPose localizer_;
  MissionExecutor executor_;
  FailingSensor control_;
  sim::Loop loop_;
  PathRecorder recorder_;
  Trial trial_;
  double sum_ = 0, n_ = 0;
};

}  // namespace

const char* to_string(FaultKind kind) noexcept {
  constexpr const char* kNames[kFaultKinds] = {"none",         "obstacle",     "localization_jump", "slip",
                                               "blind_sensor", "stuck_sensor", "silent_sensor"};
  return kNames[static_cast<std::size_t>(kind)];
}

double clearance(const robot::Footprint& footprint, const Pose2& pose, const world::Outline& outline) noexcept {
  const Transform2 world_from_robot(pose);
  double nearest = kFarClearance;
  outline.for_each_near(pose.position(), footprint.radius + kFarClearance, [&](const Segment2& s) {
    const Segment2 in_robot{world_from_robot.to_local(s.a), world_from_robot.to_local(s.b)};
    nearest = std::min(nearest, robot::distance_to(footprint, in_robot));
  });
  return nearest;
}

double cross_track(std::span<const TimedPoint> path, double time, Vec2 place) noexcept {
  const auto from = std::lower_bound(path.begin(), path.end(), time - kNear,
                                     [](const TimedPoint& point, double t) { return point.time < t; });
  double nearest = kInfinity;
  for (auto at = from; at != path.end(); ++at) {
    const TimedPoint& before = at == path.begin() ? *at : *(at - 1);
    if (before.time > time + kNear) break;
    nearest = std::min(nearest, distance(nearest_point({before.pose.position(), at->pose.position()}, place), place));
  }
  return nearest == kInfinity ? distance(path.back().pose.position(), place) : nearest;
}

Trial run_trial(const Mission& mission, const RehearsedWorld& known, sim::Model model, const ExecutorParams& params,
                const Fault& fault) {
  return Run(mission, known, std::move(model), params, fault).run();
}

}  // namespace forerun::mission
