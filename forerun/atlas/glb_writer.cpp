#include <cstring>
#include <nlohmann/json.hpp>
#include <vector>

#include "forerun/atlas/glb.hpp"
#include "forerun/io/file.hpp"

namespace forerun::atlas {

namespace {

using Json = nlohmann::json;

constexpr int kFloat = 5126;          // glTF's number for 32-bit floats
constexpr int kVertexBuffer = 34962;  // glTF's number for buffers of corners

void append_word(std::string& bytes, std::uint32_t word) {
  for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(word >> shift & 0xff);
}

void append_float(std::string& bytes, float value) {
  std::uint32_t word = 0;
  std::memcpy(&word, &value, sizeof word);
  append_word(bytes, word);
}

Json material_json(const world::Material& m) {
  return {{"name", m.name},
          {"doubleSided", true},
          {"pbrMetallicRoughness",
           {{"baseColorFactor", {m.red, m.green, m.blue, 1.0}}, {"metallicFactor", 0.0}, {"roughnessFactor", 0.9}}},
          {"extras",
           {{"sonar",
             {{"reflection_angle_rad", m.reflection_angle},
              {"slope_rad_per_m", m.reflection_angle_slope},
              {"range_rad", m.reflection_range}}}}}};
}

Json door_json(const world::Door& d) {
  return {{"name", d.name},
          {"hinge_m", {d.hinge.x, d.hinge.y}},
          {"width_m", d.width},
          {"height_m", d.height},
          {"thickness_m", d.thickness},
          {"closed_angle_rad", d.closed_angle},
          {"open_angle_rad", d.open_angle},
          {"material", d.material},
          {"open", d.open}};
}

// The corners of one material's triangles, and the smallest box around them, which glTF wants to be told.
struct Corners {
  std::string bytes;
  std::uint32_t count = 0;
  float low[3]{}, high[3]{};

  void add(Vec3 p) {
    // adding zero makes one of both zeros, so that a world has one form
    const float point[3]{static_cast<float>(p.x) + 0.0f, static_cast<float>(p.z) + 0.0f,
                         static_cast<float>(-p.y) + 0.0f};
    for (int i = 0; i < 3; ++i) {
      low[i] = count == 0 || point[i] < low[i] ? point[i] : low[i];
      high[i] = count == 0 || point[i] > high[i] ? point[i] : high[i];
      append_float(bytes, point[i]);
    }
    ++count;
  }
};

void add_primitive(Json& gltf, std::string& binary, const Corners& corners, std::size_t material) {
  const std::size_t index = gltf["accessors"].size();
  gltf["bufferViews"].push_back(
      {{"buffer", 0}, {"byteOffset", binary.size()}, {"byteLength", corners.bytes.size()}, {"target", kVertexBuffer}});
  gltf["accessors"].push_back({{"bufferView", index},
                               {"componentType", kFloat},
                               {"count", corners.count},
                               {"type", "VEC3"},
                               {"min", {corners.low[0], corners.low[1], corners.low[2]}},
                               {"max", {corners.high[0], corners.high[1], corners.high[2]}}});
  gltf["meshes"][0]["primitives"].push_back(
      {{"attributes", {{"POSITION", index}}}, {"material", material}, {"mode", 4}});
  binary += corners.bytes;
}

void add_chunk(std::string& bytes, std::string content, std::uint32_t type, char padding) {
  while (content.size() % 4 != 0) content += padding;
  append_word(bytes, static_cast<std::uint32_t>(content.size()));
  append_word(bytes, type);
  bytes += content;
}

Json skeleton(const world::World& world) {
  Json gltf{{"asset", {{"version", "2.0"}, {"generator", "forerun"}}},
            {"scene", 0},
            {"scenes", {{{"nodes", {0}}}}},
            {"nodes", {{{"mesh", 0}, {"name", world.name}}}},
            {"meshes", {{{"name", world.name}, {"primitives", Json::array()}}}},
            {"materials", Json::array()},
            {"accessors", Json::array()},
            {"bufferViews", Json::array()}};
  Json doors = Json::array();
  for (const world::Door& door : world.doors) doors.push_back(door_json(door));
  for (const world::Material& material : world.materials) gltf["materials"].push_back(material_json(material));
  gltf["scenes"][0]["extras"]["forerun"] = {{"version", 1}, {"name", world.name}, {"doors", doors}};
  return gltf;
}

}  // namespace

std::string encode_glb(const world::World& world) {
  Json gltf = skeleton(world);
  std::string binary;
  for (std::size_t material = 0; material < world.materials.size(); ++material) {
    Corners corners;
    for (const world::Triangle& t : world.triangles) {
      if (t.material != static_cast<std::int32_t>(material)) continue;
      corners.add(t.a);
      corners.add(t.b);
      corners.add(t.c);
    }
    if (corners.count > 0) add_primitive(gltf, binary, corners, material);
  }
  gltf["buffers"] = {{{"byteLength", binary.size()}}};

  std::string chunks;
  // names may hold bytes that are no UTF-8; they are replaced rather than refused
  add_chunk(chunks, gltf.dump(-1, ' ', false, Json::error_handler_t::replace), 0x4e4f534a, ' ');
  add_chunk(chunks, binary, 0x004e4942, '\0');
  std::string bytes = "glTF";
  append_word(bytes, 2);
  append_word(bytes, static_cast<std::uint32_t>(chunks.size() + 12));
  return bytes + chunks;
}

Result<void> write_glb(const world::World& world, const std::string& path) {
  return io::write_file(path, encode_glb(world));
}

}  // namespace forerun::atlas
