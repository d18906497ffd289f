// What touches the robot: the fixed world's outline and the things that move.
#pragma once

#include <array>
#include <span>

#include "forerun/robot/arc.hpp"
#include "forerun/world/mover.hpp"
#include "forerun/world/outline.hpp"

namespace forerun::sense {

// A robot standing somewhere, feeling for things up to `reach` beyond its footprint.
struct Body {
  const robot::Footprint& footprint;
  Pose2 pose;
  double reach = 0;  // [m]
};

// The four sides of a box in the robot's frame.
[[nodiscard]] inline std::array<Segment2, 4> sides_of(const world::Mover& box,
                                                      const Transform2& world_from_robot) noexcept {
  const Transform2 world_from_box(box.pose);
  const auto corner = [&](double along, double across) {
    return world_from_robot.to_local(world_from_box * Vec2{along * box.half_length, across * box.half_width});
  };
  const Vec2 a = corner(1, 1), b = corner(-1, 1), c = corner(-1, -1), d = corner(1, -1);
  return {Segment2{a, b}, Segment2{b, c}, Segment2{c, d}, Segment2{d, a}};
}

// Calls `visit(Vec2 point_in_robot)` for everything within the body's reach.
template <class Visit>
void for_each_contact(const Body& body, const world::Outline& outline, std::span<const world::Mover> movers,
                      Visit&& visit) {
  const Transform2 world_from_robot(body.pose);
  const double reach = body.footprint.radius + body.reach;
  const auto touch = [&](const Segment2& in_robot) {
    if (robot::distance_to(body.footprint, in_robot) <= body.reach) visit(nearest_point(in_robot, {0, 0}));
  };
  outline.for_each_near(body.pose.position(), reach, [&](const Segment2& s) {
    touch({world_from_robot.to_local(s.a), world_from_robot.to_local(s.b)});
  });
  for (const world::Mover& mover : movers) {
    const Vec2 center = world_from_robot.to_local(mover.pose.position());
    if (length(center) > reach + mover.radius) continue;
    if (mover.shape == world::Mover::Shape::disc) {
      if (robot::distance_to(body.footprint, center) <= mover.radius + body.reach) visit(center);
    } else {
      for (const Segment2& side : sides_of(mover, world_from_robot)) touch(side);
    }
  }
}

[[nodiscard]] inline bool in_contact(const Body& body, const world::Outline& outline,
                                     std::span<const world::Mover> movers) noexcept {
  bool touched = false;
  for_each_contact(body, outline, movers, [&](Vec2) { touched = true; });
  return touched;
}

}  // namespace forerun::sense
