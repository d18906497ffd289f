// A rectangular tiling of the plan view (PSS-2) that answers: what may a ray meet, in the order in which it gets there?
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "forerun/base/fields.hpp"
#include "forerun/geom/vec.hpp"

namespace forerun::world {

// The tiles in strips side by side along one axis. Neighbours within a strip lie next to each other in memory, so a
// run of tiles costs no more to look up than one.
struct Strips {
  int n_strips = 0;
  int n_tiles = 0;                   // in each strip
  std::vector<std::uint32_t> first;  // index of each tile's first item, and the end
  std::vector<std::uint32_t> items;

  // Everything in tiles `low` to `high` of a strip; an item may occur several times.
  [[nodiscard]] std::span<const std::uint32_t> tiles(int strip, int low, int high) const noexcept {
    const std::size_t row = static_cast<std::size_t>(strip) * static_cast<std::size_t>(n_tiles);
    const std::uint32_t begin = first[row + static_cast<std::size_t>(low)];
    const std::uint32_t end = first[row + static_cast<std::size_t>(high + 1)];
    return {items.data() + begin, end - begin};
  }
};

// Rays from one point that run along the strips' axis, all between two of them. Lengths are in tiles.
struct Wedge {
  double along = 0;       // the origin, counted from the first strip
  double across = 0;      // the origin, counted from the first tile in a strip
  double low_slope = 0;   // across / |along|; the smallest
  double high_slope = 0;  // the largest
  bool forward = true;    // towards growing strips

  // The strips lie along x or along y.
  Wedge(Vec2 origin, Vec2 one_side, Vec2 other_side, bool along_x) noexcept
      : along(along_x ? origin.x : origin.y),
        across(along_x ? origin.y : origin.x),
        forward((along_x ? one_side.x : one_side.y) > 0) {
    aim(one_side, other_side, along_x);
  }
  void aim(Vec2 one_side, Vec2 other_side, bool along_x) noexcept {
    const double one = slope_of(one_side, along_x);
    const double other = slope_of(other_side, along_x);
    low_slope = std::min(one, other);
    high_slope = std::max(one, other);
  }
  static double slope_of(Vec2 direction, bool along_x) noexcept {
    return along_x ? direction.y / std::fabs(direction.x) : direction.x / std::fabs(direction.y);
  }
};

struct TilingParams {
  double tiles_per_item = 2;  // aimed at; more tiles: shorter lists but more steps
  double min_tile = 0.1;      // [m]
  double max_tile = 4.0;      // [m]
};

template <class Visit>
void visit_fields(TilingParams& p, Visit&& visit) {
  visit("tiles_per_item", p.tiles_per_item, Field{0.1, 100, "tiles for each thing that is put into them"});
  visit("min_tile_m", p.min_tile, Field{0.001, 100, "smallest edge of a tile [m]"});
  visit("max_tile_m", p.max_tile, Field{0.001, 1000, "largest edge of a tile [m]"});
}

// A convex outline in the plan view; the last corner may be repeated.
using TiledItem = std::array<Vec2, 4>;

class Tiling {
 public:
  Tiling() = default;
  Tiling(std::span<const TiledItem> items, const TilingParams& params);

  [[nodiscard]] double tile() const noexcept { return tile_; }
  [[nodiscard]] double margin() const noexcept { return margin_; }
  [[nodiscard]] const Strips& along_x() const noexcept { return along_x_; }
  [[nodiscard]] const Strips& along_y() const noexcept { return along_y_; }

  // A point counted in tiles from the low corner.
  [[nodiscard]] Vec2 to_tiles(Vec2 p) const noexcept { return (p - origin_) * inverse_tile_; }
  [[nodiscard]] double to_tiles(double length) const noexcept { return length * inverse_tile_; }
  // What lies at a point; empty outside.
  [[nodiscard]] std::span<const std::uint32_t> items_at(Vec2 point) const noexcept;

 private:
  void choose_tile(std::span<const TiledItem> items, const TilingParams& params);

  Vec2 origin_;
  double tile_ = 1;
  double inverse_tile_ = 1;
  double margin_ = 0;  // items are also listed in tiles that they miss by less than this [m]
  Strips along_x_;
  Strips along_y_;
};

// Items that were met lately, so that one that lies in several tiles is looked at once. Forgets some, which costs time
// but is not wrong.
template <std::size_t kSize>
class Remembered {
 public:
  Remembered() noexcept { items_.fill(~0u); }

  // Whether the item is new; it no longer is.
  bool add(std::uint32_t item) noexcept {
    std::uint32_t& place = items_[item % kSize];
    if (place == item) return false;
    place = item;
    return true;
  }

 private:
  std::array<std::uint32_t, kSize> items_;
};

// Where a wedge crosses a strip.
struct Crossing {
  int strip = 0;
  int low_tile = 0;
  int high_tile = 0;  // below low_tile: the wedge passes beside the tiles
  double near = 0;    // distances of the strip from the origin along the axis, in tiles
  double far = 0;
};

// Calls `visit(crossing)` for each strip in the wedge's order as long as it returns true. It may narrow the wedge.
template <class Visit>
void walk(const Strips& strips, Wedge& wedge, Visit&& visit) noexcept {
  const double n_strips = strips.n_strips;
  const double n_tiles = strips.n_tiles;
  // count strips the way the rays run
  const double start = wedge.forward ? wedge.along : n_strips - wedge.along;
  if (!(start < n_strips)) return;
  for (int i = start > 0 ? static_cast<int>(start) : 0; i < strips.n_strips; ++i) {
    const double near = std::max(i - start, 0.0);
    const double far = i + 1 - start;
    const double low = wedge.across + std::min(wedge.low_slope * near, wedge.low_slope * far);
    const double high = wedge.across + std::max(wedge.high_slope * near, wedge.high_slope * far);
    // one more, so that rounding towards zero rounds down
    const int low_tile = static_cast<int>(clamp(low + 1, 1.0, n_tiles + 1)) - 1;
    const int high_tile = static_cast<int>(clamp(high + 1, 0.0, n_tiles)) - 1;
    if (!visit(Crossing{wedge.forward ? i : strips.n_strips - 1 - i, low_tile, high_tile, near, far})) return;
  }
}

}  // namespace forerun::world
