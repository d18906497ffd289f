#include "forerun/world/tiling.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "forerun/base/random.hpp"

namespace forerun::world {
namespace {

std::vector<TiledItem> random_items(Random& random, int count) {
  std::vector<TiledItem> items;
  for (int i = 0; i < count; ++i) {
    const Vec2 a{random.uniform(-5, 5), random.uniform(-5, 5)};
    const Vec2 b = a + unit_vector(random.uniform(0, kTwoPi)) * random.uniform(0, 3);
    const Vec2 c = a + unit_vector(random.uniform(0, kTwoPi)) * random.uniform(0, 3);
    items.push_back(i % 2 == 0 ? TiledItem{a, b, b, b} : TiledItem{a, b, c, c});
  }
  return items;
}

bool contains(std::span<const std::uint32_t> items, std::size_t item) {
  return std::find(items.begin(), items.end(), static_cast<std::uint32_t>(item)) != items.end();
}

TEST(Tiling, ListsEachItemWhereverItLies) {
  Random random(51);
  const auto items = random_items(random, 200);
  const Tiling tiling(items, {});
  for (std::size_t i = 0; i < items.size(); ++i) {
    for (int k = 0; k < 50; ++k) {
      const double u = random.uniform(), v = random.uniform() * (1 - u);
      const Vec2 p = items[i][0] + (items[i][1] - items[i][0]) * u + (items[i][2] - items[i][0]) * v;
      EXPECT_TRUE(contains(tiling.items_at(p), i));
    }
  }
}

TEST(Tiling, ListsAnItemOnTheBorderOfTilesOnBothSides) {
  // two far corners fix the tiles; the item lies on each of their borders in turn
  for (int k = 1; k < 10; ++k) {
    std::vector<TiledItem> items{{Vec2{0, 0}, {0, 0}, {0, 0}, {0, 0}}, {Vec2{10, 10}, {10, 10}, {10, 10}, {10, 10}}};
    const TilingParams params{.min_tile = 1, .max_tile = 1};
    const Tiling empty(items, params);
    const Vec2 border = Vec2{1.0 * k, 5} - empty.to_tiles({0, 0}) * empty.tile();
    items.push_back({border, border, border, border});
    const Tiling tiling(items, params);
    EXPECT_TRUE(contains(tiling.items_at(border - Vec2{1e-6, 0}), 2));
    EXPECT_TRUE(contains(tiling.items_at(border + Vec2{1e-6, 0}), 2));
  }
}

TEST(Tiling, ListsNothingOutsideAndInAnEmptyOne) {
  Random random(52);
  const Tiling tiling(random_items(random, 20), {});
  EXPECT_TRUE(tiling.items_at({1e3, 0}).empty());
  EXPECT_TRUE(tiling.items_at({0, -1e3}).empty());
  EXPECT_TRUE(Tiling().items_at({0, 0}).empty());
}

TEST(Tiling, MakesFewerTilesRatherThanEndlessLists) {
  // thousands of items, each as large as the world
  std::vector<TiledItem> items(20000, TiledItem{Vec2{0, 0}, {100, 0}, {100, 100}, {0, 100}});
  const Tiling tiling(items, {});
  EXPECT_LT(tiling.along_x().items.size(), 8u << 20);
}

TEST(Tiling, WalksInOrderThroughEveryTileThatAWedgeCrosses) {
  Random random(53);
  const Tiling tiling(random_items(random, 100), {.min_tile = 0.5, .max_tile = 0.5});
  for (int i = 0; i < 2000; ++i) {
    const bool along_x = i % 2 == 0;
    const double middle = random.uniform(-0.7, 0.7) + (along_x ? 0 : kPi / 2) + (i % 4 < 2 ? 0 : kPi);
    const Vec2 one = unit_vector(middle - 0.05), other = unit_vector(middle + 0.05);
    const Vec2 origin{random.uniform(-15, 15), random.uniform(-15, 15)};
    Wedge wedge(tiling.to_tiles(origin), one, other, along_x);
    const Strips& strips = along_x ? tiling.along_x() : tiling.along_y();
    std::vector<Crossing> crossings;
    walk(strips, wedge, [&](const Crossing& at) {
      EXPECT_TRUE(crossings.empty() || at.near >= crossings.back().near);
      crossings.push_back(at);
      return true;
    });
    // points in the wedge
    for (int k = 0; k < 30; ++k) {
      const Vec2 p =
          tiling.to_tiles(origin + unit_vector(middle + random.uniform(-0.05, 0.05)) * random.uniform(0, 20));
      const int strip = static_cast<int>(std::floor(along_x ? p.x : p.y));
      const int tile = static_cast<int>(std::floor(along_x ? p.y : p.x));
      if (strip < 0 || strip >= strips.n_strips || tile < 0 || tile >= strips.n_tiles) continue;
      EXPECT_TRUE(std::any_of(crossings.begin(), crossings.end(), [&](const Crossing& at) {
        return at.strip == strip && at.low_tile <= tile && tile <= at.high_tile;
      }));
    }
  }
}

}  // namespace
}  // namespace forerun::world
