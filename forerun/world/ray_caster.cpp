#include "forerun/world/ray_caster.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "forerun/world/face.hpp"

namespace forerun::world {
namespace {

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
  std::uint32_t nearest = kNothing;

  const Vec3* normal = nullptr;
  std::int32_t material = -1;

  // Of two at the same distance the first in the world is taken, whatever the order of the tree.
  void offer(double face_distance, std::uint32_t face, const Patch& patch, const Vec3& face_normal) noexcept {
    if (!(face_distance <= distance && face_distance < kInfinity)) return;
    if (face_distance == distance && face > nearest) return;
    distance = face_distance;
    nearest = face;
    normal = &face_normal;
    material = patch.material;
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
    add_patch(whole ? *whole : std::array<Vec3, 4>{t.a, t.b, t.c, t.c}, i, whole ? i + 1 : i);
    if (whole) ++i;
  }
  std::vector<Box3> boxes;
  for (const Patch& patch : patches_) {
    Box3& box = boxes.emplace_back();
    for (const Vec3 corner : patch.corners) box.include(corner);
  }
  tree_ = BoxTree(boxes);
}

void RayCaster::add_patch(std::array<Vec3, 4> corners, std::uint32_t first, std::uint32_t second) {
  const Face &one = faces_[first], &other = faces_[second];
  std::rotate(corners.begin(), std::find(corners.begin(), corners.end(), one.triangle.a), corners.end());
  const bool one_plane = one.normal == other.normal && one.triangle.a == other.triangle.a;
  patches_.push_back({corners, one.normal, {first, one_plane ? first : second}, one.triangle.material});
}

double RayCaster::distance_to(std::uint32_t face, const Search& search) const noexcept {
  return distance_to_plane(faces_[face].triangle, faces_[face].normal, search.ray);
}

// Halves of slanted patches may differ by a rounding: then it matters which one is met.
void RayCaster::meet_halves(const Patch& patch, Search& search) const noexcept {
  const double first = distance_to(patch.faces[0], search), second = distance_to(patch.faces[1], search);
  if (!(std::min(first, second) <= search.distance)) return;
  for (const std::uint32_t face : patch.faces) {
    if (first != second && !covers(faces_[face].triangle, search.ray)) continue;
    search.offer(face == patch.faces[0] ? first : second, face, patch, faces_[face].normal);
  }
}

Hit RayCaster::cast(const Ray& ray) const noexcept {
  Search search{.ray = ray, .distance = ray.max_distance};
  tree_.visit(ray, [&](std::uint32_t item) {
    const Patch& patch = patches_[item];
    if (!covers(patch.corners, ray)) return search.distance;
    if (patch.faces[0] != patch.faces[1]) {
      meet_halves(patch, search);
      return search.distance;
    }
    const double height = dot(patch.normal, patch.corners[0] - ray.origin);
    search.offer(distance_to_plane(height, dot(patch.normal, ray.direction)), patch.faces[0], patch, patch.normal);
    return search.distance;
  });
  if (search.nearest == kNothing) return {};
  return {search.distance, turn_against(*search.normal, ray.direction), search.material};
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
