#include "forerun/atlas/door_leaf.hpp"

#include <array>
#include <cmath>

namespace forerun::atlas {

std::optional<world::Door> hang_leaf(const Cut& cut, const Leaf& leaf) {
  constexpr std::array<Vec2, 4> kDirections{Vec2{1, 0}, Vec2{0, 1}, Vec2{-1, 0}, Vec2{0, -1}};
  constexpr double kThickness = 0.04;  // [m]
  constexpr double kAcross = 0.5;      // a direction that is less clear than 60 degrees says nothing
  const Vec2 to_hinge = kDirections[leaf.hinge], to_side = kDirections[leaf.swings];
  const double width = distance(cut.start, cut.end);
  const Vec2 along = (cut.end - cut.start) * (1 / width);
  if (std::fabs(dot(along, to_hinge)) < kAcross || std::fabs(cross(along, to_side)) < kAcross) return std::nullopt;

  const bool at_end = dot(along, to_hinge) > 0;
  const Vec2 closed = at_end ? -along : along;
  const Vec2 outward = left_normal(along) * (dot(left_normal(along), to_side) > 0 ? 1.0 : -1.0);
  const double turn = cross(closed, outward) > 0 ? 1 : -1;

  world::Door door;
  door.name = leaf.name;
  door.hinge =
      (at_end ? cut.end : cut.start) - closed * (kThickness / 2) + outward * (cut.thickness / 2 + kThickness / 2);
  door.width = width + kThickness / 2;
  door.height = leaf.height;
  door.thickness = kThickness;
  door.closed_angle = angle_of(closed);
  door.open_angle = door.closed_angle + turn * leaf.opens_deg * kPi / 180;
  door.material = leaf.material;
  door.open = leaf.open;
  return door;
}

}  // namespace forerun::atlas
