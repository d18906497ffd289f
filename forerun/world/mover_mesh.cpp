#include "forerun/world/mover.hpp"

namespace forerun::world {

void append_triangles(const Mover& box, std::vector<Triangle>& triangles) {
  const Transform2 world_from_box(box.pose);
  const auto corner = [&](double along, double across, double z) {
    const Vec2 p = world_from_box * Vec2{along * box.half_length, across * box.half_width};
    return Vec3{p.x, p.y, z};
  };
  const auto quad = [&](Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
    triangles.push_back({a, b, c, box.material});
    triangles.push_back({a, c, d, box.material});
  };
  // fronts look outwards
  constexpr double kCorners[5][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}, {1, 1}};
  for (int i = 0; i < 4; ++i) {
    const auto& p = kCorners[i];
    const auto& q = kCorners[i + 1];
    quad(corner(p[0], p[1], box.low), corner(q[0], q[1], box.low), corner(q[0], q[1], box.high),
         corner(p[0], p[1], box.high));
  }
  quad(corner(1, 1, box.high), corner(-1, 1, box.high), corner(-1, -1, box.high), corner(1, -1, box.high));
}

}  // namespace forerun::world
