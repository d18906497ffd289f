// Boxes in a tree, eight to a node, that answers: which may a ray come through, the nearest first?
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "forerun/base/four.hpp"
#include "forerun/world/ray.hpp"

namespace forerun::world {

// Empty until something is included.
struct Box3 {
  Vec3 low{kInfinity, kInfinity, kInfinity};
  Vec3 high{-kInfinity, -kInfinity, -kInfinity};

  void include(Vec3 p) noexcept;
  void include(const Box3& box) noexcept;
  [[nodiscard]] Vec3 center() const noexcept { return (low + high) * 0.5; }
  // Half of its surface: the larger, the likelier a ray comes through.
  [[nodiscard]] double area() const noexcept;
};

class BoxTree {
 public:
  BoxTree() = default;
  explicit BoxTree(std::span<const Box3> boxes);

  // Calls `meet(item)` for everything whose box the ray comes through, roughly the nearest first; it says how far the
  // ray still goes, from its origin on. Boxes are taken somewhat too large, so that short numbers do. Allocates
  // nothing.
  template <class Meet>
  void visit(const Ray& ray, Meet&& meet) const noexcept {
    walk(look(ray), ray.max_distance, meet);
  }
  // The same for what some of many rays from one point may come through, with directions between these two.
  struct Cone {
    Vec3 origin;
    Vec3 least, greatest;
    double max_distance = 1e9;  // [m]
  };
  template <class Meet>
  void visit(const Cone& cone, Meet&& meet) const noexcept {
    walk(look(cone), cone.max_distance, meet);
  }
  // Whether short numbers are good for what is seen from here.
  [[nodiscard]] bool is_near(Vec3 point) const noexcept {
    const Vec3 p = point - middle_;
    return std::max({std::fabs(p.x), std::fabs(p.y), std::fabs(p.z)}) <= 2 * half_;
  }

 private:
  static constexpr std::size_t kWide = 8;
  static constexpr std::uint32_t kItem = 1u << 31;     // a child that is no node
  static constexpr std::size_t kMostWaiting = 7 * 50;  // seven a level, of which `split` makes no more
  struct Node {
    std::array<std::array<float, kWide>, 6> sides;  // of all children: along each axis the low ones, then the high ones
    std::array<std::uint32_t, kWide> children{};
    std::array<float, kWide> spare{};  // a power of two is found faster
  };
  struct Builder;
  class Waiting;

  // A ray as the boxes see it.
  struct Look {
    std::array<Four, 3> origin, inverse;  // 1 / direction
    std::array<std::size_t, 3> first;     // the sides that it comes to first
    double skipped;                       // that it goes before it is near the tree [m]

    // How far it goes from there, for short numbers [m].
    [[nodiscard]] float limit(double distance) const noexcept {
      return static_cast<float>((distance - skipped) * (1 + 1e-6) + 1e-5);
    }
    // Children that it comes through, a bit each, and where it enters them: as bits, which order as the numbers do.
    [[nodiscard]] std::uint32_t meet(const Node& node, Four limit,
                                     std::array<std::uint32_t, kWide>& entries) const noexcept;
  };
  // Many rays, as the boxes see them.
  struct WideLook {
    std::array<Four, 3> origin, low_inverse, high_inverse;  // of the least and of the greatest direction
    std::array<int, 3> sign;                                // of all directions; 0: of both signs

    [[nodiscard]] float limit(double distance) const noexcept {
      return static_cast<float>(distance * (1 + 1e-6) + 1e-5);
    }
    [[nodiscard]] std::uint32_t meet(const Node& node, Four limit,
                                     std::array<std::uint32_t, kWide>& entries) const noexcept;
  };
  [[nodiscard]] Look look(const Ray& ray) const noexcept;
  [[nodiscard]] WideLook look(const Cone& cone) const noexcept;
  template <class AnyLook, class Meet>
  void walk(const AnyLook& seen, double max_distance, Meet&& meet) const noexcept;

