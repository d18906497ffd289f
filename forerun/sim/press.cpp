#include "forerun/sim/press.hpp"

#include <algorithm>
#include <array>

namespace forerun::sim {
namespace {

constexpr double kRounding = 1e-9;  // a gap that shrinks by less is the same gap [m]

using Corners = std::span<const Vec2>;

// How far the second shape begins beyond the first along `axis`, a unit vector; negative where they overlap.
double gap_along(Vec2 axis, Corners first, Corners second) noexcept {
  double first_high = -kInfinity, second_low = kInfinity;
  for (const Vec2 p : first) first_high = std::max(first_high, dot(axis, p));
  for (const Vec2 p : second) second_low = std::min(second_low, dot(axis, p));
  return second_low - first_high;
}

// The widest gap along the normals of `sides`, one of the two shapes. A shape of two corners has two sides.
double gap_across(Corners sides, Corners first, Corners second) noexcept {
  double widest = -kInfinity;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const Vec2 side = sides[i + 1 < sides.size() ? i + 1 : 0] - sides[i];
    const double l = length(side);
    if (l == 0) continue;
    const Vec2 normal = left_normal(side) * (1 / l);
    widest = std::max({widest, gap_along(normal, first, second), gap_along(-normal, first, second)});
  }
  return widest;
}

// From a point to a convex outline; negative inside, where it is the way to the nearest side.
double gap_to_point(Corners outline, Vec2 p) noexcept {
  double nearest = kInfinity;
  bool inside = outline.size() > 2;
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const Vec2 a = outline[i], b = outline[i + 1 < outline.size() ? i + 1 : 0];
    nearest = std::min(nearest, distance(p, nearest_point({a, b}, p)));
    inside = inside && cross(b - a, p - a) >= 0;
  }
  return inside ? -nearest : nearest;
}

// The robot's body somewhere, and its gaps to things: positive apart, zero touching, negative how deep they overlap.
class PlacedBody {
 public:
  PlacedBody(const robot::Footprint& footprint, const Pose2& pose) noexcept
      : center_(pose.position()), radius_(footprint.radius) {
    const Transform2 world_from_robot(pose);
    for (const Vec2 corner : footprint.corners) corners_.push_back(world_from_robot * corner);
  }
  [[nodiscard]] double gap_to(Corners thing) const noexcept {
    if (corners_.empty()) return gap_to_point(thing, center_) - radius_;
    const Corners body(corners_.begin(), corners_.size());
    return std::max(gap_across(body, body, thing), gap_across(thing, body, thing));
  }
  [[nodiscard]] double gap_to_disc(Vec2 center, double radius) const noexcept {
    if (corners_.empty()) return distance(center_, center) - radius_ - radius;
    return gap_to_point({corners_.begin(), corners_.size()}, center) - radius;
  }

 private:
  Vec2 center_;
  double radius_;
  FixedVector<Vec2, robot::kMaxCorners> corners_;  // counter-clockwise; none: a disc
};

std::array<Vec2, 4> corners_of(const world::Mover& box) noexcept {
  const Transform2 world_from_box(box.pose);
  const double l = box.half_length, w = box.half_width;
  return {world_from_box * Vec2{l, w}, world_from_box * Vec2{-l, w}, world_from_box * Vec2{-l, -w},
          world_from_box * Vec2{l, -w}};
}

}  // namespace

bool presses_on(const robot::Footprint& footprint, const BodyStep& step, const world::Outline& outline,
                std::span<const world::Mover> movers) noexcept {
  const PlacedBody before(footprint, step.from), after(footprint, step.to);
  const auto shrinks = [](double gap_before, double gap_after) {
    return gap_after <= 0 && gap_after < gap_before - kRounding;
  };
  bool pressed = false;
  outline.for_each_near(step.to.position(), footprint.radius, [&](const Segment2& s) {
    const std::array<Vec2, 2> ends{s.a, s.b};
    pressed = pressed || shrinks(before.gap_to(ends), after.gap_to(ends));
  });
  for (const world::Mover& mover : movers) {
    const Vec2 center = mover.pose.position();
    if (distance(center, step.to.position()) > footprint.radius + mover.radius) continue;
    if (mover.shape == world::Mover::Shape::disc) {
      pressed = pressed || shrinks(before.gap_to_disc(center, mover.radius), after.gap_to_disc(center, mover.radius));
    } else {
      const auto corners = corners_of(mover);
      pressed = pressed || shrinks(before.gap_to(corners), after.gap_to(corners));
    }
  }
  return pressed;
}

}  // namespace forerun::sim
