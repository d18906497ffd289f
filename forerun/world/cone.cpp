// The rays of a cone walk through the tiles together. They have one origin, so what a patch looks like from there is
// computed once for all of them.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "forerun/base/check.hpp"
#include "forerun/base/four.hpp"
#include "forerun/base/two.hpp"
#include "forerun/world/face.hpp"
#include "forerun/world/ray_caster.hpp"

namespace forerun::world {
namespace {

constexpr std::size_t kMostTogether = 64;
constexpr double kSlowest =
    0.2;  // along the strips, of a ray that goes with the others; one has 0.7 at least by itself
constexpr std::uint32_t kNothing = ~0u;

Two load(const double* from) noexcept {
  Two two;
  std::memcpy(&two, from, sizeof two);
  return two;
}

struct Range {
  double low = kInfinity;
  double high = -kInfinity;
  void include(double x) noexcept {
    low = std::min(low, x);
    high = std::max(high, x);
  }
};

}  // namespace

// Rays on their way, and what each has found so far. One that is stopped leaves the bundle.
struct RayCaster::Bundle {
  Vec3 origin;
  std::size_t n = 0;
  std::span<Hit> hits;  // of those that have left
  bool along_x = true;
  // one more, because rays go in pairs
  std::array<double, kMostTogether + 1> x, y, z;   // directions
  std::array<double, kMostTogether + 1> distance;  // of the nearest face; at first the farthest allowed
  std::array<std::uint32_t, kMostTogether> nearest;
  std::array<double, kMostTogether> steepness;     // z per length along the strips' axis
  std::array<std::uint8_t, kMostTogether> number;  // as they were given
  Range rise;                                      // per length along the strips' axis
  Range heights;                                   // of the rays within the strip
  Vec2 right, left;                                // the outermost directions in the plan view
  Remembered<64> remembered;

  Bundle(Vec3 from, std::span<const Vec3> directions, double max_distance, std::span<Hit> found) noexcept
      : origin(from), n(directions.size()), hits(found) {
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = directions[i].x;
      y[i] = directions[i].y;
      z[i] = directions[i].z;
      distance[i] = max_distance;
      nearest[i] = kNothing;
      number[i] = static_cast<std::uint8_t>(i);
    }
    along_x = std::fabs(x[0]) >= std::fabs(y[0]);
    for (std::size_t i = 0; i < n; ++i) steepness[i] = z[i] / speed(i);
    close_ranks();
  }

  // What the bundle is, as a whole.
  void close_ranks() noexcept {
    x[n] = y[n] = z[n] = 0;
    right = left = {x[0], y[0]};
    rise = {};
    for (std::size_t i = 0; i < n; ++i) {
      rise.include(steepness[i]);
      if (cross(right, {x[i], y[i]}) < 0) right = {x[i], y[i]};
      if (cross(left, {x[i], y[i]}) > 0) left = {x[i], y[i]};
    }
  }

  // Those that come no farther than this along the strips leave: `done(i)` is called for each before. True where any
  // did.
  template <class Done>
  bool let_go(double far, Done&& done) noexcept {
    std::size_t kept = 0;
    while (kept < n && distance[kept] * speed(kept) > far) ++kept;
    for (std::size_t i = kept; i < n; ++i) {
      if (!(distance[i] * speed(i) > far)) {
        done(i);
        continue;
      }
      x[kept] = x[i];
      y[kept] = y[i];
      z[kept] = z[i];
      distance[kept] = distance[i];
      nearest[kept] = nearest[i];
      steepness[kept] = steepness[i];
      number[kept] = number[i];
      ++kept;
    }
    if (kept == n) return false;
    n = kept;
    close_ranks();
    return true;
  }

  [[nodiscard]] Vec3 direction(std::size_t i) const noexcept { return {x[i], y[i], z[i]}; }
  [[nodiscard]] double speed(std::size_t i) const noexcept { return std::fabs(along_x ? x[i] : y[i]); }
  // Whether all rays run the same way along the strips.
  [[nodiscard]] bool keeps_together() const noexcept {
    const auto& along = along_x ? x : y;
    return std::all_of(along.begin(), along.begin() + static_cast<std::ptrdiff_t>(n),
                       [&](double a) { return std::fabs(a) > kSlowest && (a > 0) == (along[0] > 0); });
  }
  [[nodiscard]] Wedge wedge(Vec2 origin_in_tiles) const noexcept { return {origin_in_tiles, right, left, along_x}; }
  // Whether all rays pass a patch on one side, in the plan view; its corners are seen from the origin.
  [[nodiscard]] bool passes(Vec3 a, Vec3 b, Vec3 c, Vec3 d) const noexcept {
    constexpr double kBeside = 1e-6;  // [m]
    const Two right_x{right.x, left.x}, right_y{right.y, left.y};
    const auto aside = [&](Vec3 p) { return right_x * p.y - right_y * p.x; };
    const Two s = aside(a), t = aside(b), u = aside(c), v = aside(d);
    return greatest(greatest(s, t), greatest(u, v))[0] < -kBeside || least(least(s, t), least(u, v))[1] > kBeside;
  }
  // Of two at the same distance the first in the world is taken, whatever the order of the tiles.
  void offer(std::size_t i, double face_distance, std::uint32_t face) noexcept {
    if (!(face_distance <= distance[i] && face_distance < kInfinity)) return;
    if (face_distance == distance[i] && face > nearest[i]) return;
    distance[i] = face_distance;
    nearest[i] = face;
  }
};

