#include "forerun/mapping/patch.hpp"

#include <algorithm>

namespace forerun::mapping {
namespace {

constexpr double kThinned = 0.04;      // points of one patch are at least about this far apart [m]
constexpr double kEvidenceCell = 0.1;  // [m]

// Points of `from` in the grid of `to`.
void count_points(const Patch& to, const Patch& from, const Pose2& to_from_from, Agreement& agreement) {
  const Transform2 transform(to_from_from);
  const GridFrame& frame = to.evidence.frame();
  for (const SurfacePoint& point : from.points) {
    const Cell middle = frame.cell_of(transform * point.at);
    bool surface = false, border = false;
    for (int y = -2; y <= 2; ++y) {
      for (int x = -2; x <= 2; ++x) {
        const Cell cell{middle.x + x, middle.y + y};
        if (!frame.contains(cell) || to.evidence[cell].ended == 0) continue;
        border = true;
        surface = surface || (std::abs(x) <= 1 && std::abs(y) <= 1);
      }
    }
    const bool free = frame.contains(middle) && to.evidence[middle].passed >= 2;
    if (surface) ++agreement.same;
    // beside a surface nothing is certain
    if (!surface && !border && free) ++agreement.against;
    if (!surface && (border || !free)) ++agreement.unseen;
  }
}

}  // namespace

Patch make_patch(const PlacedSweeps& placed, std::span<const int> members, int anchor, double reach) {
  Patch patch;
  const Pose2 anchor_from_world = inverse(placed.poses[static_cast<std::size_t>(anchor)]);
  std::vector<std::vector<SurfacePoint>> seen;
  Box2 area;
  area.include({0, 0});
  for (const int member : members) {
    const auto i = static_cast<std::size_t>(member);
    const Transform2 anchor_from_robot(anchor_from_world * placed.poses[i]);
    std::vector<SurfacePoint>& points = seen.emplace_back();
    for (const SurfacePoint& point : placed.sweeps[i].points) {
      const SurfacePoint moved = anchor_from_robot * point;
      if (dot(moved.at, moved.at) > square(reach)) continue;
      points.push_back(moved);
      area.include(moved.at);
    }
    area.include(anchor_from_robot * placed.sweeps[i].laser);
    patch.points.insert(patch.points.end(), points.begin(), points.end());
  }
  patch.evidence = Grid<Evidence>(frame_around(area, kEvidenceCell, 0.3));
  for (std::size_t k = 0; k < seen.size(); ++k) {
    const auto i = static_cast<std::size_t>(members[k]);
    add_scan(patch.evidence, (anchor_from_world * placed.poses[i]) * placed.sweeps[i].laser, seen[k]);
  }
  patch.points = thin_out(patch.points, kThinned);
  return patch;
}

Agreement compare(const Patch& a, const Patch& b, const Pose2& a_from_b) {
  Agreement agreement;
  count_points(a, b, a_from_b, agreement);
  count_points(b, a, inverse(a_from_b), agreement);
  return agreement;
}

}  // namespace forerun::mapping
