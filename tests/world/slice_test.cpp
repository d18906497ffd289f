#include <gtest/gtest.h>

#include <vector>

#include "forerun/world/cut.hpp"
#include "forerun/world/fan.hpp"
#include "forerun/world/ray_caster.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/random_worlds.hpp"
#include "tests/support/small_worlds.hpp"

namespace forerun::world {
namespace {

constexpr double kHeight = 0.4;

std::vector<Hit> cast_fan(const Slice& slice, const Fan& fan, std::size_t n_beams) {
  std::vector<Hit> hits(n_beams);
  slice.cast_fan(fan, hits);
  return hits;
}

std::vector<Vec2> directions_of(const Fan& fan, std::size_t n_beams) {
  std::vector<Vec2> directions;
  for (std::size_t start = 0; start < n_beams; start += kFanBlock) {
    std::vector<double> x(std::min(kFanBlock, n_beams - start)), y(x.size());
    fan_directions(fan, start, x, y);
    for (std::size_t i = 0; i < x.size(); ++i) directions.push_back({x[i], y[i]});
  }
  return directions;
}

// Casts the fan and each of its beams alone: the answers must be the same to the bit.
void expect_beams_alike(const Slice& slice, const Fan& fan, std::size_t n_beams) {
  const std::vector<Hit> hits = cast_fan(slice, fan, n_beams);
  const std::vector<Vec2> directions = directions_of(fan, n_beams);
  for (std::size_t i = 0; i < n_beams; ++i) {
    const Hit alone = slice.cast(fan.origin, directions[i], fan.max_distance);
    ASSERT_EQ(hits[i].distance, alone.distance) << "beam " << i << " of " << n_beams;
    ASSERT_EQ(hits[i].found(), hits[i].material >= 0);
  }
}

TEST(Cut, MakesOnePieceOfTheTwoHalvesOfAWall) {
  const World room = make_room({-1, -2}, {3, 4});
  EXPECT_EQ(cut(room, 1).size(), 8u);
  const auto pieces = join(cut(room, 1));
  ASSERT_EQ(pieces.size(), 4u);
  double around = 0;
  for (const CutSegment& piece : pieces) around += distance(piece.line.a, piece.line.b);
  EXPECT_DOUBLE_EQ(around, 20);
}

TEST(Cut, KeepsPiecesOfOtherMaterialsAndBeyondGapsApart) {
  World world;
  for (const double start : {0.0, 1.0, 3.0})
    world.triangles.push_back({{start, 0, 0}, {start + 1, 0, 0}, {start + 0.5, 0, 5}, start == 1 ? 1 : 0});
  // at the foot they touch, but the middle one is of another material, and the last one stands apart
  EXPECT_EQ(join(cut(world, 0)).size(), 3u);
  world.triangles[1].material = 0;
  EXPECT_EQ(join(cut(world, 0)).size(), 2u);
}

TEST(Cut, HasTheFrontOfASurfaceToTheRight) {
  Random random(1);
  for (const CutSegment& piece : cut(random_triangles(random, 300), 1.5)) {
    const Vec2 along = piece.line.b - piece.line.a;
    EXPECT_LT(cross(along, plan_view(piece.normal)), 0);
  }
}

TEST(Cut, LeavesOutWhatLiesInThePlane) {
  World world;
  world.triangles.push_back({{0, 0, 1}, {1, 0, 1}, {0, 1, 1}, 0});
  EXPECT_TRUE(cut(world, 1).empty());
}

TEST(FanDirections, StayExactOverAThousandBeams) {
  const Fan fan{.origin = {}, .first_angle = 2.5, .angle_step = 0.0043633};
  const auto directions = directions_of(fan, 1440);
  for (std::size_t i = 0; i < directions.size(); ++i) {
    const Vec2 exact = unit_vector(fan.first_angle + static_cast<double>(i) * fan.angle_step);
    EXPECT_NEAR(directions[i].x, exact.x, 1e-14);
    EXPECT_NEAR(directions[i].y, exact.y, 1e-14);
  }
}

TEST(Slice, FindsDistanceNormalAndMaterial) {
  World room = make_room({0, 0}, {5, 4});
  for (Triangle& t : room.triangles) t.material = 7;
  const Slice slice(room, kHeight);
  const Hit hit = slice.cast({1, 1}, {1, 0}, 100);
  EXPECT_DOUBLE_EQ(hit.distance, 4);
  EXPECT_EQ(hit.normal, (Vec3{-1, 0, 0}));
  EXPECT_EQ(hit.material, 7);
}

TEST(Slice, SeesTheSlopeOfASurface) {
  World world;
  world.triangles.push_back({{2, -5, 0}, {2, 5, 0}, {4, 0, 2}, 0});
  const Hit hit = Slice(world, 1).cast({0, 0}, {1, 0}, 100);
  EXPECT_DOUBLE_EQ(hit.distance, 3);
  EXPECT_NEAR(hit.normal.x, -std::sqrt(0.5), 1e-15);
  EXPECT_NEAR(hit.normal.z, std::sqrt(0.5), 1e-15);
}

TEST(Slice, SeesABoxUpToItsTopAndNotAbove) {
  World world = make_room({-5, -5}, {5, 5});
  add_box(world, {2, 0, 0}, {1, 1}, 0.5);
  EXPECT_DOUBLE_EQ(Slice(world, 0.5).cast({0, 0}, {1, 0}, 100).distance, 1.5);
  EXPECT_DOUBLE_EQ(Slice(world, 0.500001).cast({0, 0}, {1, 0}, 100).distance, 5);
}

TEST(Slice, KeepsToTheMaximumDistance) {
  const Slice slice(make_room({-2, -2}, {2, 2}), kHeight);
  EXPECT_FALSE(slice.cast({0, 0}, {1, 0}, 1.999).found());
  EXPECT_EQ(slice.cast({0, 0}, {1, 0}, 2).distance, 2);
  EXPECT_FALSE(slice.cast({0, 0}, {1, 0}, 0).found());
  const Fan fan{.origin = {}, .first_angle = 0, .angle_step = kTwoPi / 360, .max_distance = 2.5};
  for (const Hit& hit : cast_fan(slice, fan, 360)) EXPECT_TRUE(!hit.found() || hit.distance <= 2.5 + 1e-12);
  EXPECT_FALSE(cast_fan(slice, fan, 360)[45].found());
  EXPECT_TRUE(cast_fan(slice, fan, 360)[0].found());
}

TEST(Slice, FindsNothingWhereNothingIs) {
  const Slice empty(World{}, kHeight);
  EXPECT_FALSE(empty.cast({0, 0}, {0, 1}, 100).found());
  for (const Hit& hit : cast_fan(empty, {.origin = {}, .angle_step = 0.1}, 100)) EXPECT_FALSE(hit.found());
  const Slice above(make_room({0, 0}, {5, 4}), 3);
  EXPECT_FALSE(above.cast({1, 1}, {0, 1}, 100).found());
}

TEST(Slice, LetsNoBeamThroughTheCornersOfARoom) {
  const Slice slice(turned(make_room({-2, -2}, {2, 2}), 0.123), kHeight);
  Random random(2);
  for (int i = 0; i < 2000; ++i) {
    const Vec2 origin{random.uniform(-1, 1), random.uniform(-1, 1)};
    for (int corner = 0; corner < 4; ++corner) {
      const Vec2 target = unit_vector(0.123 + kPi / 4 + corner * kPi / 2) * std::sqrt(8);
      const Hit hit = slice.cast(origin, unit_vector(angle_of(target - origin)), 100);
      EXPECT_NEAR(hit.distance, distance(origin, target), 1e-7);
    }
  }
}

TEST(Slice, AgreesWithTheRayCaster) {
  Random random(3);
  for (int round = 0; round < 6; ++round) {
    const World world = round % 2 == 0 ? random_rooms(random, 100) : random_triangles(random, 300);
    const double height = round % 2 == 0 ? kHeight : 1.4;
    const RayCaster caster(world);
    const Slice slice(world, height);
    for (int i = 0; i < 3000; ++i) {
      const Vec2 origin{random.uniform(-12, 12), random.uniform(-12, 12)};
      const Vec2 direction = unit_vector(random.uniform(0, kTwoPi));
      const double farthest = i % 3 == 0 ? random.uniform(0, 8) : 1e9;
      const Hit flat = slice.cast(origin, direction, farthest);
      const Hit full = caster.cast({{origin.x, origin.y, height}, {direction.x, direction.y, 0}, farthest});
      ASSERT_EQ(flat.found(), full.found());
      if (!flat.found()) continue;
      EXPECT_NEAR(flat.distance, full.distance, 1e-9);
      EXPECT_NEAR(length(flat.normal - full.normal), 0, 1e-9);
      EXPECT_EQ(flat.material, full.material);
    }
  }
}

TEST(Slice, CastsAFanAsItsBeamsOneByOne) {
  Random random(4);
  for (int round = 0; round < 4; ++round) {
    const Slice slice(round % 2 == 0 ? random_rooms(random, 150) : random_triangles(random, 400), 0.7);
    for (const std::size_t n : {1u, 2u, 7u, 24u, 180u, 360u, 513u, 1440u}) {
      for (int i = 0; i < 20; ++i) {
        const double opening = i % 3 == 0 ? kTwoPi : random.uniform(0.1, kTwoPi);
        expect_beams_alike(slice,
                           {.origin = {random.uniform(-12, 12), random.uniform(-12, 12)},
                            .first_angle = random.uniform(-10, 10),
                            .angle_step = (i % 4 == 0 ? -opening : opening) / static_cast<double>(n),
                            .max_distance = i % 2 == 0 ? 1e9 : random.uniform(0.1, 10)},
                           n);
      }
    }
  }
}

TEST(Slice, CastsFansOfAnySpacing) {
  Random random(5);
  const Slice slice(random_rooms(random, 100), kHeight);
  for (const double step : {0.0, 1e-12, 1e-8, 1e-6, 1e-3, 0.2, 0.39, 0.41, 0.8, 0.81, 1.5, 3.0, 6.2, 12.0}) {
    expect_beams_alike(slice, {.origin = {0.3, 0.2}, .first_angle = 0.1, .angle_step = step}, 40);
    expect_beams_alike(slice, {.origin = {0.3, 0.2}, .first_angle = 0.1, .angle_step = -step}, 40);
  }
}

TEST(Slice, FindsAllBeamsOfSmallThings) {
  Random random(8);
  World world;
  for (int i = 0; i < 4000; ++i) {
    const Vec2 p{random.uniform(-10, 10), random.uniform(-10, 10)};
    const Vec2 q = p + unit_vector(random.uniform(0, kTwoPi)) * random.uniform(0, 0.05);
    world.triangles.push_back({{p.x, p.y, 0}, {q.x, q.y, 0}, {q.x, q.y, 1}, 0});
  }
  const Slice slice(world, 0);
  // as wide as beams are swept together, with as many of them as possible
  for (int i = 0; i < 300; ++i)
    expect_beams_alike(slice, {.origin = {}, .first_angle = random.uniform(0, kTwoPi), .angle_step = 0.8 / 511}, 512);
}

TEST(Slice, CastsFansThatLookExactlyAlongAxesWallsAndCorners) {
  World world = make_room({-4, -4}, {4, 4});
  for (int x = -3; x <= 3; x += 2)
    for (int y = -3; y <= 3; y += 2) add_box(world, {1.0 * x, 1.0 * y, 0}, {1, 1}, 1);
  const Slice slice(world, kHeight);
  for (double x = -5; x <= 5; x += 0.5)
    for (double y = -5; y <= 5; y += 0.5)
      expect_beams_alike(slice, {.origin = {x, y}, .first_angle = 0, .angle_step = kPi / 4}, 8);
}

TEST(Slice, CastsFansAsTheRayCasterCastsTheirBeams) {
  Random random(6);
  const World world = random_rooms(random, 120);
  const RayCaster caster(world);
  const Slice slice(world, kHeight);
  for (int i = 0; i < 40; ++i) {
    const Fan fan{.origin = {random.uniform(-11, 11), random.uniform(-11, 11)},
                  .first_angle = random.uniform(0, kTwoPi),
                  .angle_step = kTwoPi / 360};
    const auto hits = cast_fan(slice, fan, 360);
    const auto directions = directions_of(fan, 360);
    for (std::size_t b = 0; b < hits.size(); ++b) {
      const Hit full = caster.cast({{fan.origin.x, fan.origin.y, kHeight}, {directions[b].x, directions[b].y, 0}});
      ASSERT_EQ(hits[b].found(), full.found());
      if (!full.found()) continue;
      EXPECT_NEAR(hits[b].distance, full.distance, 1e-9);
      EXPECT_NEAR(length(hits[b].normal - full.normal), 0, 1e-9);
      EXPECT_EQ(hits[b].material, full.material);
    }
  }
}

TEST(Slice, TakesNothingFromTheHeap) {
  Random random(7);
  const Slice slice(random_rooms(random, 120), kHeight);
  std::vector<Hit> hits(1440);
  const AllocationCounter counter;
  slice.cast_fan({.origin = {0.1, 0.2}, .angle_step = kTwoPi / 1440}, hits);
  hits[0] = slice.cast({0.1, 0.2}, {1, 0}, 100);
  EXPECT_EQ(counter.count(), 0u);
}

}  // namespace
}  // namespace forerun::world
