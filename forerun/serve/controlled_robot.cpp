#include <algorithm>
#include <vector>

#include "forerun/base/fixed_vector.hpp"
#include "forerun/estimate/latency_meter.hpp"
#include "forerun/net/local_robot.hpp"
#include "forerun/serve/served_robot.hpp"
#include "forerun/serve/wheel_watch.hpp"

namespace forerun::serve {
namespace {

// What is wrong with the things that a robot sees in this world, in a sentence; empty: nothing.
std::string wrong_with_seen(const robot::Report& state, const world::World& world, const Box2& floor) {
  if (!state.seen) return {};
  for (const robot::Change& c : state.seen->changes) {
    if (c.kind == robot::Change::Kind::door && c.door >= world.doors.size()) {
      return "seen_doors has door " + std::to_string(c.door) + ", but the world has " +
             std::to_string(world.doors.size()) + " doors, counted from 0";
    }
    if (c.kind == robot::Change::Kind::box && !floor.contains(c.pose.position())) {
      return "seen_boxes has a box at [" + std::to_string(c.pose.x) + ", " + std::to_string(c.pose.y) +
             "], which is outside the world";
    }
  }
  return {};
}

class ControlledRobot final : public ServedRobot {
 public:
  ControlledRobot(net::LocalRobot robot, const sim::Setting& setting)
      : robot_(std::move(robot)),
        wheels_(setting.robot.drive),
        latency_(setting.robot.limits),
        blind_(without_sensors(setting.robot)),
        missions_(setting.world, blind_) {
    robot_.check_by([&world = setting.world, floor = world::bounds(setting.world)](const robot::Report& state) {
      return wrong_with_seen(state, world, floor);
    });
  }

  ~ControlledRobot() override { end_mission(); }
  ControlledRobot(const ControlledRobot&) = delete;
  ControlledRobot& operator=(const ControlledRobot&) = delete;

  std::optional<robot::Report> look(RobotTime now) override {
    listen(now);
    auto report = std::exchange(newest_, std::nullopt);
    if (report) missions_.pilot().apply(*report);
    return report;
  }

  // States count from their arrival: the control system's own clock may be set at any time, ours never is.
  void listen(RobotTime now) override {
    now_ = now;
    auto report = robot_.poll();
    if (!robot_.socket().connected()) last_.reset();
    take_answers();
    if (!report) return end_silent_mission(now);
    report->time = now;
    if (robot_.ticks()) {
      wheels_.take(now, *report, *robot_.ticks());
      wheels_.apply(*report);
    }
    measure_latency(*report);
    newest_ = *report;
    last_ = *report;
    drive_mission(*report);
    // told to stand, but still driving: the line may have been lost
    if (ending_ && report->hand_driven) send({.kind = robot::CommandKind::drive}, true);
    ending_ = ending_ && report->hand_driven;
  }

  std::span<const int> descriptors() override {
    descriptors_ = robot_.socket().descriptors();
    return {descriptors_.data(), descriptors_.size()};
  }

  robot::Reply execute(const robot::Command& command, const sync::CommandInfo& info) noexcept override {
    ending_ = false;
    if (command.kind == robot::CommandKind::start) return start_mission(command);
    end_mission();
    ending_ = false;
    if (!send(command, false)) return robot::refuse(robot::Refusal::absent);
    if (!robot_.answers()) return robot::accept();
    // a command that was not asked about for so long was given up
    if (asked_.full()) forget(0);
    asked_.push_back({number_, info.ticket});
    return robot::wait();
  }
  std::optional<Word> next_word() noexcept override {
    // who has gone will not answer any more
    if (!robot_.socket().connected() && !asked_.empty()) {
      const std::uint64_t ticket = asked_[0].ticket;
      forget(0);
      return Word{ticket, robot::refuse(robot::Refusal::absent)};
    }
    if (words_.empty()) return std::nullopt;
    const Word word = words_.front();
    words_.erase(words_.begin());
    return word;
  }
  robot::Reply take_object(const sync::BroughtObject& brought) noexcept override { return missions_.take(brought); }
  const MissionDesk* missions() const override { return &missions_; }
  void end_hand_driving() noexcept override {
    ending_ = true;
    send({.kind = robot::CommandKind::drive}, true);
  }

  std::string describe() const override {
    return robot_.socket().connected() ? "control system connected" : "waiting at " + robot_.socket().where();
  }

 private:
  static robot::Description without_sensors(robot::Description robot) {
    robot.sensors.clear();
    return robot;
  }

