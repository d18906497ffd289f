#include "forerun/world/ray_caster.hpp"

#include <algorithm>

#include "forerun/world/face.hpp"

namespace forerun::world {
namespace {

// Rays steeper than this stay within one tile however long they are.
constexpr double kVertical = 1e-12;

}  // namespace

// What has been found so far on one ray.
struct RayCaster::Search {
  RayView view;
  double distance;  // of the nearest face, at first the farthest allowed
  const Face* nearest = nullptr;
};

RayCaster::RayCaster(const World& world) {
  std::vector<TiledItem> items;
  for (const Triangle& t : world.triangles) {
    const Vec3 normal = unit_normal(t);
    if (normal == Vec3{}) continue;
    faces_.push_back({t, normal});
    items.push_back({{plan_view(t.a), plan_view(t.b), plan_view(t.c)},
                     {std::min({t.a.z, t.b.z, t.c.z}), std::max({t.a.z, t.b.z, t.c.z})}});
  }
  tiling_ = Tiling(items, {.tiles_per_item = 0.5, .max_layers = 16});
}

void RayCaster::test(std::span<const std::uint32_t> items, Search& search) const noexcept {
  for (const std::uint32_t item : items) {
    const Face& face = faces_[item];
    if (!covers(search.view, face.triangle)) continue;
    const double distance = distance_to_plane(search.view, face.triangle, face.normal);
    if (!(distance <= search.distance)) continue;
    // of two at the same distance the first in the world, whatever the order of the tiles
    if (distance == search.distance && search.nearest != nullptr && search.nearest <= &face) continue;
    search.distance = distance;
    search.nearest = &face;
  }
}

Hit RayCaster::cast(const Ray& ray) const noexcept {
  Search search{.view = {ray.origin, ray.direction}, .distance = ray.max_distance};
  const Vec2 direction = plan_view(ray.direction);
  const Vec2 size = {std::fabs(direction.x), std::fabs(direction.y)};
  const bool along_x = size.x >= size.y;
  const double speed = along_x ? size.x : size.y;
  if (speed < kVertical) {
    test(tiling_.column_at(plan_view(ray.origin)), search);
  } else {
    const Vec2 origin = tiling_.to_tiles(plan_view(ray.origin));
    const double slope = along_x ? direction.y / size.x : direction.x / size.y;
    Wedge wedge{.along = along_x ? origin.x : origin.y,
                .across = along_x ? origin.y : origin.x,
                .slope_right = slope,
                .slope_left = slope,
                .forward = (along_x ? direction.x : direction.y) > 0};
    const double margin = tiling_.margin();
    const double rise = ray.direction.z / speed * tiling_.tile();  // per tile
    const double slack = tiling_.to_tiles(margin);
    const Strips& strips = along_x ? tiling_.along_x() : tiling_.along_y();
    walk(strips, wedge, [&](const Crossing& at) {
      const double z_near = ray.origin.z + rise * (at.near - slack);
      const double z_far = ray.origin.z + rise * (at.far + slack);
      const int low = tiling_.to_layer(std::min(z_near, z_far));
      const int high = tiling_.to_layer(std::max(z_near, z_far));
      for (int tile = at.low_tile; tile <= at.high_tile; ++tile) test(strips.layers(at.strip, tile, low, high), search);
      return search.distance * speed + margin > at.far * tiling_.tile();
    });
  }
  if (search.nearest == nullptr) return {};
  return {search.distance, turn_against(search.nearest->normal, ray.direction), search.nearest->triangle.material};
}

Hit cast_by_brute_force(const World& world, const Ray& ray) noexcept {
  const RayView view(ray.origin, ray.direction);
  Hit hit;
  for (const Triangle& t : world.triangles) {
    if (!covers(view, t)) continue;
    const Vec3 normal = unit_normal(t);
    if (normal == Vec3{}) continue;
    const double distance = distance_to_plane(view, t, normal);
    if (!(distance <= ray.max_distance && distance < hit.distance)) continue;
    hit = {distance, turn_against(normal, ray.direction), t.material};
  }
  return hit;
}

}  // namespace forerun::world
