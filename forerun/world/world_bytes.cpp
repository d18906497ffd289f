#include "forerun/world/world_bytes.hpp"

#include <algorithm>

#include "forerun/base/field_bytes.hpp"
#include "forerun/world/terrain_bytes.hpp"
#include "forerun/world/triangle_bytes.hpp"

namespace forerun::world {
namespace {

constexpr std::uint16_t kVersion = 2;
constexpr std::size_t kMostMaterials = 100000;
constexpr std::size_t kMostDoors = 100000;

// smallest sizes in bytes, with empty names
constexpr std::size_t kMaterialSize = 2 + 6 * 8;
constexpr std::size_t kDoorSize = 2 + 7 * 8 + 4 + 1;

constexpr Field kShare{0, 1, ""};
constexpr Field kAngle{-kPi, kPi, ""};
constexpr Field kDoorLength{1e-6, 100, ""};
constexpr Field kDoorAngle{-100, 100, ""};

template <class Visit>
void visit_material(Material& m, Visit&& visit) {
  visit("name", m.name, Field{});
  visit("red", m.red, kShare);
  visit("green", m.green, kShare);
  visit("blue", m.blue, kShare);
  visit("reflection_angle_rad", m.reflection_angle, kAngle);
  visit("reflection_angle_slope_rad_per_m", m.reflection_angle_slope, kAngle);
  visit("reflection_range_rad", m.reflection_range, kAngle);
}

template <class Visit>
void visit_door(Door& d, std::size_t n_materials, Visit&& visit) {
  visit("name", d.name, Field{});
  visit("hinge x_m", d.hinge.x, kPlace);
  visit("hinge y_m", d.hinge.y, kPlace);
  visit("width_m", d.width, kDoorLength);
  visit("height_m", d.height, kDoorLength);
  visit("thickness_m", d.thickness, kDoorLength);
  visit("closed_angle_rad", d.closed_angle, kDoorAngle);
  visit("open_angle_rad", d.open_angle, kDoorAngle);
  visit("material", d.material, Field{0, static_cast<double>(n_materials) - 1, ""});
  visit("open", d.open, Field{});
}

void read_materials(FieldReader& in, World& world) {
  const std::size_t n = in.count("material", kMostMaterials, kMaterialSize);
  if (n == 0) in.fail("material", "count is 0, but must be at least 1");
  for (std::size_t i = 0; i < n && !in.failed(); ++i) {
    in.enter("material " + std::to_string(i));
    visit_material(world.materials.emplace_back(), in);
  }
  in.enter("");
}

void read_doors(FieldReader& in, World& world) {
  const std::size_t n = in.count("door", kMostDoors, kDoorSize);
  for (std::size_t i = 0; i < n && !in.failed(); ++i) {
    in.enter("door " + std::to_string(i));
    visit_door(world.doors.emplace_back(), world.materials.size(), in);
  }
  in.enter("");
}

}  // namespace

std::vector<std::uint8_t> to_bytes(const World& world) {
  FieldWriter out;
  out.u16(kVersion);
  out("name", world.name, Field{});
  out.u32(static_cast<std::uint32_t>(world.materials.size()));
  for (Material material : world.materials) visit_material(material, out);
  write_triangles(world.triangles, out);
  out.u32(static_cast<std::uint32_t>(world.doors.size()));
  for (Door door : world.doors) visit_door(door, world.materials.size(), out);
  // a level world is the same to readers before 0.7
  if (world.terrain.is_rough()) write_terrain(world.terrain, out);
  return out.take();
}

Result<World> world_from_bytes(Bytes bytes) {
  World world;
  FieldReader in(bytes, "the world");
  in.version(kVersion);
  in("name", world.name, Field{});
  read_materials(in, world);
  world.triangles = read_triangles(in, world.materials.size());
  read_doors(in, world);
  if (!in.failed() && !in.at_end()) world.terrain = read_terrain(in);
  if (auto whole = in.finish(); !whole) return whole.error();
  if (!has_floor(world)) return Error{"the world has no floor, but a robot must stand somewhere"};
  // what stood before but is given again, runs that could be one, and numbers of more bytes than they need
  const std::vector<std::uint8_t> again = to_bytes(world);
  if (!std::equal(again.begin(), again.end(), bytes.begin(), bytes.end())) {
    return Error{"the world is written in another way than the shortest, by first use"};
  }
  return world;
}

}  // namespace forerun::world
