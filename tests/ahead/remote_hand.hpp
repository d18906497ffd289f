// An operator who drives a simulated robot by hand over a slow and lossy link, in virtual time.
#pragma once

#include <deque>
#include <functional>
#include <utility>
#include <vector>

#include "forerun/predict/live_robot.hpp"
#include "forerun/sim/report.hpp"
#include "tests/support/outings.hpp"

namespace forerun {

class RemoteHand {
 public:
  struct Link {
    double way_s = 1;     // each way
    double jitter_s = 0;  // at most so much later
    double loss = 0;      // share of all messages
    double reports_s = 0.5;
  };
  // What the hand does at one time; zeros: nothing is held.
  using Hand = std::function<robot::Twist(double)>;

  RemoteHand(const Link& link, const sim::Reality& reality, std::uint64_t seed)
      : link_(link),
        chance_(seed, 77),
        outing_(reality, {}, seed),
        live_(std::move(*predict::make_live_robot(make_hall(), make_hall_robot()))) {}

  // Until then; `look` is called 20 times a second, when all of that time has happened.
  void run(double until_s, const Hand& hand, const std::function<void(double)>& look) {
    for (; tick_ * kTick < until_s; ++tick_) {
      const double now = tick_ * kTick;
      outing_.run(now - to_seconds(outing_.loop->time()));
      if (tick_ % 10 == 0) push(hand(now), now);
      obey(now);
      if (tick_ % static_cast<int>(link_.reports_s / kTick) == 0) report(now);
      while (!reports_.empty() && reports_.front().first <= now) {
        live_.take(reports_.front().second);
        reports_.pop_front();
      }
      if (tick_ % 5 == 0) look(now);
    }
  }

  static RobotTime at(double time_s) { return RobotTime{} + from_seconds(time_s); }
  [[nodiscard]] predict::LiveRobot& live() { return live_; }
  [[nodiscard]] const robot::State& truth() const { return outing_.loop->truth(); }
  [[nodiscard]] Outing& outing() { return outing_; }
  [[nodiscard]] std::uint64_t hold() const { return hold_; }
  bool obeys = true;  // else the robot side refuses everything

 private:
  static constexpr double kTick = 0.01;
  static constexpr double kDeadMan = 0.5;

  [[nodiscard]] double way() { return link_.way_s + chance_.uniform(0, link_.jitter_s); }
  [[nodiscard]] bool lost() { return chance_.uniform() < link_.loss; }

  // As the page does it: ten times a second while something is held, and zeros once.
  void push(const robot::Twist& velocity, double now) {
    const bool holds = !(velocity == robot::Twist{});
    if (holds && !held_) ++hold_;
    if (holds || held_) {
      const robot::Command command{robot::CommandKind::drive, {}, velocity};
      live_.give({hold_, command, at(now), at(now + link_.way_s + 0.5 * link_.jitter_s), 0.3 * link_.jitter_s + 0.005,
                  link_.loss});
      if (!lost()) commands_.emplace_back(now + way(), velocity);
    }
    held_ = holds;
  }

  void obey(double now) {
    while (!commands_.empty() && commands_.front().first <= now) {
      if (obeys) outing_.drive(commands_.front().second);
      driven_ = now;
      commands_.pop_front();
    }
    if (outing_.loop->helm() == sim::Helm::hand && now - driven_ > kDeadMan) outing_.drive({});
  }

  void report(double now) {
    const robot::Report report = sim::make_report(*outing_.loop, {.robot = 1, .model = 1, .sequence = sequence_++});
    if (!lost()) reports_.emplace_back(now + way(), report);
  }

  Link link_;
  Random chance_;
  Outing outing_;
  predict::LiveRobot live_;
  int tick_ = 0;
  bool held_ = false;
  std::uint64_t hold_ = 0;
  double driven_ = 0;
  std::uint32_t sequence_ = 0;
  std::deque<std::pair<double, robot::Twist>> commands_;
  std::deque<std::pair<double, robot::Report>> reports_;
};

}  // namespace forerun
