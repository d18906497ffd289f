#include "forerun/world/world_bytes.hpp"

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "forerun/base/field_bytes.hpp"

namespace forerun::world {
namespace {

constexpr std::uint16_t kVersion = 1;
constexpr std::size_t kMostTriangles = 4000000;  // as in files
constexpr std::size_t kMostMaterials = 100000;
constexpr std::size_t kMostDoors = 100000;

// smallest sizes in bytes, with empty names
constexpr std::size_t kMaterialSize = 2 + 6 * 8;
constexpr std::size_t kCornerSize = 3 * 8;
constexpr std::size_t kTriangleSize = 4 * 4;
constexpr std::size_t kDoorSize = 2 + 7 * 8 + 4 + 1;

constexpr Field kShare{0, 1, ""};
constexpr Field kAngle{-kPi, kPi, ""};
constexpr Field kPlace{-1e6, 1e6, ""};  // maps may lie 100 km from the origin, and are large themselves [m]
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

// A corner by its exact bits, so that no two different ones become one.
struct CornerKey {
  std::uint64_t x, y, z;
  bool operator==(const CornerKey&) const noexcept = default;
};

CornerKey key_of(const Vec3& corner) noexcept {
  CornerKey key;
  static_assert(sizeof key == sizeof corner);
  std::memcpy(&key, &corner, sizeof key);
  return key;
}

struct CornerHash {
  std::size_t operator()(const CornerKey& key) const noexcept {
    std::uint64_t h = key.x * 0x9e3779b97f4a7c15u;
    h = (h ^ (h >> 32) ^ key.y) * 0xbf58476d1ce4e5b9u;
    h = (h ^ (h >> 32) ^ key.z) * 0x94d049bb133111ebu;
    return static_cast<std::size_t>(h ^ (h >> 32));
  }
};

// Corners that triangles share are written once, in the order of their first use.
struct Mesh {
  std::vector<Vec3> corners;
  std::vector<std::uint32_t> indices;  // three a triangle
};

Mesh index_corners(const std::vector<Triangle>& triangles) {
  Mesh mesh;
  std::unordered_map<CornerKey, std::uint32_t, CornerHash> known;
  mesh.indices.reserve(3 * triangles.size());
  for (const Triangle& t : triangles) {
    for (const Vec3& corner : {t.a, t.b, t.c}) {
      const auto next = static_cast<std::uint32_t>(mesh.corners.size());
      const auto [place, is_new] = known.try_emplace(key_of(corner), next);
      if (is_new) mesh.corners.push_back(corner);
      mesh.indices.push_back(place->second);
    }
  }
  return mesh;
}

void write_triangles(const std::vector<Triangle>& triangles, FieldWriter& out) {
  const Mesh mesh = index_corners(triangles);
  out.reserve(out.written().size() + mesh.corners.size() * kCornerSize + triangles.size() * kTriangleSize + 8);
  out.u32(static_cast<std::uint32_t>(mesh.corners.size()));
  for (const Vec3& corner : mesh.corners) {
    for (const double c : {corner.x, corner.y, corner.z}) out.f64(c);
  }
  out.u32(static_cast<std::uint32_t>(triangles.size()));
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) out.u32(mesh.indices[3 * i + k]);
    out.u32(static_cast<std::uint32_t>(triangles[i].material));
  }
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

std::vector<Vec3> read_corners(FieldReader& in) {
  std::vector<Vec3> corners(in.count("corner", 3 * kMostTriangles, kCornerSize));
  for (Vec3& corner : corners) {
    for (double* c : {&corner.x, &corner.y, &corner.z}) in("corner", *c, kPlace);
  }
  return corners;
}

void read_triangles(FieldReader& in, World& world) {
  const std::vector<Vec3> corners = read_corners(in);
  const std::size_t n = in.count("triangle", kMostTriangles, kTriangleSize);
  world.triangles.reserve(n);
  for (std::size_t i = 0; i < n && !in.failed(); ++i) {
    const std::uint32_t a = in.u32(), b = in.u32(), c = in.u32(), material = in.u32();
    if (std::max({a, b, c}) >= corners.size()) {
      in.fail("triangle " + std::to_string(i), "has the corner " + std::to_string(std::max({a, b, c})) +
                                                   ", but there are only " + std::to_string(corners.size()));
    } else if (material >= world.materials.size()) {
      in.fail("triangle " + std::to_string(i), "has the material " + std::to_string(material) +
                                                   ", but there are only " + std::to_string(world.materials.size()));
    } else {
      world.triangles.push_back({corners[a], corners[b], corners[c], static_cast<std::int32_t>(material)});
    }
  }
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
  return out.take();
}

Result<World> world_from_bytes(Bytes bytes) {
  World world;
  FieldReader in(bytes, "the world");
  in.version(kVersion);
  in("name", world.name, Field{});
  read_materials(in, world);
  read_triangles(in, world);
  read_doors(in, world);
  if (auto whole = in.finish(); !whole) return whole.error();
  if (!has_floor(world)) return Error{"the world has no floor, but a robot must stand somewhere"};
  // corners that are doubled, unused or in another order
  const std::vector<std::uint8_t> again = to_bytes(world);
  if (!std::equal(again.begin(), again.end(), bytes.begin(), bytes.end())) {
    return Error{"the world lists its corners in another way than by their first use"};
  }
  return world;
}

}  // namespace forerun::world
