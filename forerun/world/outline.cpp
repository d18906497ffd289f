#include "forerun/world/outline.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace forerun::world {
namespace {

constexpr double kTileSize = 0.5;  // [m]: a robot's footprint meets a handful of tiles

// The outline of a triangle's part within the band; a wall seen from above is one segment.
void add_segments(const Triangle& t, const HeightBand& band, std::vector<Segment2>& segments) {
  const BandPart polygon = part_within(band, t);
  if (polygon.size() < 2) return;
  const Vec3 normal = cross(t.b - t.a, t.c - t.a);
  if (std::fabs(normal.z) <= 1e-9 * length(normal)) {
    // upright: the two corners farthest apart along the wall
    const Vec2 along{-normal.y, normal.x};
    const auto less = [&](const Vec3& p, const Vec3& q) { return dot(plan_view(p), along) < dot(plan_view(q), along); };
    const auto [first, last] = std::minmax_element(polygon.begin(), polygon.end(), less);
    segments.push_back({plan_view(*first), plan_view(*last)});
    return;
  }
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    segments.push_back({plan_view(polygon[i]), plan_view(polygon[i + 1 < polygon.size() ? i + 1 : 0])});
  }
}

}  // namespace

Outline::Outline(const World& world, const HeightBand& band) {
  std::vector<Segment2> all;
  for (const Triangle& t : world.triangles) {
    add_segments(t, band, all);
  }
  Box2 box;
  for (const Segment2& s : all) {
    box.include(s.a);
    box.include(s.b);
  }
  if (box.empty()) box.include({0, 0});
  tiles_ = {static_cast<int>(box.size().x / kTileSize) + 1, static_cast<int>(box.size().y / kTileSize) + 1, kTileSize,
            box.low};

  // count, then place: the tiles that each segment's bounding box touches
  const auto each_tile = [&](const Segment2& s, auto&& visit) {
    Box2 around;
    around.include(s.a);
    around.include(s.b);
    const Cell low = clamped(around.low), high = clamped(around.high);
    for (int y = low.y; y <= high.y; ++y) {
      for (int x = low.x; x <= high.x; ++x) visit(tiles_.index({x, y}));
    }
  };
  first_.assign(tiles_.size() + 1, 0);
  for (const Segment2& s : all) each_tile(s, [&](std::size_t tile) { ++first_[tile + 1]; });
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  segments_.resize(first_.back());
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (const Segment2& s : all) each_tile(s, [&](std::size_t tile) { segments_[next[tile]++] = s; });
}

Cell Outline::clamped(Vec2 p) const noexcept {
  const Cell c = tiles_.cell_of(p);
  return {clamp(c.x, 0, tiles_.width - 1), clamp(c.y, 0, tiles_.height - 1)};
}

double Outline::distance(Vec2 center, double radius) const noexcept {
  double nearest2 = radius * radius;
  bool found = false;
  for_each_near(center, radius, [&](const Segment2& s) {
    const Vec2 d = nearest_point(s, center) - center;
    const double d2 = dot(d, d);
    if (d2 <= nearest2) {
      nearest2 = d2;
      found = true;
    }
  });
  return found ? sqrt(nearest2) : kInfinity;
}

}  // namespace forerun::world
