#include "forerun/world/tiling.hpp"

#include <cmath>

#include "forerun/base/check.hpp"
#include "forerun/world/convex.hpp"

namespace forerun::world {
namespace {

constexpr double kMaxTiles = 1 << 20;     // per world: 8 MB of offsets
constexpr double kMaxEntries = 32 << 20;  // items times tiles they lie in: 256 MB

// One item in one tile.
struct Entry {
  std::uint32_t x;
  std::uint32_t y;
  std::uint32_t item;
};

std::uint32_t to_tile(double x, int n_tiles) noexcept {
  return static_cast<std::uint32_t>(clamp(std::floor(x), 0.0, static_cast<double>(n_tiles - 1)));
}

Box2 box_of(std::span<const Vec2> corners) noexcept {
  Box2 box;
  for (const Vec2 p : corners) box.include(p);
  return box;
}

// `corners` and `margin` are counted in tiles.
void add_entries(std::span<const Vec2> corners, double margin, const Strips& along_x, std::uint32_t item,
                 std::vector<Entry>& entries) {
  const Box2 box = box_of(corners);
  const std::uint32_t low_y = to_tile(box.low.y - margin, along_x.n_tiles);
  const std::uint32_t high_y = to_tile(box.high.y + margin, along_x.n_tiles);
  for (std::uint32_t y = low_y; y <= high_y; ++y) {
    const Interval extent = extent_within(corners, y - margin, y + 1 + margin);
    if (extent.empty()) continue;
    const std::uint32_t high_x = to_tile(extent.high + margin, along_x.n_strips);
    for (std::uint32_t x = to_tile(extent.low - margin, along_x.n_strips); x <= high_x; ++x)
      entries.push_back({x, y, item});
  }
}

// Counting sort by tile; within a tile the items keep their order.
template <class TileOf>
void fill_strips(const std::vector<Entry>& entries, TileOf&& tile_of, Strips& strips) {
  const std::size_t n = static_cast<std::size_t>(strips.n_strips) * static_cast<std::size_t>(strips.n_tiles);
  strips.first.assign(n + 1, 0);
  strips.items.resize(entries.size());
  for (const Entry& e : entries) ++strips.first[tile_of(e) + 1];
  for (std::size_t i = 0; i < n; ++i) strips.first[i + 1] += strips.first[i];
  std::vector<std::uint32_t> next(strips.first.begin(), strips.first.end() - 1);
  for (const Entry& e : entries) strips.items[next[tile_of(e)]++] = e.item;
}

}  // namespace

void Tiling::choose_tile(std::span<const Vec2> corners, std::size_t n_corners, const TilingParams& params) {
  const Box2 box = box_of(corners);
  const Vec2 size = box.size();
  const double extent = std::max(size.x, size.y);
  margin_ = 1e-5 + 1e-7 * extent;
  const double n_items = static_cast<double>(corners.size() / n_corners);
  tile_ = clamp(std::sqrt(size.x * size.y / (params.tiles_per_item * n_items)), params.min_tile, params.max_tile);
  tile_ = std::max({tile_, 4 * margin_, std::sqrt(size.x * size.y / kMaxTiles), extent / kMaxTiles});
  // worlds of many large triangles: fewer tiles rather than endless lists
  for (;; tile_ *= 2) {
    double n_entries = 0;
    for (std::size_t i = 0; i < corners.size(); i += n_corners) {
      const Vec2 part = box_of(corners.subspan(i, n_corners)).size() * (1 / tile_);
      n_entries += (part.x + 1) * (part.y + 1);
    }
    if (n_entries <= kMaxEntries || tile_ > extent) break;
  }
  inverse_tile_ = 1 / tile_;
  origin_ = box.low - Vec2{2 * margin_, 2 * margin_};
  along_x_.n_strips = static_cast<int>((size.x + 4 * margin_) * inverse_tile_) + 1;
  along_x_.n_tiles = static_cast<int>((size.y + 4 * margin_) * inverse_tile_) + 1;
  along_y_.n_strips = along_x_.n_tiles;
  along_y_.n_tiles = along_x_.n_strips;
}

Tiling::Tiling(std::span<const Vec2> corners, std::size_t n_corners, const TilingParams& params) {
  FORERUN_CHECK(n_corners >= 1 && n_corners <= 3 && corners.size() % n_corners == 0);
  if (corners.empty()) return;
  choose_tile(corners, n_corners, params);
  std::vector<Entry> entries;
  Vec2 outline[3];
  for (std::size_t i = 0; i < corners.size(); i += n_corners) {
    for (std::size_t j = 0; j < n_corners; ++j) outline[j] = to_tiles(corners[i + j]);
    add_entries({outline, n_corners}, to_tiles(margin_), along_x_, static_cast<std::uint32_t>(i / n_corners), entries);
  }
  fill_strips(
      entries, [&](const Entry& e) { return std::size_t{e.x} * static_cast<std::size_t>(along_x_.n_tiles) + e.y; },
      along_x_);
  fill_strips(
      entries, [&](const Entry& e) { return std::size_t{e.y} * static_cast<std::size_t>(along_y_.n_tiles) + e.x; },
      along_y_);
}

std::span<const std::uint32_t> Tiling::items_at(Vec2 point) const noexcept {
  const Vec2 p = to_tiles(point);
  if (!(p.x >= 0 && p.x < along_x_.n_strips && p.y >= 0 && p.y < along_x_.n_tiles)) return {};
  const int y = static_cast<int>(p.y);
  return along_x_.run(static_cast<int>(p.x), y, y);
}

}  // namespace forerun::world
