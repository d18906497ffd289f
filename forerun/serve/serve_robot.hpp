// For programs that are a robot's control system and want it watched and commanded: one call and three functions.
// examples/serve_a_robot.cpp is such a program. Programs that need more than this use serve::RobotService.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "forerun/base/result.hpp"
#include "forerun/robot/command.hpp"
#include "forerun/robot/reply.hpp"
#include "forerun/robot/report.hpp"

namespace forerun::serve {

struct ServeSetup {
  std::string world, robot;       // what viewers predict with: files or bare names
  std::string listen = ":7420";   // HOST:PORT, or :PORT for all of this machine's addresses
  std::string keys;               // folder with this robot's key and who may connect; made where it is missing
  bool anyone_may_watch = false;  // operating needs an allowed key in any case
  double interval_s = 0.1;        // between two looks at the robot [s]
};

// Where viewers find it.
struct ServedAt {
  std::string address;     // HOST:PORT
  std::string public_key;  // to be given to those who connect
};

// All are called from within serve_robot(), and must not throw: a robot that cannot say what became of a command stops
// the program. Only `look` must be there.
struct RobotFunctions {
  // What there is to say at this time; nothing: nothing new. Number, model and sequence are filled in.
  std::function<std::optional<robot::Report>(RobotTime now)> look;
  // Carries out what an operator asks: robot::accept(), or robot::refuse(…) with the reason that the operator reads.
  // Missing: all is refused.
  std::function<robot::Reply(const robot::Command& command)> obey;
  // Commands of hand driving have ceased: come to rest.
  std::function<void()> come_to_rest;
  std::function<void(const ServedAt& place)> on_open;             // once, when it listens
  std::function<void(const std::string& sentence)> on_complaint;  // missing: standard error
};

// Serves until `go_on` says no. An error where the files, the keys or the address are no good.
[[nodiscard]] Result<void> serve_robot(const ServeSetup& setup, const RobotFunctions& functions,
                                       const std::function<bool()>& go_on);

}  // namespace forerun::serve
