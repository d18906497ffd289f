// A robot that does what an operator's hand tells it, from one state on: velocities from the times of their effect,
// through its dead time, its limits and its motors, up to what is in its way.
#pragma once

#include <optional>

#include "forerun/ahead/known_floor.hpp"
#include "forerun/ahead/own_commands.hpp"
#include "forerun/robot/description.hpp"
#include "forerun/robot/motors.hpp"
#include "forerun/robot/report.hpp"

namespace forerun::ahead {

// How the robot answers velocities: as described, or as it has said.
struct HandResponse {
  robot::Drive drive;
  robot::Limits limits;
  robot::FoundResponse::Axis forward, turn;
  bool is_found = false;  // by the robot itself
};
[[nodiscard]] HandResponse response_of(const robot::Description& robot) noexcept;
// What the report says of it; what it does not say stays.
void take(HandResponse& response, const robot::Description& robot, const robot::Report& report) noexcept;

// In what a robot may differ from the likeliest one.
struct Difference {
  double late_s = 0;  // commands take effect later
  double speed = 1;   // its velocities are these shares of what they should be
  double turn = 1;
  bool unlucky = false;  // first messages are lost
};

// All that a run depends on.
struct HandInputs {
  const OwnCommands& commands;
  const HandResponse& response;
  const KnownFloor& floor;
  const sense::SeenWorld* seen = nullptr;
  double slack = 0;     // how far its pose may be off [m]
  bool climbs = false;  // over what the plan takes for walls: nothing is known to be in its way
};

class HandRun {
 public:
  void start(RobotTime time, const robot::State& state) noexcept;
  // Not back in time; to the same bits, however often it is asked on the way.
  void advance(RobotTime until, const HandInputs& inputs, const Difference& difference = {}) noexcept;
  // Comes to rest from now on, whatever the commands say, within `longest`; gives when it stands.
  RobotTime let_go(Duration longest, const HandInputs& inputs) noexcept;

  [[nodiscard]] RobotTime time() const noexcept { return time_; }
  [[nodiscard]] const robot::State& state() const noexcept { return state_; }
  // Where it is held by what is in its way, if it is.
  [[nodiscard]] const std::optional<Pose2>& held_at() const noexcept { return held_at_; }

 private:
  struct Body {
    RobotTime time;
    Pose2 pose;
    robot::Motors motors;
    robot::Twist velocity;
    std::optional<Pose2> held_at;
  };
  static void step(Body& body, double dt, const robot::Twist& wanted, const HandInputs& inputs,
                   const Difference& difference) noexcept;

  Body body_;  // a whole number of ticks after the start
  RobotTime time_;
  robot::State state_;
  std::optional<Pose2> held_at_;
};

}  // namespace forerun::ahead
