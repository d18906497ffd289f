// A command of whoever watches, which this side knows before the robot does (BEY-10).
#pragma once

#include <cstdint>

#include "forerun/base/time.hpp"
#include "forerun/robot/command.hpp"

namespace forerun::ahead {

struct OwnCommand {
  std::uint64_t number = 0;  // by which its outcome is told; velocities given in a row may share one
  robot::Command command;
  RobotTime given;           // what the robot's clock showed then
  RobotTime takes_effect;    // when it gets there: later by the way to the robot
  double uncertainty_s = 0;  // of that: a standard deviation [s]
  double chance_lost = 0;    // of a message on its way, 0 … 1
};

// What became of it.
enum class Settled : std::uint8_t {
  confirmed,  // the robot carried it out; reports will show it
  refused,    // it did not
  lost,       // it never got there
};

}  // namespace forerun::ahead
