// For programs that have a robot's reports and want to know where it is now: the live robot straight from files.
// examples/predict_in_ten_lines.cpp is such a program.
//
//   auto robot = forerun::atlas::load_live_robot("bonn-office", "rhino");
//   robot->take(report);                              // whenever one comes
//   const auto where = robot->at(now).state.pose;     // at any time, by the robot's clock
#pragma once

#include <string>

#include "forerun/base/result.hpp"
#include "forerun/predict/live_robot.hpp"

namespace forerun::atlas {

// `world` and `robot` are files or bare names.
[[nodiscard]] Result<predict::LiveRobot> load_live_robot(const std::string& world, const std::string& robot,
                                                         const predict::LiveParams& params = {});

}  // namespace forerun::atlas
