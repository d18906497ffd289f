#include "forerun/world/triangle_bytes.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "forerun/base/random.hpp"
#include "forerun/world/world_bytes.hpp"
#include "tests/support/small_worlds.hpp"

namespace forerun::world {
namespace {

using Content = std::vector<std::uint8_t>;

void expect_same_triangles(const World& a, const World& b) {
  ASSERT_EQ(a.triangles.size(), b.triangles.size());
  for (std::size_t i = 0; i < a.triangles.size(); ++i) {
    ASSERT_EQ(std::memcmp(&a.triangles[i].a, &b.triangles[i].a, 3 * sizeof(Vec3)), 0) << i;
    ASSERT_EQ(a.triangles[i].material, b.triangles[i].material) << i;
  }
}

// Coordinates that repeat, in part, with bits of all kinds: zeros of both signs and the smallest and largest numbers.
World make_random_world(std::uint64_t seed) {
  Random random(seed, 8);
  std::vector<double> some{0.0, -0.0, 5e-324, 1e6, -1e6, 0.1};
  while (some.size() < 6 + random.below(200)) some.push_back(random.uniform() * 100 - 50);
  const auto draw = [&] {
    return random.below(8) == 0 ? random.uniform() * 2e6 - 1e6 : some[random.below(some.size())];
  };
  World world = make_room({-5, -5}, {5, 5});
  world.materials.resize(1 + random.below(300));
  for (std::uint64_t n = random.below(1500); n > 0; --n) {
    Triangle t{.material = static_cast<std::int32_t>(random.below(world.materials.size()))};
    for (Vec3* corner : {&t.a, &t.b, &t.c}) *corner = {draw(), draw(), draw()};
    if (random.below(3) == 0) t.a = world.triangles[random.below(world.triangles.size())].c;
    if (random.below(2) == 0) t.material = world.triangles.back().material;
    world.triangles.push_back(t);
  }
  return world;
}

TEST(TriangleBytes, RandomWorldsKeepEveryBit) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const World world = make_random_world(seed);
    const Content bytes = to_bytes(world);
    const auto read = world_from_bytes(bytes);
    ASSERT_TRUE(read.ok()) << seed << ": " << read.error().message;
    expect_same_triangles(*read, world);
    EXPECT_EQ(to_bytes(*read), bytes) << seed;
  }
}

TEST(TriangleBytes, MoreThan16384CornersApartAreStillNamed) {
  World world = make_room({0, 0}, {10, 10});
  for (int i = 0; i < 12000; ++i) {
    const double x = i * 1e-3;
    world.triangles.push_back({{x, 1, 1}, {x, 2, 1}, {x + 0.5, 1, 2}, 0});
  }
  for (std::size_t i = 0; i < 100; ++i) world.triangles.push_back(world.triangles[i]);
  const auto read = world_from_bytes(to_bytes(world));
  ASSERT_TRUE(read.ok()) << read.error().message;
  expect_same_triangles(*read, world);
}

// Two triangles that share an edge, of one material. The bytes of their triangles follow the first 62.
constexpr std::size_t kTrianglesAt = 2 + 2 + 4 + (2 + 48) + 4;

Content make_square() {
  World world{.name = "", .materials = {{.name = ""}}, .triangles = {}, .doors = {}};
  world.triangles = {{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, 0}, {{0, 0, 0}, {1, 1, 0}, {0, 1, 0}, 0}};
  return to_bytes(world);
}

// The square with other bytes for its triangles.
std::string refusal_of_triangles(const Content& triangles, std::uint8_t n = 2) {
  const Content square = make_square();
  Content bytes(square.begin(), square.begin() + kTrianglesAt);
  bytes[kTrianglesAt - 4] = n;
  bytes.insert(bytes.end(), triangles.begin(), triangles.end());
  bytes.insert(bytes.end(), {0, 0, 0, 0});  // no doors
  const auto world = world_from_bytes(bytes);
  return world ? "" : world.error().message;
}

