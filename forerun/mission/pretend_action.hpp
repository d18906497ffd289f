// Actions of a robot that exists in a simulator only.
#pragma once

#include "forerun/mission/executor.hpp"

namespace forerun::mission {

// It has nothing to do them with: each counts as done after a moment. Call it again and again.
inline void pretend_action(MissionExecutor& executor, RobotTime now) noexcept {
  constexpr Duration kMoment = from_seconds(1);
  const auto doing = executor.doing();
  if (doing && now - doing->since >= kMoment) executor.end_action(true);
}

}  // namespace forerun::mission
