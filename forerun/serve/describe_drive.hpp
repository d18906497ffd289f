// What a simulated robot is doing, for a status line.
#pragma once

#include <cstdio>
#include <string>

#include "forerun/mission/pilot.hpp"
#include "forerun/sim/loop.hpp"

namespace forerun::serve {

// A simulator has nothing to do actions with, and says so.
[[nodiscard]] inline std::string describe_actions(const mission::Pilot& pilot) {
  const mission::MissionExecutor* executor = pilot.executor();
  if (executor == nullptr) return "";
  if (const auto doing = executor->doing()) return ", pretends " + doing->action->name;
  std::string done;
  for (const mission::Action& action : executor->done_actions()) {
    if (action.name != mission::kHold) done = ", has pretended " + action.name;
  }
  return done;
}

[[nodiscard]] inline std::string describe_drive(const sim::Loop& loop, const mission::Pilot& pilot) {
  const Pose2& pose = loop.truth().pose;
  const bool on_mission = loop.helm() == sim::Helm::program;
  const char* state = robot::to_string(loop.executive().state());
  char text[128];
  if (on_mission) {
    const robot::MissionStatus status = pilot.status().value_or(robot::MissionStatus{});
    std::snprintf(text, sizeof text, "mission %s at %.1f s, %.2f, %.2f", robot::to_string(status.state), status.time,
                  pose.x, pose.y);
  } else {
    std::snprintf(text, sizeof text, "%s at %.2f, %.2f", state, pose.x, pose.y);
  }
  return text + describe_actions(pilot);
}

}  // namespace forerun::serve