Content join(std::initializer_list<Content> parts) {
  Content all;
  for (const Content& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

const Content kNewZero{0, 0, 0, 0, 0, 0, 0, 0, 0};
const Content kNewOne{0, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f};

TEST(TriangleBytes, WhatStoodBeforeIsNamedByHowLongAgo) {
  const Content square = make_square();
  const Content triangles = join({{0, 2},  // material, length of the run
                                  {0},
                                  kNewZero,
                                  {1, 1},  // (0, 0, 0)
                                  {0},
                                  kNewOne,
                                  {2, 2},        // (1, 0, 0)
                                  {0, 1, 1, 2},  // (1, 1, 0)
                                  {3, 1},
                                  {0, 2, 1, 2}});  // the first and the third again, and (0, 1, 0)
  EXPECT_EQ(square, join({Content(square.begin(), square.begin() + kTrianglesAt), triangles, {0, 0, 0, 0}}));
  EXPECT_EQ(refusal_of_triangles(triangles), "");
}

TEST(TriangleBytes, HostileTrianglesAreRefusedByName) {
  const Content corner = join({{0}, kNewZero, {1, 1}});
  EXPECT_EQ(refusal_of_triangles(join({{0, 2}, {1}, Content(9)})),
            "the world: triangle 0 corner 1 back is named, but only 0 have stood before");
  EXPECT_EQ(refusal_of_triangles(join({{0, 2}, corner, {1, 0xff, 0xff, 0xff, 0xff, 0x0f}, Content(9)})),
            "the world: triangle 0 corner 4294967295 back is named, but only 1 have stood before");
  EXPECT_EQ(refusal_of_triangles(join({{0, 2}, {0, 1}, Content(9)})),
            "the world: triangle 0 coordinate 1 back is named, but only 0 have stood before");
  EXPECT_EQ(refusal_of_triangles(join({{0, 2}, corner, {0xff, 0xff, 0xff, 0xff, 0x1f}, Content(9)})),
            "the world: triangle 0 number has more than 32 bits");
  EXPECT_EQ(refusal_of_triangles(join({{0, 2}, corner, Content(9, 0xff)})),
            "the world: triangle 0 number has more than 32 bits");
  for (const std::uint8_t length : {std::uint8_t{0}, std::uint8_t{3}}) {
    EXPECT_EQ(refusal_of_triangles(join({{0, length}, corner, {1, 1, 1, 1, 1}})),
              "the world: triangle 0 begins a run of " + std::to_string(length) + ", but 1 to 2 are still to come");
  }
  EXPECT_EQ(refusal_of_triangles(join({{0, 1}, corner, {1, 1}, {1, 1}, {1, 1, 1}})),
            "the world: triangle 1 has the material 1, but there are only 1");
  EXPECT_EQ(refusal_of_triangles(join({{0, 200, 1}, corner, {1, 1}}), 200),
            "the world: triangle count is 200, but only 21 bytes follow");
}

// Neither could be sorted by.
TEST(TriangleBytes, CornersThatAreNoNumbersAreRefused) {
  const Content not_a_number{0, 0, 0, 0, 0, 0, 0, 0xf8, 0x7f}, endless{0, 0, 0, 0, 0, 0, 0, 0xf0, 0x7f};
  for (const Content& wrong : {not_a_number, endless}) {
    const std::string why = refusal_of_triangles(join({{0, 2}, {0}, wrong, {1, 1}, {1, 1, 1, 1, 1}}));
    EXPECT_NE(why.find("but must be -1000000 to 1000000"), std::string::npos) << why;
  }
}

TEST(TriangleBytes, OtherBytesForTheSameTrianglesAreRefused) {
  const std::string wrong = "the world is written in another way than the shortest, by first use";
  const Content corner = join({{0}, kNewZero, {1, 1}});
  EXPECT_EQ(refusal_of_triangles(join({{0, 2}, corner, {1, 1, 1, 1, 1}})), "");
  // a corner given anew, a coordinate given anew, a run that was cut in two, a zero of two bytes
  EXPECT_EQ(refusal_of_triangles(join({{0, 2}, corner, {0, 1, 1, 1}, {1, 1, 1, 1}})), wrong);
  EXPECT_EQ(refusal_of_triangles(join({{0, 2}, {0}, kNewZero, {1}, kNewZero, {1, 1, 1, 1, 1}})), wrong);
  EXPECT_EQ(refusal_of_triangles(join({{0, 1}, corner, {1, 1}, {0, 1}, {1, 1, 1}})), wrong);
  EXPECT_EQ(refusal_of_triangles(join({{0x80, 0, 2}, corner, {1, 1, 1, 1, 1}})), wrong);
}

}  // namespace
}  // namespace forerun::world
