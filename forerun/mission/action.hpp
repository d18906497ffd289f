// What a robot does where it stands on its mission, other than driving: a name that the operator chose.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "forerun/base/result.hpp"
#include "forerun/robot/timed_path.hpp"

namespace forerun::mission {

inline constexpr std::size_t kLongestAction = 32;  // [letters]
inline constexpr std::size_t kMostActions = 500;   // of a mission
// This one is nobody's: the robot stands until the operator starts its mission again.
inline constexpr std::string_view kHold = "hold";

struct Action {
  double time = 0;  // on the path, which stands there [s]
  std::string name;
  bool operator==(const Action&) const = default;
};

inline constexpr const char* kActionRule = "1 to 32 letters, digits, _ and -";
[[nodiscard]] bool is_action_name(std::string_view name) noexcept;

// In the order of their times, each where the path stands, and with a name that may be one.
[[nodiscard]] Result<void> check_actions(std::span<const Action> actions, std::span<const robot::TimedPoint> path);

// Which action belongs to this time of the path, to a millisecond; null: none. The path's clock stands there while
// the robot does it, and nowhere else.
[[nodiscard]] const Action* action_at(std::span<const Action> actions, double time) noexcept;

}  // namespace forerun::mission
