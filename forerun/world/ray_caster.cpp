#include "forerun/world/ray_caster.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "forerun/world/face.hpp"

namespace forerun::world {
namespace {

// Rays steeper than this stay within one tile however long they are.
constexpr double kVertical = 1e-12;
constexpr std::uint32_t kNothing = ~0u;

// The four corners in order where `second` continues `first` beyond one of its edges, in the same plane, to something
// convex.
std::optional<std::array<Vec3, 4>> join_halves(const Triangle& first, const Triangle& second) noexcept {
  if (first.material != second.material) return std::nullopt;
  const Vec3 normal = unit_normal(first);
  const Vec3 turn = unit_normal(second) - normal;
  if (dot(turn, turn) > square(1e-9)) return std::nullopt;
  const std::array<Vec3, 3> p{first.a, first.b, first.c};
  const std::array<Vec3, 3> q{second.a, second.b, second.c};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      // the edge from p[i] to its successor runs the other way round in q
      if (!(p[i] == q[(j + 1) % 3] && p[(i + 1) % 3] == q[j])) continue;
      const std::array<Vec3, 4> corners{p[i], q[(j + 2) % 3], p[(i + 1) % 3], p[(i + 2) % 3]};
      for (std::size_t k = 0; k < 4; ++k) {
        const Vec3 edge = corners[(k + 1) % 4] - corners[k];
        const Vec3 next = corners[(k + 2) % 4] - corners[(k + 1) % 4];
        if (!(dot(cross(edge, next), normal) > 0)) return std::nullopt;
      }
      return corners;
    }
  }
  return std::nullopt;
}

}  // namespace

// What has been found so far on one ray.
struct RayCaster::Search {
  const Ray& ray;
  double distance;  // of the nearest face; at first the farthest allowed
  double low = 0;   // range of z within the strip
  double high = 0;
  std::uint32_t nearest = kNothing;
  Remembered<16> remembered;

  // Of two at the same distance the first in the world is taken, whatever the order of the tiles.
  void offer(double face_distance, std::uint32_t face) noexcept {
    if (!(face_distance <= distance && face_distance < kInfinity)) return;
    if (face_distance == distance && face > nearest) return;
    distance = face_distance;
    nearest = face;
  }
};

RayCaster::RayCaster(const World& world) {
  for (const Triangle& t : world.triangles) {
    const Vec3 normal = unit_normal(t);
    if (!(normal == Vec3{})) faces_.push_back({t, normal});
  }
  for (std::uint32_t i = 0; i < faces_.size(); ++i) {
    const Triangle& t = faces_[i].triangle;
    // programs that make quadrangles write both halves one after the other
    const auto whole = i + 1 < faces_.size() ? join_halves(t, faces_[i + 1].triangle) : std::nullopt;
    add_patch(whole ? Patch{*whole, {i, i + 1}} : Patch{{t.a, t.b, t.c, t.c}, {i, i}});
    if (whole) ++i;
  }
  std::vector<TiledItem> items;
  for (const Patch& patch : patches_) {
    TiledItem& item = items.emplace_back();
    std::transform(patch.corners.begin(), patch.corners.end(), item.begin(), plan_view);
  }
  tiling_ = Tiling(items, {.tiles_per_item = 1});
  heights_along_x_ = list_heights(tiling_.along_x());
  heights_along_y_ = list_heights(tiling_.along_y());
}

void RayCaster::add_patch(const Patch& patch) {
  patches_.push_back(patch);
  HeightRange& range = heights_.emplace_back();
  for (const Vec3 corner : patch.corners) {
    range.low = std::min(range.low, corner.z);
    range.high = std::max(range.high, corner.z);
  }
}

double RayCaster::distance_to(std::uint32_t face, const Search& search) const noexcept {
  return distance_to_plane(faces_[face].triangle, faces_[face].normal, search.ray);
}

void RayCaster::test(std::span<const std::uint32_t> items, Search& search) const noexcept {
  for (const std::uint32_t item : items) {
    const HeightRange& range = heights_[item];
    if (range.low > search.high || range.high < search.low) continue;
    if (!search.remembered.add(item)) continue;
    const Patch& patch = patches_[item];
    if (!covers(patch.corners, search.ray)) continue;
    const double first = distance_to(patch.faces[0], search);
    const double second = distance_to(patch.faces[1], search);
    if (!(std::min(first, second) <= search.distance)) continue;
    if (first == second) {
      search.offer(first, patch.faces[0]);
      continue;
    }
    // the halves of slanted patches may differ by a rounding: then it matters which one is met
    for (const std::uint32_t face : patch.faces)
      if (covers(faces_[face].triangle, search.ray)) search.offer(distance_to(face, search), face);
  }
}

Hit RayCaster::cast(const Ray& ray) const noexcept {
  Search search{.ray = ray, .distance = ray.max_distance, .remembered = {}};
  const Vec2 direction = plan_view(ray.direction);
  const Vec2 size = {std::fabs(direction.x), std::fabs(direction.y)};
  const bool along_x = size.x >= size.y;
  const double speed = along_x ? size.x : size.y;
  if (speed < kVertical) {
    search.low = -kInfinity;
    search.high = kInfinity;
    test(tiling_.items_at(plan_view(ray.origin)), search);
  } else {
    const Vec2 origin = tiling_.to_tiles(plan_view(ray.origin));
    Wedge wedge(origin, direction, direction, along_x);
    const double margin = tiling_.margin();
    const double slack = tiling_.to_tiles(margin);
    const double rise = ray.direction.z / speed * tiling_.tile();  // per tile
    const Strips& strips = along_x ? tiling_.along_x() : tiling_.along_y();
    walk(strips, wedge, [&](const Crossing& at) {
      const double z_near = ray.origin.z + rise * (at.near - slack);
      const double z_far = ray.origin.z + rise * (at.far + slack);
      search.low = std::min(z_near, z_far) - margin;
      search.high = std::max(z_near, z_far) + margin;
      test(strips.tiles(at.strip, at.low_tile, at.high_tile), search);
      return search.distance * speed + margin > at.far * tiling_.tile();
    });
  }
  if (search.nearest == kNothing) return {};
  const Face& face = faces_[search.nearest];
  return {search.distance, turn_against(face.normal, ray.direction), face.triangle.material};
}

Hit cast_by_brute_force(const World& world, const Ray& ray) noexcept {
  Hit hit;
  for (const Triangle& t : world.triangles) {
    if (!covers(t, ray)) continue;
    const Vec3 normal = unit_normal(t);
    if (normal == Vec3{}) continue;
    const double distance = distance_to_plane(t, normal, ray);
    if (distance <= ray.max_distance && distance < hit.distance)
      hit = {distance, turn_against(normal, ray.direction), t.material};
  }
  return hit;
}

}  // namespace forerun::world