  std::vector<Node> nodes_;
  Vec3 middle_;
  double half_ = 0;  // of the whole, along its longest side [m]
};

inline BoxTree::Look BoxTree::look(const Ray& ray) const noexcept {
  constexpr float kSlowest = 1e-12F;  // a ray goes so fast along each axis at least
  Vec3 origin = ray.origin - middle_;
  // short numbers are good for what is near
  const double far = std::max({std::fabs(origin.x), std::fabs(origin.y), std::fabs(origin.z)});
  const double skipped = std::max(far - 2 * half_, 0.0);
  if (skipped > 0) origin = origin + ray.direction * skipped;
  const auto speed = [](double x) {
    const auto f = static_cast<float>(x);
    return std::fabs(f) < kSlowest ? std::copysign(kSlowest, f) : f;
  };
  const Vec3& d = ray.direction;
  const Four inverse = 1.0F / Four{speed(d.x), speed(d.y), speed(d.z), 1.0F};
  const auto all = [](float f) { return Four{f, f, f, f}; };
  return {.origin = {all_four(origin.x), all_four(origin.y), all_four(origin.z)},
          .inverse = {all(inverse[0]), all(inverse[1]), all(inverse[2])},
          .first = {inverse[0] < 0 ? 1u : 0u, inverse[1] < 0 ? 3u : 2u, inverse[2] < 0 ? 5u : 4u},
          .skipped = skipped};
}

inline std::uint32_t BoxTree::Look::meet(const Node& node, Four limit,
                                         std::array<std::uint32_t, kWide>& entries) const noexcept {
  std::uint32_t met = 0;
  for (std::size_t i = 0; i < kWide; i += 4) {
    const auto at = [&](std::size_t axis, std::size_t side) {
      return (load_four(&node.sides[side][i]) - origin[axis]) * inverse[axis];
    };
    const Four near = max_four(max_four(at(0, first[0]), at(1, first[1])), max_four(at(2, first[2]), Four{}));
    const Four far = min_four(min_four(at(0, first[0] ^ 1), at(1, first[1] ^ 1)), min_four(at(2, first[2] ^ 1), limit));
    met |= bits_of_four(near <= far) << i;
    std::memcpy(&entries[i], &near, sizeof near);
  }
  return met;
}

// Children that wait for their turn: where they are entered above, their number below. Which one is nearer is hard to
// guess, and whole numbers are sorted without a branch.
class BoxTree::Waiting {
 public:
  // Gives the nearest of those met; the others wait.
  [[nodiscard]] std::uint32_t sort(std::uint32_t met, const std::array<std::uint32_t, kWide>& entries,
                                   const Node& node) noexcept {
    auto i = static_cast<std::size_t>(std::countr_zero(met));
    if ((met &= met - 1) == 0) return node.children[i];
    std::uint64_t nearest = std::uint64_t{entries[i]} << 32 | node.children[i];
    for (; met != 0; met &= met - 1) {
      i = static_cast<std::size_t>(std::countr_zero(met));
      const std::uint64_t other = std::uint64_t{entries[i]} << 32 | node.children[i];
      children_[n_++] = std::max(nearest, other);
      nearest = std::min(nearest, other);
    }
    return static_cast<std::uint32_t>(nearest);
  }
  // The next one that is entered before the ray ends; false where there is none.
  bool next(float limit, std::uint32_t& child) noexcept {
    while (n_ > 0) {
      const std::uint64_t last = children_[--n_];
      const auto bits = static_cast<std::uint32_t>(last >> 32);
      float entry;
      std::memcpy(&entry, &bits, sizeof entry);
      if (entry > limit) continue;
      child = static_cast<std::uint32_t>(last);
      return true;
    }
    return false;
  }

 private:
  std::array<std::uint64_t, kMostWaiting> children_;
  std::size_t n_ = 0;
};

inline BoxTree::WideLook BoxTree::look(const Cone& cone) const noexcept {
  const Vec3 origin = cone.origin - middle_;
  WideLook seen{.origin = {all_four(origin.x), all_four(origin.y), all_four(origin.z)},
                .low_inverse = {},
                .high_inverse = {},
                .sign = {}};
  const auto set = [&](std::size_t axis, double low, double high) {
    constexpr double kSlack = 1e-6;  // what short numbers lose
    low -= kSlack;
    high += kSlack;
    seen.sign[axis] = low > 0 ? 1 : (high < 0 ? -1 : 0);
    if (low == 0) low = -kSlack;  // nothing is divided by 0
    if (high == 0) high = kSlack;
    seen.low_inverse[axis] = all_four(1 / low);
    seen.high_inverse[axis] = all_four(1 / high);
  };
  set(0, cone.least.x, cone.greatest.x);
  set(1, cone.least.y, cone.greatest.y);
  set(2, cone.least.z, cone.greatest.z);
  return seen;
}

inline std::uint32_t BoxTree::WideLook::meet(const Node& node, Four limit,
                                             std::array<std::uint32_t, kWide>& entries) const noexcept {
  std::uint32_t met = 0;
  for (std::size_t i = 0; i < kWide; i += 4) {
    Four near{}, far = limit;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const Four low = load_four(&node.sides[2 * axis][i]) - origin[axis];
      const Four high = load_four(&node.sides[2 * axis + 1][i]) - origin[axis];
      if (sign[axis] == 0) {
        near = max_four(near, max_four(low * high_inverse[axis], high * low_inverse[axis]));
      } else {
        const Four first = sign[axis] > 0 ? low : high, last = sign[axis] > 0 ? high : low;
        near = max_four(near, min_four(first * low_inverse[axis], first * high_inverse[axis]));
        far = min_four(far, max_four(last * low_inverse[axis], last * high_inverse[axis]));
      }
    }
    met |= bits_of_four(near <= far) << i;
    std::memcpy(&entries[i], &near, sizeof near);
  }
  return met;
}

template <class AnyLook, class Meet>
void BoxTree::walk(const AnyLook& seen, double max_distance, Meet&& meet) const noexcept {
  if (nodes_.empty()) return;
  float limit = seen.limit(max_distance);
  Four limits = Four{} + limit;
  Waiting waiting;
  std::uint32_t child = 0;
  do {
    while ((child & kItem) == 0) {
      std::array<std::uint32_t, kWide> entries;
      const std::uint32_t met = seen.meet(nodes_[child], limits, entries);
      if (met == 0) break;
      child = waiting.sort(met, entries, nodes_[child]);
    }
    if ((child & kItem) == 0) continue;  // nothing met there
    limit = seen.limit(meet(child & ~kItem));
    limits = Four{} + limit;
  } while (waiting.next(limit, child));
}

}  // namespace forerun::world
