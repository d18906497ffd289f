#include "forerun/mission/action.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace forerun::mission {
namespace {

constexpr double kStands = 0.01;           // slower than this a path stands [m/s, rad/s]
constexpr double kSameTime = 1e-3 + 1e-6;  // reports tell the time of the path in milliseconds [s]

Error wrong_at(double time, const char* what) {
  char text[120];
  std::snprintf(text, sizeof text, "the mission's action at %.2f s %s", time, what);
  return Error{text};
}

bool is_letter(char c) noexcept {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || c == '-';
}

}  // namespace

bool is_action_name(std::string_view name) noexcept {
  return !name.empty() && name.size() <= kLongestAction && std::all_of(name.begin(), name.end(), is_letter);
}

Result<void> check_actions(std::span<const Action> actions, std::span<const robot::TimedPoint> path) {
  if (actions.size() > kMostActions) return Error{"the mission has more than 500 actions"};
  double before = -1;
  for (const Action& action : actions) {
    if (!is_action_name(action.name)) return Error{std::string("the name of an action must have ") + kActionRule};
    if (!(action.time > before && action.time <= path.back().time)) {
      return wrong_at(action.time, "is not in the order of their times, or not on the path");
    }
    const robot::Twist& v = robot::point_at(path, action.time).velocity;
    if (!(std::max({std::fabs(v.vx), std::fabs(v.vy), std::fabs(v.w)}) < kStands)) {
      return wrong_at(action.time, "is where the robot does not stand");
    }
    before = action.time;
  }
  return {};
}

const Action* action_at(std::span<const Action> actions, double time) noexcept {
  for (const Action& action : actions) {
    if (std::fabs(action.time - time) < kSameTime) return &action;
  }
  return nullptr;
}

}  // namespace forerun::mission