  robot::Reply start_mission(const robot::Command& command) noexcept {
    if (!last_ || !robot_.socket().connected()) return robot::refuse(robot::Refusal::absent);
    if (now_ - last_->time > kLongestSilence) {
      return robot::refuse(robot::Refusal::other, "its control system has not said for a while where it is");
    }
    return missions_.pilot().start(command, last_->state.pose);
  }
  // Whatever comes next, the velocities of the mission are not in force any more.
  void end_mission(robot::Departure departure = robot::Departure::none) noexcept {
    if (!missions_.pilot().is_running()) return;
    missions_.pilot().hold(departure);
    end_hand_driving();
  }
  // Forerun's tracker decides, and the control system gets velocities as from an operator's hand. Its sensors are its
  // own: looking out for what is in the way is, too.
  void drive_mission(const robot::Report& state) noexcept {
    mission::Pilot& pilot = missions_.pilot();
    if (!pilot.is_running()) return;
    const robot::State& its = state.state;
    const navigate::Decision decision =
        pilot.executor()->decide({state.time, its.pose, state.odometry.value_or(its.pose), its.velocity, readings_});
    if (!pilot.is_running()) return end_hand_driving();
    send({.kind = robot::CommandKind::drive, .velocity = decision.command}, false);
    tell_action();
  }
  // Once; drives of zeros go on meanwhile.
  void tell_action() noexcept {
    const auto doing = missions_.pilot().executor()->doing();
    if (!doing || told_ == doing->since) return;
    told_ = doing->since;
    action_ = ++number_;
    if (robot_.act({action_, doing->action->name})) return;
    missions_.pilot().executor()->end_action(false, "its control system could not be told");
    end_hand_driving();
  }
  // True: it was about the action that is under way.
  bool take_action_answer(const net::RobotAnswer& answer) noexcept {
    mission::Pilot& pilot = missions_.pilot();
    if (answer.number != action_ || !pilot.is_running()) return false;
    const bool refused = answer.reply.state == robot::Reply::State::refused;
    if (answer.over || refused) pilot.executor()->end_action(!refused, answer.reply.words.view());
    if (!pilot.is_running()) end_hand_driving();
    return true;
  }
  // Nobody drives by what was true a while ago, and not with another control system than the one that began.
  void end_silent_mission(RobotTime now) noexcept {
    if (!last_ || now - last_->time > kLongestSilence) end_mission(robot::Departure::sensors_disagree);
  }

  // A command that the control system has not answered yet.
  struct Asked {
    std::uint64_t number = 0;
    std::uint64_t ticket = 0;
  };

  void forget(std::size_t place) noexcept {
    std::copy(asked_.begin() + place + 1, asked_.end(), asked_.begin() + place);
    asked_.resize(asked_.size() - 1);
  }
  void take_answers() {
    for (const net::RobotAnswer& answer : robot_.take_answers()) {
      if (take_action_answer(answer)) continue;
      for (std::size_t i = 0; i < asked_.size(); ++i) {
        if (asked_[i].number != answer.number) continue;
        words_.push_back({asked_[i].ticket, answer.reply});
        forget(i);
        break;
      }
    }
  }

  // While the control system does what we tell it.
  void measure_latency(robot::Report& report) noexcept {
    if (!report.hand_driven) return latency_.pause();
    latency_.measure(to_seconds(report.time - RobotTime{}), report.state.velocity);
    report.response = latency_.found();
  }

  // Numbers of our own: those of operators belong to their keys, and grow for each key by itself.
  bool send(const robot::Command& command, bool timeout) noexcept {
    const bool drives = command.kind == robot::CommandKind::drive;
    // who stops or goes to a goal is not driven any more
    latency_.command(to_seconds(now_ - RobotTime{}), drives ? command.velocity : robot::Twist{});
    return robot_.command({.number = ++number_, .command = command, .timeout = timeout});
  }

  net::LocalRobot robot_;
  static constexpr Duration kLongestSilence = from_seconds(1);

  WheelWatch wheels_;
  estimate::LatencyMeter latency_;
  robot::Description blind_;  // what its tracker knows of it
  MissionDesk missions_;
  sense::Readings readings_;  // none
  RobotTime now_;
  std::optional<robot::Report> last_;    // state of the control system that is connected
  std::optional<robot::Report> newest_;  // and not looked at yet
  FixedVector<int, 2> descriptors_;
  std::uint64_t number_ = 0;
  FixedVector<Asked, 32> asked_;
  std::vector<Word> words_;        // on commands that were asked for, at most as many
  std::optional<RobotTime> told_;  // beginning of the action that the control system was told of last …
  std::uint64_t action_ = 0;       // … and its line's number
  bool ending_ = false;            // hand driving was ended, and the control system has not shown yet that it knows
};

}  // namespace

Result<std::unique_ptr<ServedRobot>> make_controlled_robot(const std::string& where, const sim::Setting& setting) {
  robot::Report usual;
  usual.limits = {setting.robot.limits.max_speed, setting.robot.limits.max_turn_rate};
  auto local = net::LocalRobot::open(where, usual);
  if (!local) return local.error();
  return std::unique_ptr<ServedRobot>(std::make_unique<ControlledRobot>(std::move(*local), setting));
}

}  // namespace forerun::serve
