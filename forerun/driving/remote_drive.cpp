#include "forerun/driving/remote_drive.hpp"

#include <cmath>
#include <deque>
#include <memory>
#include <utility>

#include "forerun/base/random.hpp"
#include "forerun/estimate/latency_meter.hpp"
#include "forerun/impair/link.hpp"
#include "forerun/navigate/control_systems.hpp"
#include "forerun/predict/live_robot.hpp"
#include "forerun/sim/loop.hpp"
#include "forerun/sim/report.hpp"

namespace forerun::driving {
namespace {

constexpr double kTick = 0.01;      // [s]
constexpr int kLooks = 5;           // ticks from one picture to the next
constexpr int kPushes = 10;         // and from one command to the next
constexpr double kDeadMan = 0.5;    // [s]
constexpr double kSettles = 2;      // reports come before the drive begins [s]
constexpr double kJitter = 0.05;    // of the delay: a queueing delay's mean
constexpr double kSlowest = 10;     // times as long as the line takes at the usual speed is too long
constexpr double kThere = 0.15;     // so near to its end a robot is docked [m]
constexpr double kAtRest = 0.005;   // [m/s]
constexpr double kTrackStep = 0.1;  // [s]

RobotTime at(double time_s) { return RobotTime{} + from_seconds(time_s); }

impair::LinkProfile profile_of(const DriveSetup& setup) {
  impair::LinkProfile profile;
  for (impair::LinkPath* path : {&profile.up, &profile.down}) {
    path->delay = setup.delay_s;
    path->jitter = kJitter * setup.delay_s;
    path->jitter_correlation = 0.5;
    path->loss = setup.loss;
  }
  return profile;
}

// Messages on their way, one direction.
template <class Message>
class Post {
 public:
  Post(const impair::LinkProfile& profile, impair::Way way, std::uint64_t seed) : link_(profile, way, seed) {}

  void send(double now, const Message& message, std::size_t bytes) {
    for (const Duration delay : link_.carry(from_seconds(now), bytes)) {
      under_way_.emplace_back(now + to_seconds(delay), message);
    }
  }
  [[nodiscard]] std::optional<Message> take(double now) {
    if (under_way_.empty() || under_way_.front().first > now) return std::nullopt;
    Message message = std::move(under_way_.front().second);
    under_way_.pop_front();
    return message;
  }

 private:
  impair::Link link_;
  std::deque<std::pair<double, Message>> under_way_;
};

// The robot's end: obeys, stops when nobody speaks, reports, and measures how it answers.
class RobotEnd {
 public:
  RobotEnd(const sim::Model& model, const DriveSetup& setup)
      : setup_(setup),
        control_(navigate::make_own_control_system(model.planning, model.robot)),
        loop_(model, *control_, {.guards_hand = setup.guard}),
        meter_(model.robot.limits) {}

  void hear(double now, const robot::Twist& velocity) {
    heard_ = now;
    obey_at_.emplace_back(now + setup_.dead_time_s, velocity);
    if (setup_.learns) meter_.command(now, velocity);
  }
  void run_until(double now) {
    while (to_seconds(loop_.time()) < now) {
      loop_.step();
      if (!setup_.learns) continue;
      // what the guard holds back is not what was commanded
      const auto hindrance = loop_.hindrance();
      if (hindrance && hindrance->held_back) {
        meter_.pause();
      } else {
        meter_.measure(to_seconds(loop_.time()), loop_.plant().measured_velocity());
      }
    }
    if (heard_ && now - *heard_ > kDeadMan) hear_nothing(now);
    while (!obey_at_.empty() && obey_at_.front().first <= now) {
      loop_.command({robot::CommandKind::drive, {}, obey_at_.front().second});
      obey_at_.pop_front();
    }
  }
  [[nodiscard]] robot::Report report() {
    robot::Report report = sim::make_report(loop_, {.robot = 1, .model = 1, .sequence = sequence_++});
    report.response = found();
    return report;
  }
  [[nodiscard]] std::optional<robot::FoundResponse> found() const {
    return setup_.found ? setup_.found : setup_.learns ? meter_.found() : std::nullopt;
  }
  [[nodiscard]] const sim::Loop& loop() const { return loop_; }

 private:
  void hear_nothing(double now) {
    hear(now, {});
    heard_.reset();
  }

  const DriveSetup& setup_;
  std::unique_ptr<navigate::ControlSystem> control_;
  sim::Loop loop_;
  estimate::LatencyMeter meter_;
  std::optional<double> heard_;
  std::deque<std::pair<double, robot::Twist>> obey_at_;
  std::uint32_t sequence_ = 0;
};

// The driver's end: what is shown, and what the hand does.
class DriverEnd {
 public:
  DriverEnd(const Course& course, const sim::Setting& setting, const predict::ReplicaModel& replica,
            const DriveSetup& setup, double mean_delay, std::uint64_t seed)
      : setup_(setup),
        mean_delay_(mean_delay),
        live_(replica),
        driver_(course, setting.robot.limits, setup.driver, seed),
        shown_(start_of(course)) {}

