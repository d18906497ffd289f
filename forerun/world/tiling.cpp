#include "forerun/world/tiling.hpp"

#include <cmath>

#include "forerun/geom/box.hpp"
#include "forerun/world/convex.hpp"

namespace forerun::world {
namespace {

constexpr double kMaxTiles = 1 << 20;    // of a world: 4 MB of offsets for each axis
constexpr double kMaxEntries = 8 << 20;  // items times tiles that they lie in: 0.2 GB while sorting

// One item in one tile.
struct Entry {
  std::uint32_t x;
  std::uint32_t y;
  std::uint32_t item;
};

std::uint32_t to_tile(double x, int n_tiles) noexcept {
  return static_cast<std::uint32_t>(clamp(std::floor(x), 0.0, static_cast<double>(n_tiles - 1)));
}

Box2 box_of(const TiledItem& item) noexcept {
  Box2 box;
  for (const Vec2 p : item) box.include(p);
  return box;
}

// Counting sort by tile; items of one tile keep their order.
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

void Tiling::choose_tile(std::span<const TiledItem> items, const TilingParams& params) {
  Box2 box;
  for (const TiledItem& item : items)
    for (const Vec2 p : item) box.include(p);
  const Vec2 size = box.size();
  const double extent = std::max(size.x, size.y);
  margin_ = 1e-5 + 1e-7 * extent;
  const double n_aimed_at = params.tiles_per_item * static_cast<double>(items.size());
  tile_ = clamp(std::sqrt(size.x * size.y / n_aimed_at), params.min_tile, params.max_tile);
  tile_ = std::max({tile_, 4 * margin_, std::sqrt(size.x * size.y / kMaxTiles), extent / kMaxTiles});
  // worlds of many large items: fewer tiles rather than endless lists
  for (; tile_ < extent; tile_ *= 2) {
    double n_entries = 0;
    for (const TiledItem& item : items) {
      const Vec2 part = box_of(item).size() * (1 / tile_);
      n_entries += (part.x + 1) * (part.y + 1);
    }
    if (n_entries <= kMaxEntries) break;
  }
  inverse_tile_ = 1 / tile_;
  origin_ = box.low - Vec2{2 * margin_, 2 * margin_};
  along_x_.n_strips = along_y_.n_tiles = static_cast<int>((size.x + 4 * margin_) * inverse_tile_) + 1;
  along_x_.n_tiles = along_y_.n_strips = static_cast<int>((size.y + 4 * margin_) * inverse_tile_) + 1;
}

Tiling::Tiling(std::span<const TiledItem> items, const TilingParams& params) {
  if (items.empty()) return;
  choose_tile(items, params);
  const double margin = to_tiles(margin_);
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < items.size(); ++i) {
    TiledItem outline = items[i];
    for (Vec2& p : outline) p = to_tiles(p);
    const Box2 box = box_of(outline);
    const std::uint32_t high_y = to_tile(box.high.y + margin, along_x_.n_tiles);
    for (std::uint32_t y = to_tile(box.low.y - margin, along_x_.n_tiles); y <= high_y; ++y) {
      const Interval extent = extent_within(outline, y - margin, y + 1 + margin);
      if (extent.empty()) continue;
      const std::uint32_t high_x = to_tile(extent.high + margin, along_x_.n_strips);
      for (std::uint32_t x = to_tile(extent.low - margin, along_x_.n_strips); x <= high_x; ++x)
        entries.push_back({x, y, static_cast<std::uint32_t>(i)});
    }
  }
  const auto n_x = static_cast<std::size_t>(along_x_.n_strips);
  const auto n_y = static_cast<std::size_t>(along_x_.n_tiles);
  fill_strips(
      entries, [&](const Entry& e) { return e.x * n_y + e.y; }, along_x_);
  fill_strips(
      entries, [&](const Entry& e) { return e.y * n_x + e.x; }, along_y_);
}

std::span<const std::uint32_t> Tiling::items_at(Vec2 point) const noexcept {
  const Vec2 p = to_tiles(point);
  if (!(p.x >= 0 && p.x < along_x_.n_strips && p.y >= 0 && p.y < along_x_.n_tiles)) return {};
  const int y = static_cast<int>(p.y);
  return along_x_.tiles(static_cast<int>(p.x), y, y);
}

}  // namespace forerun::world
