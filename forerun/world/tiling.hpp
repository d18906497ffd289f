// A rectangular tiling of the plan view (PSS-2) that answers: what may a ray meet, in the order in which it gets there?
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "forerun/geom/box.hpp"
#include "forerun/geom/vec.hpp"
#include "forerun/world/convex.hpp"

namespace forerun::world {

// The tiles in strips side by side along one axis, each tile in layers one above the other. Neighbours within a strip
// lie next to each other in memory, so a run of tiles, or of layers in one tile, costs no more to look up than one.
struct Strips {
  int n_strips = 0;
  int n_tiles = 0;                   // in each strip
  int n_layers = 1;                  // in each tile
  std::vector<std::uint32_t> first;  // index of the first item in each layer of each tile, and the end
  std::vector<std::uint32_t> items;

  // Everything in tiles `low` to `high` of a strip; an item may occur several times.
  [[nodiscard]] std::span<const std::uint32_t> tiles(int strip, int low, int high) const noexcept {
    return between(index(strip, low), index(strip, high + 1));
  }
  // Everything in layers `low` to `high` of one tile; an item may occur several times.
  [[nodiscard]] std::span<const std::uint32_t> layers(int strip, int tile, int low, int high) const noexcept {
    const std::size_t bottom = index(strip, tile);
    return between(bottom + static_cast<std::size_t>(low), bottom + static_cast<std::size_t>(high) + 1);
  }

 private:
  [[nodiscard]] std::size_t index(int strip, int tile) const noexcept {
    return (static_cast<std::size_t>(strip) * static_cast<std::size_t>(n_tiles) + static_cast<std::size_t>(tile)) *
           static_cast<std::size_t>(n_layers);
  }
  [[nodiscard]] std::span<const std::uint32_t> between(std::size_t begin, std::size_t end) const noexcept {
    return {items.data() + first[begin], first[end] - first[begin]};
  }
};

// Rays from one point that run along the strips' axis, all within two slopes. Lengths are in tiles.
struct Wedge {
  double along = 0;        // the origin, counted from the first strip
  double across = 0;       // the origin, counted from the first tile in a strip
  double slope_right = 0;  // across / along; the smallest
  double slope_left = 0;   // the largest
  bool forward = true;     // towards growing strips
};

struct TilingParams {
  double tiles_per_item = 2;  // aimed at; more tiles: shorter lists but more steps
  double min_tile = 0.1;      // [m]
  double max_tile = 4.0;      // [m]
  int max_layers = 1;         // about as high as tiles are wide
};

// An item's place: its convex outline in the plan view, and its heights.
struct TiledItem {
  std::array<Vec2, 4> corners;  // the last one may be repeated
  Interval heights;
};

class Tiling {
 public:
  Tiling() = default;
  // Puts items in order.
  Tiling(std::span<const TiledItem> items, const TilingParams& params);

  [[nodiscard]] double tile() const noexcept { return tile_; }
  [[nodiscard]] double margin() const noexcept { return margin_; }
  [[nodiscard]] const Strips& along_x() const noexcept { return along_x_; }
  [[nodiscard]] const Strips& along_y() const noexcept { return along_y_; }

  // A point counted in tiles from the low corner.
  [[nodiscard]] Vec2 to_tiles(Vec2 p) const noexcept { return (p - origin_) * inverse_tile_; }
  [[nodiscard]] double to_tiles(double length) const noexcept { return length * inverse_tile_; }
  // The layer at a height; the nearest one above and below all.
  [[nodiscard]] int to_layer(double z) const noexcept {
    return static_cast<int>(clamp((z - bottom_) * inverse_layer_, 0.0, static_cast<double>(along_x_.n_layers - 1)));
  }
  // What lies above and below a point; empty outside.
  [[nodiscard]] std::span<const std::uint32_t> column_at(Vec2 point) const noexcept;

 private:
  void choose_tile(std::span<const TiledItem> items, const TilingParams& params);

  Vec2 origin_;
  double tile_ = 1;
  double inverse_tile_ = 1;
  double bottom_ = 0;
  double inverse_layer_ = 0;
  double margin_ = 0;  // items are also listed in tiles that they miss by less than this [m]
  Strips along_x_;
  Strips along_y_;
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
    const double low = wedge.across + std::min(wedge.slope_right * near, wedge.slope_right * far);
    const double high = wedge.across + std::max(wedge.slope_left * near, wedge.slope_left * far);
    // one more, so that rounding towards zero rounds down
    const int low_tile = static_cast<int>(clamp(low + 1, 1.0, n_tiles + 1)) - 1;
    const int high_tile = static_cast<int>(clamp(high + 1, 0.0, n_tiles)) - 1;
    if (!visit(Crossing{wedge.forward ? i : strips.n_strips - 1 - i, low_tile, high_tile, near, far})) return;
  }
}

}  // namespace forerun::world
