#include "tests/support/random_worlds.hpp"

#include "forerun/geom/pose.hpp"

namespace forerun {
namespace {

using world::World;

Vec3 random_point(Random& random, double half) {
  return {random.uniform(-half, half), random.uniform(-half, half), random.uniform(0, 3)};
}

Vec3 raised(Vec2 p, double z) { return {p.x, p.y, z}; }

void add_quad(World& world, Vec3 a, Vec3 b, Vec3 c, Vec3 d, std::int32_t material) {
  world.triangles.push_back({a, b, c, material});
  world.triangles.push_back({a, c, d, material});
}

void add_wall(World& world, Vec2 from, Vec2 to, double height, std::int32_t material) {
  add_quad(world, raised(from, 0), raised(to, 0), raised(to, height), raised(from, height), material);
}

void add_box(World& world, const Pose2& pose, Vec2 half, double height, std::int32_t material) {
  const Vec2 corners[4] = {pose * Vec2{-half.x, -half.y}, pose * Vec2{half.x, -half.y}, pose * Vec2{half.x, half.y},
                           pose * Vec2{-half.x, half.y}};
  for (int i = 0; i < 4; ++i) add_wall(world, corners[i], corners[(i + 1) % 4], height, material);
  add_quad(world, raised(corners[0], height), raised(corners[1], height), raised(corners[2], height),
           raised(corners[3], height), material);
}

}  // namespace

// Compilers differ in which argument of a call they evaluate first, so each random number has a statement of its own.

World random_triangles(Random& random, int count) {
  World world{.name = "triangles", .materials = {{}, {}, {}}, .triangles = {}, .doors = {}};
  for (int i = 0; i < count; ++i) {
    const double size = i % 7 == 0 ? 20 : 1.5;
    const Vec3 a = random_point(random, 10);
    const Vec3 to_b = random_direction(random);
    const Vec3 to_c = random_direction(random);
    world::Triangle t{a, a + to_b * random.uniform(0, size), a + to_c * random.uniform(0, size), i % 3};
    if (i % 11 == 0) t.b.z = t.c.z = t.a.z;          // flat
    if (i % 13 == 0) t.c = t.a + (t.b - t.a) * 0.5;  // a line
    if (i % 17 == 0) t.c = t.b = t.a;                // a point
    world.triangles.push_back(t);
  }
  return world;
}

World random_rooms(Random& random, int count) {
  World world{.name = "rooms", .materials = {{}, {}, {}}, .triangles = {}, .doors = {}};
  add_quad(world, {-10, -10, 0}, {10, -10, 0}, {10, 10, 0}, {-10, 10, 0}, 0);
  for (int i = 0; i < count; ++i) {
    const auto material = static_cast<std::int32_t>(random.below(3));
    const Pose2 pose{random.uniform(-9, 9), random.uniform(-9, 9), random.uniform(-kPi, kPi)};
    const Pose2 whole{std::floor(pose.x), std::floor(pose.y), 0};
    const Vec2 half{random.uniform(0.05, 1), random.uniform(0.05, 1)};
    const double height = random.uniform(0.2, 2);
    if (i % 3 == 0) add_box(world, pose, half, height, material);
    if (i % 3 == 1) add_box(world, whole, {0.5, 0.5}, 2, 1);  // they may lie upon each other
    if (i % 3 == 2) add_wall(world, pose.position(), pose * Vec2{4 * half.x, 0}, height, material);
  }
  return world;
}

Vec3 random_direction(Random& random) {
  const double z = random.uniform(-1, 1);
  const Vec2 flat = unit_vector(random.uniform(0, kTwoPi)) * sqrt(1 - z * z);
  return {flat.x, flat.y, z};
}

World turned(const World& world, double angle) {
  const Transform2 turn(Pose2{0, 0, angle});
  World result = world;
  for (world::Triangle& t : result.triangles)
    for (Vec3* p : {&t.a, &t.b, &t.c}) *p = raised(turn.rotate(plan_view(*p)), p->z);
  return result;
}

}  // namespace forerun