RayCaster::HeightLists RayCaster::list_heights(const Strips& strips) const {
  HeightLists lists;
  // wide enough for what the short numbers lose
  const auto slack = [](double z) { return 1e-6 * (1 + std::fabs(z)); };
  for (const std::uint32_t item : strips.items) {
    const HeightRange& range = heights_[item];
    lists.low.push_back(static_cast<float>(range.low - slack(range.low)));
    lists.high.push_back(static_cast<float>(range.high + slack(range.high)));
  }
  lists.low.insert(lists.low.end(), 3, std::numeric_limits<float>::infinity());
  lists.high.insert(lists.high.end(), 3, -std::numeric_limits<float>::infinity());
  return lists;
}

// The patch is in the way of the rays whose bits are set.
void RayCaster::meet(const Patch& patch, std::uint64_t covered, Bundle& bundle) const noexcept {
  const Face& one = faces_[patch.faces[0]];
  const Face& other = faces_[patch.faces[1]];
  const double one_height = dot(one.normal, one.triangle.a - bundle.origin);
  const double other_height = dot(other.normal, other.triangle.a - bundle.origin);
  const bool same = one.normal == other.normal && one_height == other_height;
  for (; covered != 0; covered &= covered - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(covered));
    const Vec3 direction = bundle.direction(i);
    const double first = distance_to_plane(one_height, dot(one.normal, direction));
    const double second = same ? first : distance_to_plane(other_height, dot(other.normal, direction));
    if (!(std::min(first, second) <= bundle.distance[i])) continue;
    if (first == second) {
      bundle.offer(i, first, patch.faces[0]);
      continue;
    }
    // the halves of slanted patches may differ by a rounding: then it matters which one is met
    const Ray ray{bundle.origin, direction, 0};
    if (covers(one.triangle, ray)) bundle.offer(i, first, patch.faces[0]);
    if (covers(other.triangle, ray)) bundle.offer(i, second, patch.faces[1]);
  }
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

void RayCaster::test(std::span<const std::uint32_t> items, Bundle& bundle) const noexcept {
  const Strips& strips = bundle.along_x ? tiling_.along_x() : tiling_.along_y();
  const HeightLists& lists = bundle.along_x ? heights_along_x_ : heights_along_y_;
  const auto begin = static_cast<std::size_t>(items.data() - strips.items.data());
  const Four low = all_four(bundle.heights.low), high = all_four(bundle.heights.high);
  // no branches: which heights fit and which patches are new is hard to guess
  constexpr std::size_t kAtOnce = 64;
  std::array<std::uint32_t, kAtOnce + 4> chosen;
  for (std::size_t first = begin; first < begin + items.size(); first += kAtOnce) {
    std::size_t n = 0;
    // what is read after the end belongs to other tiles, and does no harm
    for (std::size_t i = first; i < std::min(first + kAtOnce, begin + items.size()); i += 4) {
      const FourBools met = (load_four(&lists.low[i]) <= high) & (load_four(&lists.high[i]) >= low);
      for (std::size_t k = 0; k < 4; ++k) {
        chosen[n] = strips.items[std::min(i + k, strips.items.size() - 1)];
        n += static_cast<std::size_t>(met[k] & 1);
      }
    }
    std::size_t n_new = 0;
    for (std::size_t i = 0; i < n; ++i) {
      chosen[n_new] = chosen[i];
      n_new += bundle.remembered.add(chosen[i]) ? 1 : 0;
    }
    for (std::size_t i = 0; i < n_new; ++i) test(patches_[chosen[i]], bundle);
  }
}

void RayCaster::walk_together(Bundle& bundle) const noexcept {
  const Vec2 origin_in_tiles = tiling_.to_tiles(plan_view(bundle.origin));
  Wedge wedge = bundle.wedge(origin_in_tiles);
  const double margin = tiling_.margin(), slack = tiling_.to_tiles(margin);
  const Strips& strips = bundle.along_x ? tiling_.along_x() : tiling_.along_y();
  const auto keep = [&](std::size_t i) {
    if (bundle.nearest[i] == kNothing) return;
    const Face& face = faces_[bundle.nearest[i]];
    bundle.hits[bundle.number[i]] = {bundle.distance[i], turn_against(face.normal, bundle.direction(i)),
                                     face.triangle.material};
  };
  walk(strips, wedge, [&](const Crossing& at) {
    Range rise;
    for (const double along : {at.near - slack, at.far + slack}) {
      rise.include(bundle.rise.low * tiling_.tile() * along);
      rise.include(bundle.rise.high * tiling_.tile() * along);
    }
    bundle.heights = {bundle.origin.z + rise.low - margin, bundle.origin.z + rise.high + margin};
    test(strips.tiles(at.strip, at.low_tile, at.high_tile), bundle);
    if (bundle.let_go(at.far * tiling_.tile() - margin, keep)) wedge = bundle.wedge(origin_in_tiles);
    return bundle.n > 0;
  });
  static_cast<void>(bundle.let_go(kInfinity, keep));
}

void RayCaster::cast_cone(Vec3 origin, std::span<const Vec3> directions, double max_distance,
                          std::span<Hit> hits) const noexcept {
  FORERUN_CHECK(directions.size() == hits.size());
  if (directions.empty()) return;
  if (directions.size() > kMostTogether) {
    cast_cone(origin, directions.subspan(kMostTogether), max_distance, hits.subspan(kMostTogether));
    return cast_cone(origin, directions.first(kMostTogether), max_distance, hits.first(kMostTogether));
  }
  Bundle bundle(origin, directions, max_distance, hits);
  if (!bundle.keeps_together()) {
    for (std::size_t i = 0; i < hits.size(); ++i) hits[i] = cast({origin, directions[i], max_distance});
    return;
  }
  std::fill(hits.begin(), hits.end(), Hit{});
  walk_together(bundle);
}

}  // namespace forerun::world
