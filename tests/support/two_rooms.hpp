// Two rooms side by side with two doors between them, and a robot that has to get from one to the other.
#pragma once

#include <array>

#include "forerun/navigate/planning_model.hpp"
#include "forerun/robot/seen_things.hpp"
#include "tests/support/outings.hpp"

namespace forerun {

// 12 m by 6 m; the wall at x = 6 has doorways from y = 1 to 2 (door 0) and from y = 4 to 5 (door 1). Both doors stand
// open towards the east.
inline world::World make_two_rooms() {
  world::World world = make_room({0, 0}, {12, 6});
  add_box(world, {6, 0.5, 0}, {0.1, 1}, 2);
  add_box(world, {6, 3, 0}, {0.1, 2}, 2);
  add_box(world, {6, 5.5, 0}, {0.1, 1}, 2);
  for (const double y : {1.0, 4.0}) {
    world.doors.push_back(
        {.name = y < 2 ? "lower" : "upper", .hinge = {6, y}, .closed_angle = kPi / 2, .open_angle = 0});
  }
  return world;
}

inline robot::Change closed_door(std::uint16_t door, std::uint16_t number = 1) {
  return {.number = number, .kind = robot::Change::Kind::door, .door = door, .opening = 0};
}
inline robot::Change box_at(const Pose2& pose, Vec2 size, std::uint16_t number = 2) {
  return {.number = number, .pose = pose, .half_length = 0.5 * size.x, .half_width = 0.5 * size.y};
}

// From the lower left to the lower right: the lower door is on the way.
inline constexpr Vec2 kFromLeft{2, 1.5}, kToRight{10, 1.5};

}  // namespace forerun
