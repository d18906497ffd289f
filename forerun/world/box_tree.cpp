#include "forerun/world/box_tree.hpp"

#include <algorithm>
#include <numeric>

namespace forerun::world {
namespace {

constexpr double kSlack = 4e-6;       // boxes are larger by so much of the world's size …
constexpr double kLeastSlack = 1e-5;  // … and by this [m]
constexpr int kDeepest = 20;          // levels that are split as is best; below that in halves, thirty times at most

double along(Vec3 v, std::size_t axis) noexcept { return axis == 0 ? v.x : (axis == 1 ? v.y : v.z); }

using Items = std::span<std::uint32_t>;

}  // namespace

void Box3::include(Vec3 p) noexcept {
  low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
  high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
}
void Box3::include(const Box3& box) noexcept {
  include(box.low);
  include(box.high);
}
double Box3::area() const noexcept {
  const Vec3 d = high - low;
  return d.x * d.y + d.y * d.z + d.z * d.x;
}

struct BoxTree::Builder {
  BoxTree& tree;
  std::span<const Box3> boxes;
  std::vector<double> areas;

  struct Part {
    Items items;
    Box3 box;
    int depth = 0;
  };

  Part part_of(Items items, int depth) const noexcept {
    Part part{items, {}, depth};
    for (const std::uint32_t i : items) part.box.include(boxes[i]);
    return part;
  }
  void sort(Items items, std::size_t axis) const noexcept {
    std::sort(items.begin(), items.end(), [&](std::uint32_t a, std::uint32_t b) {
      const double x = along(boxes[a].center(), axis), y = along(boxes[b].center(), axis);
      return x < y || (x == y && a < b);
    });
  }
  // Where the two sides are met least often, all along one axis.
  struct Cut {
    double cost = kInfinity;
    std::size_t axis = 0;
    std::size_t n = 0;  // on the first side
  };
  Cut best_cut(Items items, std::size_t axis) {
    sort(items, axis);
    Box3 box;
    for (std::size_t i = items.size(); i-- > 1;) {
      box.include(boxes[items[i]]);
      areas[i] = box.area();
    }
    Cut best;
    box = {};
    for (std::size_t i = 1; i < items.size(); ++i) {
      box.include(boxes[items[i - 1]]);
      const double cost = box.area() * static_cast<double>(i) + areas[i] * static_cast<double>(items.size() - i);
      if (cost < best.cost) best = {cost, axis, i};
    }
    return best;
  }
  std::array<Part, 2> split(const Part& part) {
    Cut best{kInfinity, 0, part.items.size() / 2};
    if (part.depth < kDeepest) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const Cut cut = best_cut(part.items, axis);
        if (cut.cost < best.cost) best = cut;
      }
      sort(part.items, best.axis);
    }
    return {part_of(part.items.first(best.n), part.depth + 1), part_of(part.items.subspan(best.n), part.depth + 1)};
  }

  std::uint32_t build(const Part& whole) {
    const auto number = static_cast<std::uint32_t>(tree.nodes_.size());
    tree.nodes_.emplace_back();
    std::array<Part, kWide> parts{whole};
    std::size_t n = 1;
    while (n < kWide) {
      std::size_t largest = n;
      for (std::size_t i = 0; i < n; ++i) {
        if (parts[i].items.size() > 1 && (largest == n || parts[i].box.area() > parts[largest].box.area())) largest = i;
      }
      if (largest == n) break;
      const auto halves = split(parts[largest]);
      parts[largest] = halves[0];
      parts[n++] = halves[1];
    }
    for (std::size_t i = 0; i < kWide; ++i) {
      put(number, i, i < n ? parts[i].box : Box3{});
      if (i >= n) continue;
      const std::uint32_t child = parts[i].items.size() == 1 ? (parts[i].items[0] | kItem) : build(parts[i]);
      tree.nodes_[number].children[i] = child;
    }
    return number;
  }
  void put(std::uint32_t number, std::size_t i, const Box3& box) const noexcept {
    const double slack = kLeastSlack + kSlack * tree.half_;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      tree.nodes_[number].sides[2 * axis][i] = static_cast<float>(along(box.low - tree.middle_, axis) - slack);
      tree.nodes_[number].sides[2 * axis + 1][i] = static_cast<float>(along(box.high - tree.middle_, axis) + slack);
    }
  }
};

BoxTree::BoxTree(std::span<const Box3> boxes) {
  if (boxes.empty()) return;
  std::vector<std::uint32_t> items(boxes.size());
  std::iota(items.begin(), items.end(), 0u);
  Builder builder{*this, boxes, std::vector<double>(boxes.size())};
  const Builder::Part whole = builder.part_of(items, 0);
  middle_ = whole.box.center();
  const Vec3 size = whole.box.high - whole.box.low;
  half_ = 0.5 * std::max({size.x, size.y, size.z});
  builder.build(whole);
}

}  // namespace forerun::world
