#include "forerun/draw/simplify.hpp"

#include <cstdint>
#include <utility>

#include "forerun/geom/box.hpp"

namespace forerun::draw {

std::vector<Vec2> simplify(std::span<const Vec2> points, double tolerance) {
  if (points.size() < 3) return {points.begin(), points.end()};
  std::vector<std::uint8_t> kept(points.size(), 0);
  kept.front() = kept.back() = 1;
  std::vector<std::pair<std::size_t, std::size_t>> open{{0, points.size() - 1}};
  while (!open.empty()) {
    const auto [first, last] = open.back();
    open.pop_back();
    double farthest = tolerance;
    std::size_t split = 0;
    for (std::size_t i = first + 1; i < last; ++i) {
      const double d = distance(points[i], nearest_point({points[first], points[last]}, points[i]));
      if (d <= farthest) continue;
      farthest = d;
      split = i;
    }
    if (split == 0) continue;
    kept[split] = 1;
    open.push_back({first, split});
    open.push_back({split, last});
  }
  std::vector<Vec2> fewer;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (kept[i] != 0) fewer.push_back(points[i]);
  }
  return fewer;
}

}  // namespace forerun::draw
