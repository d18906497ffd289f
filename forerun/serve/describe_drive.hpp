// What a simulated robot is doing, for a status line.
#pragma once

#include <cstdio>
#include <string>

#include "forerun/sim/loop.hpp"

namespace forerun::serve {

[[nodiscard]] inline std::string describe_drive(const sim::Loop& loop) {
  const Pose2& pose = loop.truth().pose;
  char text[96];
  std::snprintf(text, sizeof text, "%s at %.2f, %.2f", robot::to_string(loop.executive().state()), pose.x, pose.y);
  return text;
}

}  // namespace forerun::serve