  void take(const robot::Report& report) { live_.take(report); }
  void look(double now) {
    const predict::Prediction said = live_.at(at(now));
    if (said.status == predict::Status::none) return;
    shown_ = pose_shown(said);
    if (now >= kSettles) hand_ = driver_.drive(now, shown_);
  }
  // Ten times a second while something is held, and zeros once.
  [[nodiscard]] std::optional<robot::Twist> push(double now) {
    const bool holds = !(hand_ == robot::Twist{});
    const bool speaks = holds || held_;
    if (holds && !held_) ++hold_;
    held_ = holds;
    if (!speaks) return std::nullopt;
    live_.give({hold_,
                {robot::CommandKind::drive, {}, hand_},
                at(now),
                at(now + mean_delay_),
                kJitter * setup_.delay_s,
                setup_.loss});
    return hand_;
  }
  [[nodiscard]] bool holds() const { return held_ || !(hand_ == robot::Twist{}); }

 private:
  [[nodiscard]] Pose2 pose_shown(const predict::Prediction& said) {
    switch (setup_.display) {
      case Display::reported:
        return live_.newest()->state.pose;
      case Display::extrapolated:
        return said.extrapolated.pose;
      case Display::predicted:
        break;
    }
    const auto landing = live_.landing();
    return landing ? landing->state.pose : said.state.pose;
  }

  const DriveSetup& setup_;
  double mean_delay_;
  predict::LiveRobot live_;
  HumanDriver driver_;
  Pose2 shown_;
  robot::Twist hand_;
  bool held_ = false;
  std::uint64_t hold_ = 0;
};

// How well it was driven.
class Judge {
 public:
  Judge(const Course& course, const robot::Limits& limits)
      : course_(course), length_(length_of(course)), limit_(kSettles + kSlowest * length_ / usual_speed(limits)) {}

  // True: the drive is over.
  bool look(double now, const robot::State& truth, bool holds) {
    const OnLine on_line = find_on_line(course_, truth.pose.position(), along_);
    along_ = on_line.along;
    const bool began = along_ > 0.1;
    const bool moves = std::hypot(truth.velocity.vx, truth.velocity.vy) >= kAtRest;
    if (began && moves) {
      outcome_.squares += on_line.off * on_line.off;
      ++outcome_.n;
    }
    if (now >= next_point_) {
      outcome_.track.push_back(truth.pose.position());
      next_point_ = now + kTrackStep;
    }
    outcome_.time_s = now - kSettles;
    const bool rests = !moves && !holds;
    rested_since_ = rests ? rested_since_.value_or(now) : std::optional<double>();
    const bool settled = began && rested_since_ && now - *rested_since_ > 2 * kSettles;
    const double to_end = distance(truth.pose.position(), course_.line.back());
    if (course_.docks ? settled : along_ > length_ - kThere) {
      outcome_.failed = course_.docks && to_end > kThere;
      if (course_.docks) outcome_.time_s = *rested_since_ - kSettles;
      return true;
    }
    outcome_.failed = now > limit_;
    return outcome_.failed;
  }
  [[nodiscard]] DriveOutcome take() { return std::move(outcome_); }

 private:
  const Course& course_;
  double length_, limit_;
  double along_ = 0;
  double next_point_ = 0;
  std::optional<double> rested_since_;
  DriveOutcome outcome_;
};

}  // namespace

const char* to_string(Display display) noexcept {
  switch (display) {
    case Display::reported:
      return "reported";
    case Display::extrapolated:
      return "extrapolated";
    case Display::predicted:
      return "predicted";
  }
  return "unknown";
}

Result<DriveOutcome> drive_course(const Course& course, const sim::Setting& setting,
                                  const predict::ReplicaModel& replica, const DriveSetup& setup, std::uint64_t seed) {
  constexpr std::size_t kReportBytes = 120, kCommandBytes = 60;
  const auto model = sim::make_model(setting, seed);
  if (!model) return model.error();
  const impair::LinkProfile profile = profile_of(setup);
  Post<robot::Twist> up(profile, impair::Way::up, seed);
  Post<robot::Report> down(profile, impair::Way::down, seed);
  RobotEnd robot(*model, setup);
  DriverEnd driver(course, setting, replica, setup, impair::mean_delay(profile, impair::Way::up), seed);
  Judge judge(course, setting.robot.limits);
  const auto report_ticks = static_cast<int>(std::lround(setup.interval_s / kTick));
  for (int tick = 0;; ++tick) {
    const double now = tick * kTick;
    robot.run_until(now);
    while (const auto velocity = up.take(now)) robot.hear(now, *velocity);
    if (tick % report_ticks == 0) down.send(now, robot.report(), kReportBytes);
    while (const auto report = down.take(now)) driver.take(*report);
    if (tick % kLooks == 0) driver.look(now);
    if (tick % kPushes == 0) {
      if (const auto velocity = driver.push(now)) up.send(now, *velocity, kCommandBytes);
    }
    if (tick % kLooks == 0 && judge.look(now, robot.loop().truth(), driver.holds())) break;
  }
  DriveOutcome outcome = judge.take();
  outcome.contacts = robot.loop().statistics().collisions;
  outcome.found = robot.found();
  return outcome;
}

}  // namespace forerun::driving
