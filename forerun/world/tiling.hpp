// A rectangular tiling of the plan view (PSS-2) that answers: what may a ray meet, in the order in which it gets there?
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "forerun/geom/box.hpp"
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
  [[nodiscard]] std::span<const std::uint32_t> run(int strip, int low, int high) const noexcept {
    const std::size_t row = static_cast<std::size_t>(strip) * static_cast<std::size_t>(n_tiles);
    const std::uint32_t begin = first[row + static_cast<std::size_t>(low)];
    const std::uint32_t end = first[row + static_cast<std::size_t>(high) + 1];
    return {items.data() + begin, end - begin};
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
};

class Tiling {
 public:
  Tiling() = default;
  // Puts items in order: `corners` holds `n_corners` (2 or 3) for each, its convex outline.
  Tiling(std::span<const Vec2> corners, std::size_t n_corners, const TilingParams& params);

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
  void choose_tile(std::span<const Vec2> corners, std::size_t n_corners, const TilingParams& params);

  Vec2 origin_;
  double tile_ = 1;
  double inverse_tile_ = 1;
  double margin_ = 0;  // items are also listed in tiles that they miss by less than this [m]
  Strips along_x_;
  Strips along_y_;
};

// Calls `visit(items, near, far)` for each strip in the wedge's order, near and far being the strip's distances along the
// axis, and stops beyond `reach`. `visit` returns the new reach. All lengths in tiles.
template <class Visit>
void walk(const Strips& strips, const Wedge& wedge, double reach, Visit&& visit) noexcept {
  const double n_strips = strips.n_strips;
  const double n_tiles = strips.n_tiles;
  // count strips the way the rays run
  const double start = wedge.forward ? wedge.along : n_strips - wedge.along;
  if (!(start < n_strips) || !(start + reach >= 0)) return;
  const int first = start > 0 ? static_cast<int>(start) : 0;
  for (int i = first; i < strips.n_strips; ++i) {
    const double near = std::max(i - start, 0.0);
    if (near > reach) return;
    const double far = i + 1 - start;
    const double low = wedge.across + std::min(wedge.slope_right * near, wedge.slope_right * far);
    const double high = wedge.across + std::max(wedge.slope_left * near, wedge.slope_left * far);
    if (!(high >= 0 && low < n_tiles)) continue;
    const int low_tile = static_cast<int>(std::max(low, 0.0));
    const int high_tile = static_cast<int>(std::min(high, n_tiles - 1));
    const auto items = strips.run(wedge.forward ? i : strips.n_strips - 1 - i, low_tile, high_tile);
    if (!items.empty()) reach = visit(items, near, far);
  }
}

}  // namespace forerun::world
