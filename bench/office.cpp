#include "bench/office.hpp"

#include <array>

namespace forerun::bench {
namespace {

using world::World;

constexpr double kOffice = 5;          // edge of an office [m]
constexpr double kCorridor = 2.4;      // width [m]
constexpr double kWall = 0.12;         // thickness [m]
constexpr double kCeiling = 2.7;       // height [m]
constexpr double kDoor = 1.0;          // width of a door's opening [m]
constexpr double kLintel = 2.1;        // height of a door's opening [m]
constexpr int kOfficesPerSide = 6;

void add_quad(World& world, const std::array<Vec3, 4>& corners, std::int32_t material) {
  world.triangles.push_back({corners[0], corners[1], corners[2], material});
  world.triangles.push_back({corners[0], corners[2], corners[3], material});
}

void add_box(World& world, Vec3 low, Vec3 high, std::int32_t material) {
  const auto at = [&](int x, int y, int z) {
    return Vec3{x ? high.x : low.x, y ? high.y : low.y, z ? high.z : low.z};
  };
  add_quad(world, {at(0, 0, 0), at(0, 1, 0), at(1, 1, 0), at(1, 0, 0)}, material);
  add_quad(world, {at(0, 0, 1), at(1, 0, 1), at(1, 1, 1), at(0, 1, 1)}, material);
  add_quad(world, {at(0, 0, 0), at(1, 0, 0), at(1, 0, 1), at(0, 0, 1)}, material);
  add_quad(world, {at(0, 1, 0), at(0, 1, 1), at(1, 1, 1), at(1, 1, 0)}, material);
  add_quad(world, {at(0, 0, 0), at(0, 0, 1), at(0, 1, 1), at(0, 1, 0)}, material);
  add_quad(world, {at(1, 0, 0), at(1, 1, 0), at(1, 1, 1), at(1, 0, 1)}, material);
}

void add_table(World& world, Vec2 low, Vec2 size) {
  const Vec2 high = low + size;
  add_box(world, {low.x, low.y, 0.71}, {high.x, high.y, 0.75}, 1);
  for (const double x : {low.x, high.x - 0.06})
    for (const double y : {low.y, high.y - 0.06}) add_box(world, {x, y, 0}, {x + 0.06, y + 0.06, 0.71}, 1);
}

void add_chair(World& world, Vec2 low) {
  add_box(world, {low.x, low.y, 0.38}, {low.x + 0.45, low.y + 0.45, 0.46}, 2);
  add_box(world, {low.x, low.y + 0.40, 0.46}, {low.x + 0.45, low.y + 0.45, 0.9}, 2);
  add_box(world, {low.x + 0.2, low.y + 0.2, 0}, {low.x + 0.25, low.y + 0.25, 0.38}, 2);
}

// `y` of the wall with the door, `inside` +1 or −1: the side on which the room lies.
void add_office(World& world, double x, double y, double inside) {
  const auto box = [&](Vec2 from, Vec2 to, double low, double high, std::int32_t material) {
    const double y1 = y + inside * from.y;
    const double y2 = y + inside * to.y;
    add_box(world, {x + from.x, std::min(y1, y2), low}, {x + to.x, std::max(y1, y2), high}, material);
  };
  // the wall to the corridor with its door, the wall to the next office, the outer wall
  const double door = 0.6;
  box({0, 0}, {door, kWall}, 0, kCeiling, 0);
  box({door, 0}, {door + kDoor, kWall}, kLintel, kCeiling, 0);
  box({door + kDoor, 0}, {kOffice, kWall}, 0, kCeiling, 0);
  box({-kWall / 2, kWall}, {kWall / 2, kOffice}, 0, kCeiling, 0);
  box({0, kOffice}, {kOffice, kOffice + kWall}, 0, kCeiling, 0);
  // shelves, a cupboard, a bin
  box({kOffice - 0.5, 0.5}, {kOffice - kWall, 2.5}, 0, 1.9, 1);
  box({2.2, kWall}, {3.6, 0.55}, 0, 1.4, 1);
  box({0.3, 4.5}, {0.6, 4.8}, 0, 0.5, 2);
  const double table_y = inside > 0 ? y + 3.3 : y - 4.1;
  add_table(world, {x + 0.9, table_y}, {1.6, 0.8});
  add_table(world, {x + 2.5, table_y}, {1.6, 0.8});
  add_chair(world, {x + 1.4, table_y - inside * 0.9 + 0.1});
  add_chair(world, {x + 3.1, table_y - inside * 0.8 + 0.1});
}

}  // namespace

World make_office() {
  World world;
  world.name = "made office";
  world.materials.resize(3);
  const double length = kOfficesPerSide * kOffice;
  const double depth = kOffice + kWall;
  for (const double z : {0.0, kCeiling})
    add_quad(world, {Vec3{0, -depth, z}, {length, -depth, z}, {length, kCorridor + depth, z}, {0, kCorridor + depth, z}}, 0);
  for (int i = 0; i < kOfficesPerSide; ++i) {
    add_office(world, i * kOffice, kCorridor, 1);
    add_office(world, i * kOffice, 0, -1);
  }
  add_box(world, {-kWall, -depth, 0}, {0, kCorridor + depth, kCeiling}, 0);
  add_box(world, {length, -depth, 0}, {length + kWall, kCorridor + depth, kCeiling}, 0);
  return world;
}

}  // namespace forerun::bench
