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
  void visit(const Ray& ray, Meet&& meet) const noexcept;

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
  [[nodiscard]] Look look(const Ray& ray) const noexcept;

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

template <class Meet>
void BoxTree::visit(const Ray& ray, Meet&& meet) const noexcept {
  if (nodes_.empty()) return;
  const Look seen = look(ray);
  float limit = seen.limit(ray.max_distance);
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
