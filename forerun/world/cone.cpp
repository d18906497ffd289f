// The rays of a cone go through the tree of boxes together. They have one origin, so what a patch looks like from there
// is computed once for all of them.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "forerun/base/check.hpp"
#include "forerun/base/two.hpp"
#include "forerun/world/face.hpp"
#include "forerun/world/ray_caster.hpp"

namespace forerun::world {
namespace {

constexpr std::size_t kMostTogether = 64;
constexpr std::uint32_t kNothing = ~0u;

Two load(const double* from) noexcept {
  Two two;
  std::memcpy(&two, from, sizeof two);
  return two;
}

}  // namespace

// Rays on their way, and what each has found so far.
struct RayCaster::Bundle {
  Vec3 origin;
  std::size_t n = 0;
  // one more, because rays go in pairs
  std::array<double, kMostTogether + 1> x, y, z;   // directions
  std::array<double, kMostTogether + 1> distance;  // of the nearest face; at first the farthest allowed
  std::array<std::uint32_t, kMostTogether> nearest;
  Vec2 right, left;  // the outermost directions in the plan view

  Bundle(Vec3 from, std::span<const Vec3> directions, double max_distance) noexcept
      : origin(from), n(directions.size()) {
    right = left = plan_view(directions[0]);
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = directions[i].x;
      y[i] = directions[i].y;
      z[i] = directions[i].z;
      distance[i] = max_distance;
      nearest[i] = kNothing;
      if (cross(right, {x[i], y[i]}) < 0) right = {x[i], y[i]};
      if (cross(left, {x[i], y[i]}) > 0) left = {x[i], y[i]};
    }
    x[n] = y[n] = z[n] = 0;
  }

  [[nodiscard]] Vec3 direction(std::size_t i) const noexcept { return {x[i], y[i], z[i]}; }
  // Whether all rays run the same way along the axis that the first one keeps to.
  [[nodiscard]] bool keeps_together() const noexcept {
    constexpr double kSlowest = 0.2;  // one by itself has 0.7 at least
    const auto& along = std::fabs(x[0]) >= std::fabs(y[0]) ? x : y;
    return std::all_of(along.begin(), along.begin() + static_cast<std::ptrdiff_t>(n),
                       [&](double a) { return std::fabs(a) > kSlowest && (a > 0) == (along[0] > 0); });
  }
  // Between which directions all lie.
  [[nodiscard]] BoxTree::Cone cone(double max_distance) const noexcept {
    BoxTree::Cone cone{origin, direction(0), direction(0), max_distance};
    for (std::size_t i = 1; i < n; ++i) {
      cone.least = {std::min(cone.least.x, x[i]), std::min(cone.least.y, y[i]), std::min(cone.least.z, z[i])};
      cone.greatest = {std::max(cone.greatest.x, x[i]), std::max(cone.greatest.y, y[i]),
                       std::max(cone.greatest.z, z[i])};
    }
    return cone;
  }
  // How far the farthest one still goes.
  [[nodiscard]] double reach() const noexcept {
    return *std::max_element(distance.begin(), distance.begin() + static_cast<std::ptrdiff_t>(n));
  }
  // Whether all rays pass a patch on one side, in the plan view; its corners are seen from the origin.
  [[nodiscard]] bool passes(Vec3 a, Vec3 b, Vec3 c, Vec3 d) const noexcept {
    constexpr double kBeside = 1e-6;  // [m]
    const Two right_x{right.x, left.x}, right_y{right.y, left.y};
    const auto aside = [&](Vec3 p) { return right_x * p.y - right_y * p.x; };
    const Two s = aside(a), t = aside(b), u = aside(c), v = aside(d);
    return greatest(greatest(s, t), greatest(u, v))[0] < -kBeside || least(least(s, t), least(u, v))[1] > kBeside;
  }
  // Of two at the same distance the first in the world is taken, whatever the order of the tree.
  void offer(std::size_t i, double face_distance, std::uint32_t face) noexcept {
    if (!(face_distance <= distance[i] && face_distance < kInfinity)) return;
    if (face_distance == distance[i] && face > nearest[i]) return;
    distance[i] = face_distance;
    nearest[i] = face;
  }
};

