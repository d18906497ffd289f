#include "forerun/mapping/surface_index.hpp"

#include <algorithm>

namespace forerun::mapping {

SurfaceIndex::SurfaceIndex(std::span<const SurfacePoint> points, double reach) {
  Box2 area;
  for (const SurfacePoint& point : points) area.include(point.at);
  if (area.empty()) area.include({0, 0});
  frame_.cell_size = reach;
  frame_.origin = area.low - Vec2{reach, reach};
  frame_.width = static_cast<int>(area.size().x / reach) + 3;
  frame_.height = static_cast<int>(area.size().y / reach) + 3;
  // count, then place
  starts_.assign(frame_.size() + 1, 0);
  for (const SurfacePoint& point : points) {
    ++starts_[frame_.index(frame_.cell_of(point.at)) + 1];
  }
  for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
  points_.resize(starts_.back());
  std::vector<std::uint32_t> next(starts_.begin(), starts_.end() - 1);
  for (const SurfacePoint& point : points) {
    points_[next[frame_.index(frame_.cell_of(point.at))]++] = point;
  }
}

const SurfacePoint* SurfaceIndex::nearest(const SurfacePoint& to) const {
  constexpr double kSameWay = 0.5;  // cosine of 60 degrees
  const Cell middle = frame_.cell_of(to.at);
  const SurfacePoint* best = nullptr;
  double best_square = square(frame_.cell_size);
  const int low_x = std::max(0, middle.x - 1), high_x = std::min(frame_.width - 1, middle.x + 1);
  for (int y = std::max(0, middle.y - 1); y <= std::min(frame_.height - 1, middle.y + 1); ++y) {
    if (low_x > high_x) break;
    const std::uint32_t end = starts_[frame_.index({high_x, y}) + 1];
    for (std::uint32_t i = starts_[frame_.index({low_x, y})]; i < end; ++i) {
      const Vec2 d = points_[i].at - to.at;
      const double d_square = dot(d, d);
      if (d_square >= best_square || points_[i].flat != to.flat) continue;
      if (to.flat && dot(points_[i].normal, to.normal) < kSameWay) continue;
      best = &points_[i];
      best_square = d_square;
    }
  }
  return best;
}

}  // namespace forerun::mapping
