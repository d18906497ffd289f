// What an operator can ask of the robot.
#pragma once

#include <cstdint>
#include <optional>

#include "forerun/geom/vec.hpp"
#include "forerun/robot/crawler.hpp"
#include "forerun/robot/drive.hpp"

namespace forerun::robot {

enum class CommandKind : std::uint8_t {
  goal = 1,    // drive there, and forget other goals
  cancel = 2,  // give up the goals, come to rest
  stop = 3,    // stop at once, and hold until the next goal or drive
  drive = 4,   // these velocities, by hand, until the next command or for a short while
  start = 5,   // begin the mission of this number, or go on with it
};
[[nodiscard]] const char* to_string(CommandKind kind) noexcept;

inline constexpr std::uint16_t kAnyStart = 0xffff;

struct Command {
  CommandKind kind = CommandKind::stop;
  Vec2 goal;                              // of `goal`, in the world
  Twist velocity;                         // of `drive` …
  std::optional<FlipperAngles> flippers;  // … and where the flippers of a tracked robot go; nothing: they stay
  std::uint64_t mission = 0;              // of `start`: the number of the object that holds it …
  // … and how often it had been started when this was given: a start that comes after another one, and perhaps after a
  // stop, is refused. kAnyStart: whatever happened since
  std::uint16_t starts = kAnyStart;
};

}  // namespace forerun::robot