// The patch is in the way of the rays whose bits are set.
void RayCaster::meet(const Patch& patch, std::uint64_t covered, Bundle& bundle) const noexcept {
  const double height = dot(patch.normal, patch.corners[0] - bundle.origin);
  for (; covered != 0; covered &= covered - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(covered));
    const Vec3 direction = bundle.direction(i);
    const double first = distance_to_plane(height, dot(patch.normal, direction));
    if (patch.faces[0] == patch.faces[1]) {
      bundle.offer(i, first, patch.faces[0]);
    } else {
      meet_halves(patch, i, first, bundle);
    }
  }
}

// Halves of slanted patches may differ by a rounding: then it matters which one is met.
void RayCaster::meet_halves(const Patch& patch, std::size_t i, double first, Bundle& bundle) const noexcept {
  const Ray ray{bundle.origin, bundle.direction(i), 0};
  const Face &one = faces_[patch.faces[0]], &other = faces_[patch.faces[1]];
  const double second = distance_to_plane(other.triangle, other.normal, ray);
  if (first == second || covers(one.triangle, ray)) bundle.offer(i, first, patch.faces[0]);
  if (first != second && covers(other.triangle, ray)) bundle.offer(i, second, patch.faces[1]);
}

// As `covers` says of each ray.
void RayCaster::test(const Patch& patch, Bundle& bundle) const noexcept {
  const Vec3 a = patch.corners[0] - bundle.origin, b = patch.corners[1] - bundle.origin;
  const Vec3 c = patch.corners[2] - bundle.origin, d = patch.corners[3] - bundle.origin;
  if (bundle.passes(a, b, c, d)) return;
  const Vec3 ab = cross(a, b), bc = cross(b, c), cd = cross(c, d), da = cross(d, a);
  const Two zero{0, 0};
  std::uint64_t covered = 0;
  for (std::size_t i = 0; i < bundle.n; i += 2) {
    const Two x = load(&bundle.x[i]), y = load(&bundle.y[i]), z = load(&bundle.z[i]);
    const auto side_of = [&](Vec3 edge) { return x * edge.x + y * edge.y + z * edge.z; };
    const Two s = side_of(ab), t = side_of(bc), u = side_of(cd), v = side_of(da);
    const TwoBools two = (least(least(s, t), least(u, v)) >= zero) | (greatest(greatest(s, t), greatest(u, v)) <= zero);
    covered |= static_cast<std::uint64_t>((two[0] & 1) | (two[1] & 2)) << i;
  }
  // the one after the last is no ray
  covered &= ~std::uint64_t{0} >> (kMostTogether - bundle.n);
  if (covered != 0) meet(patch, covered, bundle);
}

void RayCaster::cast_cone(Vec3 origin, std::span<const Vec3> directions, double max_distance,
                          std::span<Hit> hits) const noexcept {
  FORERUN_CHECK(directions.size() == hits.size());
  if (directions.empty()) return;
  if (directions.size() > kMostTogether) {
    cast_cone(origin, directions.subspan(kMostTogether), max_distance, hits.subspan(kMostTogether));
    return cast_cone(origin, directions.first(kMostTogether), max_distance, hits.first(kMostTogether));
  }
  Bundle bundle(origin, directions, max_distance);
  if (!bundle.keeps_together() || !tree_.is_near(origin)) {
    for (std::size_t i = 0; i < hits.size(); ++i) hits[i] = cast({origin, directions[i], max_distance});
    return;
  }
  tree_.visit(bundle.cone(max_distance), [&](std::uint32_t item) {
    test(patches_[item], bundle);
    return bundle.reach();
  });
  for (std::size_t i = 0; i < hits.size(); ++i) {
    hits[i] = {};
    if (bundle.nearest[i] == kNothing) continue;
    const Face& face = faces_[bundle.nearest[i]];
    hits[i] = {bundle.distance[i], turn_against(face.normal, directions[i]), face.triangle.material};
  }
}

}  // namespace forerun::world
