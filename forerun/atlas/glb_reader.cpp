#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <vector>

#include "forerun/atlas/floor_finder.hpp"
#include "forerun/atlas/glb.hpp"
#include "forerun/atlas/palette.hpp"
#include "forerun/io/file.hpp"
#include "forerun/io/text.hpp"

namespace forerun::atlas {

namespace {

using Json = nlohmann::json;
using Matrix = std::array<double, 16>;  // columns one after the other, as glTF has them

constexpr std::size_t kMostTriangles = 4000000;
constexpr std::size_t kMostVisits = 100000;  // nodes of a scene
constexpr int kDeepest = 64;                 // nodes within nodes
constexpr double kFarthest = 100000;         // [m]
constexpr Matrix kIdentity{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

// What is wrong with the file. Thrown inside this file only; parse_glb() turns it into an Error.
struct BadFile : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::uint32_t word_at(std::string_view bytes, std::size_t at) {
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < 4; ++i) word |= std::uint32_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
  return word;
}

// A single value as text. Lists and objects are not written out.
std::string show_value(const Json& value) {
  return value.is_structured() ? "a list or object" : io::quote(value.dump());
}

// A hostile file may nest so deeply that copying it would exhaust the stack.
bool refuse_depth(int depth, Json::parse_event_t, Json&) {
  constexpr int kDeepestJson = 64;
  if (depth > kDeepestJson) throw BadFile("its JSON is nested too deeply");
  return true;
}

// A whole number from 0 on; anything else under the key is refused.
std::size_t whole(const Json& object, const char* key, std::size_t usual) {
  const auto found = object.find(key);
  if (found == object.end()) return usual;
  if (!found->is_number_integer() || (!found->is_number_unsigned() && found->get<std::int64_t>() < 0)) {
    throw BadFile(std::string(key) + " is " + show_value(*found) + ", but must be a whole number from 0 on");
  }
  return found->get<std::size_t>();
}

std::size_t whole(const Json& object, const char* key) {
  if (!object.contains(key)) throw BadFile(std::string(key) + " is missing");
  return whole(object, key, 0);
}

double finite(const Json& value, const char* what, double limit = kFarthest) {
  const double number = value.is_number() ? value.get<double>() : std::nan("");
  if (std::fabs(number) <= limit) return number;
  throw BadFile(std::string(what) + " is " + show_value(value) + ", but must be a finite number up to " +
                io::show(limit));
}

// `list[index]` of the top level, refused when it does not exist.
const Json& element(const Json& gltf, const char* list, std::size_t index) {
  const auto found = gltf.find(list);
  if (found == gltf.end() || !found->is_array() || index >= found->size() || !(*found)[index].is_object()) {
    throw BadFile(std::string(list) + "[" + std::to_string(index) + "] is used, but does not exist");
  }
  return (*found)[index];
}

template <std::size_t N>
std::array<double, N> numbers(const Json& node, const char* key, const std::array<double, N>& usual) {
  const auto found = node.find(key);
  if (found == node.end()) return usual;
  if (!found->is_array() || found->size() != N) {
    throw BadFile(std::string(key) + " must be a list of " + std::to_string(N) + " numbers");
  }
  std::array<double, N> values{};
  for (std::size_t i = 0; i < N; ++i) values[i] = finite((*found)[i], key);
  return values;
}

Matrix multiply(const Matrix& a, const Matrix& b) {
  Matrix product{};
  for (std::size_t column = 0; column < 4; ++column) {
    for (std::size_t row = 0; row < 4; ++row) {
      for (std::size_t k = 0; k < 4; ++k) product[column * 4 + row] += a[k * 4 + row] * b[column * 4 + k];
    }
  }
  return product;
}

Matrix node_matrix(const Json& node) {
  if (node.contains("matrix")) return numbers<16>(node, "matrix", kIdentity);
  const auto t = numbers<3>(node, "translation", {0, 0, 0});
  const auto [x, y, z, w] = numbers<4>(node, "rotation", {0, 0, 0, 1});
  const auto s = numbers<3>(node, "scale", {1, 1, 1});
  const auto column = [](double scale, double a, double b, double c) { return Vec3{scale * a, scale * b, scale * c}; };
  const Vec3 i = column(s[0], 1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w));
  const Vec3 j = column(s[1], 2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w));
  const Vec3 k = column(s[2], 2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y));
  return {i.x, i.y, i.z, 0, j.x, j.y, j.z, 0, k.x, k.y, k.z, 0, t[0], t[1], t[2], 1};
}

bool mirrors(const Matrix& m) {
  const Vec3 x{m[0], m[1], m[2]}, y{m[4], m[5], m[6]}, z{m[8], m[9], m[10]};
  return dot(cross(x, y), z) < 0;
}

// Elements of one accessor, checked so that every read lies inside the file's buffer.
struct Elements {
  std::string_view bytes;  // from the first element on
  std::size_t count = 0;
  std::size_t stride = 0;
  std::size_t component = 0;  // glTF's number of the type
};

class GlbReader {
 public:
  GlbReader(const Json& gltf, std::string_view binary, world::World& world)
      : gltf_(gltf), binary_(binary), world_(world) {}

  void read() {
    check_extensions();
    read_materials();
    read_nodes();
    const Json& scene = element(gltf_, "scenes", whole(gltf_, "scene", 0));
    const auto extras = scene.find("extras");
    const bool ours = extras != scene.end() && extras->is_object() && extras->contains("forerun");
    if (ours) {
      read_extras(extras->at("forerun"));
    } else {
      lower_to_floor();
    }
  }

 private:
  // Other people's worlds may have their floor anywhere; ours is at z = 0.
  void lower_to_floor() {
    const double floor = find_floor_height(world_);
    for (world::Triangle& t : world_.triangles) {
      for (Vec3* corner : {&t.a, &t.b, &t.c}) corner->z -= floor;
    }
  }

  void check_extensions() const {
    for (const Json& name : gltf_.value("extensionsRequired", Json::array())) {
      const std::string extension = name.get<std::string>();
      const bool harmless = extension.starts_with("KHR_materials_") || extension.starts_with("KHR_texture_") ||
                            extension.starts_with("KHR_lights_");
      if (!harmless) throw BadFile("it needs the extension " + io::quote(extension) + ", which is not supported");
    }
  }

  void read_materials() {
    for (const Json& json : gltf_.value("materials", Json::array())) {
      world::Material material;
      material.name = json.value("name", "material " + std::to_string(world_.materials.size()));
      for (const world::Material& common : common_materials()) {
        if (material.name.find(common.name) != std::string::npos) material = with_acoustics_of(common, material.name);
      }
      const Json look = json.value("pbrMetallicRoughness", Json::object());
      const auto colour = numbers<4>(look, "baseColorFactor", {1, 1, 1, 1});
      material.red = std::clamp(colour[0], 0.0, 1.0);
      material.green = std::clamp(colour[1], 0.0, 1.0);
      material.blue = std::clamp(colour[2], 0.0, 1.0);
      const Json sonar = json.value("extras", Json::object()).value("sonar", Json::object());
      if (!sonar.empty()) {
        material.reflection_angle = finite(sonar.at("reflection_angle_rad"), "reflection_angle_rad", kPi);
        material.reflection_angle_slope = finite(sonar.at("slope_rad_per_m"), "slope_rad_per_m", kPi);
        material.reflection_range = finite(sonar.at("range_rad"), "range_rad", kPi);
      }
      world_.materials.push_back(material);
    }
    // triangles that name no material get the last one
    world_.materials.push_back({"plain", 0.8, 0.8, 0.8});
  }

  static world::Material with_acoustics_of(world::Material common, const std::string& name) {
    common.name = name;
    return common;
  }

  // The tree of nodes, without recursion: a hostile file may nest deeply or in circles.
  void read_nodes() {
    struct Visit {
      std::size_t node;
      Matrix world_from_parent;
      int depth;
    };
    std::vector<Visit> open;
    const Json& scene = element(gltf_, "scenes", whole(gltf_, "scene", 0));
    const auto enter = [&](const Json& nodes, const Matrix& matrix, int depth) {
      for (const Json& node : nodes) open.push_back({whole(Json{{"node", node}}, "node"), matrix, depth});
    };
    enter(scene.value("nodes", Json::array()), kIdentity, 0);
    for (std::size_t n = 0; !open.empty(); ++n) {
      if (n > kMostVisits) throw BadFile("its scene has more than " + std::to_string(kMostVisits) + " nodes");
      const Visit visit = open.back();
      open.pop_back();
      if (visit.depth > kDeepest) throw BadFile("its nodes are nested deeper than " + std::to_string(kDeepest));
      const Json& node = element(gltf_, "nodes", visit.node);
      const Matrix matrix = multiply(visit.world_from_parent, node_matrix(node));
      if (node.contains("mesh")) read_mesh(element(gltf_, "meshes", whole(node, "mesh")), matrix);
      if (node.contains("children")) enter(node.at("children"), matrix, visit.depth + 1);
    }
  }

  void read_mesh(const Json& mesh, const Matrix& matrix) {
    constexpr std::size_t kTriangles = 4, kStrip = 5, kFan = 6;
    for (const Json& primitive : mesh.value("primitives", Json::array())) {
      const std::size_t mode = whole(primitive, "mode", kTriangles);
      if (mode < kTriangles) continue;  // points and lines are no surfaces
      if (mode == kStrip || mode == kFan || mode > kFan) {
        throw BadFile("a primitive has the mode " + std::to_string(mode) + ", but must be triangles (4)");
      }
      const std::size_t last = world_.materials.size() - 1;
      const std::size_t material = std::min(whole(primitive, "material", last), last);
      read_triangles(primitive, matrix, static_cast<std::int32_t>(material));
    }
  }

  void read_triangles(const Json& primitive, const Matrix& matrix, std::int32_t material) {
    constexpr std::size_t kFloat = 5126;
    const Json& attributes = primitive.at("attributes");
    const Elements positions = elements(whole(attributes, "POSITION"), "VEC3", 12);
    if (positions.component != kFloat) throw BadFile("POSITION must hold 32-bit floats");
    Elements indices;
    const bool indexed = primitive.contains("indices");
    if (indexed) indices = elements(whole(primitive, "indices"), "SCALAR", 0);
    const std::size_t n = indexed ? indices.count : positions.count;
    if (world_.triangles.size() + n / 3 > kMostTriangles) {
      throw BadFile("it has more than " + std::to_string(kMostTriangles) + " triangles");
    }
    const bool flipped = mirrors(matrix);
    for (std::size_t i = 0; i + 2 < n; i += 3) {
      std::array<Vec3, 3> corners;
      for (std::size_t k = 0; k < 3; ++k) {
        corners[k] = corner(positions, indexed ? index(indices, i + k) : i + k, matrix);
      }
      if (flipped) std::swap(corners[1], corners[2]);
      world_.triangles.push_back({corners[0], corners[1], corners[2], material});
    }
  }

  // `size` of an element in bytes; 0: one component.
  [[nodiscard]] Elements elements(std::size_t accessor_index, const char* type, std::size_t size) const {
    const Json& accessor = element(gltf_, "accessors", accessor_index);
    if (accessor.value("type", "") != type) throw BadFile("an accessor must be of the type " + std::string(type));
    if (accessor.contains("sparse")) throw BadFile("sparse accessors are not supported");
    const Json& view = element(gltf_, "bufferViews", whole(accessor, "bufferView"));
    if (whole(view, "buffer") != 0) throw BadFile("its data must lie in the first buffer, inside the file");
    const std::size_t start = whole(view, "byteOffset", 0), length = whole(view, "byteLength");
    const std::size_t offset = whole(accessor, "byteOffset", 0);
    Elements e{{}, whole(accessor, "count"), 0, whole(accessor, "componentType")};
    const std::size_t needed = size > 0 ? size : component_size(e.component);
    e.stride = whole(view, "byteStride", needed);
    const bool fits = start <= binary_.size() && length <= binary_.size() - start && offset <= length &&
                      e.stride >= needed && e.stride <= 255 && e.count <= length &&
                      (e.count == 0 || (e.count - 1) * e.stride + needed <= length - offset);
    if (!fits) throw BadFile("accessors[" + std::to_string(accessor_index) + "] reaches beyond the data in the file");
    e.bytes = binary_.substr(start + offset, length - offset);
    return e;
  }

  static std::size_t component_size(std::size_t component) {
    if (component == 5121) return 1;
    if (component == 5123) return 2;
    if (component == 5125) return 4;
    throw BadFile("indices must be unsigned bytes, shorts or ints");
  }

  static std::size_t index(const Elements& indices, std::size_t i) {
    std::size_t value = 0;
    const std::size_t size = component_size(indices.component);
    for (std::size_t k = 0; k < size; ++k) {
      value |= std::size_t{static_cast<unsigned char>(indices.bytes[i * indices.stride + k])} << (8 * k);
    }
    return value;
  }

  static Vec3 corner(const Elements& positions, std::size_t i, const Matrix& m) {
    if (i >= positions.count)
      throw BadFile("an index is " + std::to_string(i) + ", but there are only " + std::to_string(positions.count) +
                    " corners");
    std::array<double, 3> p{};
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t word = word_at(positions.bytes, i * positions.stride + 4 * k);
      float value = 0;
      std::memcpy(&value, &word, sizeof value);
      p[k] = static_cast<double>(value);
    }
    const auto row = [&](std::size_t r) { return m[r] * p[0] + m[4 + r] * p[1] + m[8 + r] * p[2] + m[12 + r]; };
    const Vec3 corner{row(0), -row(2), row(1)};
    const bool near =
        std::fabs(corner.x) <= kFarthest && std::fabs(corner.y) <= kFarthest && std::fabs(corner.z) <= kFarthest;
    if (!near) throw BadFile("a corner is not a finite point within " + io::show(kFarthest) + " m");
    return corner;
  }

  void read_extras(const Json& ours) {
    if (whole(ours, "version") != 1) throw BadFile("its forerun extras have another version than 1");
    world_.name = ours.value("name", world_.name);
    for (const Json& json : ours.value("doors", Json::array())) {
      world::Door door;
      door.name = json.at("name").get<std::string>();
      const auto hinge = numbers<2>(json, "hinge_m", {0, 0});
      door.hinge = {hinge[0], hinge[1]};
      door.width = positive(json, "width_m");
      door.height = positive(json, "height_m");
      door.thickness = positive(json, "thickness_m");
      door.closed_angle = finite(json.at("closed_angle_rad"), "closed_angle_rad", 100);
      door.open_angle = finite(json.at("open_angle_rad"), "open_angle_rad", 100);
      door.open = json.at("open").get<bool>();
      door.material = static_cast<std::int32_t>(std::min(whole(json, "material"), world_.materials.size() - 1));
      world_.doors.push_back(door);
    }
  }

  static double positive(const Json& json, const char* key) {
    const double value = finite(json.at(key), key, 100);
    if (value <= 0) throw BadFile(std::string(key) + " is " + io::show(value) + ", but must be positive");
    return value;
  }

  const Json& gltf_;
  std::string_view binary_;
  world::World& world_;
};

struct Chunks {
  std::string_view json, binary;
};

Chunks split(std::string_view bytes) {
  constexpr std::uint32_t kJson = 0x4e4f534a, kBinary = 0x004e4942;
  if (!bytes.starts_with("glTF")) throw BadFile("it does not begin with \"glTF\"");
  if (bytes.size() < 20) throw BadFile("it is cut short");
  if (word_at(bytes, 4) != 2) throw BadFile("its version is " + std::to_string(word_at(bytes, 4)) + ", but must be 2");
  Chunks chunks;
  for (std::size_t at = 12; at + 8 <= bytes.size();) {
    const std::size_t length = word_at(bytes, at);
    if (length > bytes.size() - at - 8) throw BadFile("it is cut short");
    const std::string_view content = bytes.substr(at + 8, length);
    const std::uint32_t type = word_at(bytes, at + 4);
    if (type == kJson && chunks.json.empty()) chunks.json = content;
    if (type == kBinary && chunks.binary.empty()) chunks.binary = content;
    at += 8 + length;
  }
  return chunks;
}

// The extra material is only kept where it is used.
void drop_unused_plain(world::World& world) {
  const auto last = static_cast<std::int32_t>(world.materials.size() - 1);
  const auto is_last = [&](const auto& item) { return item.material == last; };
  const bool used = std::any_of(world.triangles.begin(), world.triangles.end(), is_last) ||
                    std::any_of(world.doors.begin(), world.doors.end(), is_last);
  if (!used && last > 0) world.materials.pop_back();
}

}  // namespace

Result<world::World> parse_glb(std::string_view bytes, const std::string& file) {
  world::World world;
  world.name = io::bare_name(file);
  try {
    const Chunks chunks = split(bytes);
    const Json gltf = Json::parse(chunks.json, refuse_depth);
    if (!gltf.is_object()) throw BadFile("its JSON is not an object");
    GlbReader(gltf, chunks.binary, world).read();
  } catch (const BadFile& bad) {
    return Error{file + " is not a usable glTF file: " + bad.what()};
  } catch (const std::exception& exception) {
    return Error{file + " is not a usable glTF file: " + io::quote(exception.what())};
  }
  drop_unused_plain(world);
  if (!world::has_floor(world))
    return Error{file + " describes a world without floor: no large level surface faces up"};
  return world;
}

Result<world::World> load_glb(const std::string& path) {
  const Result<std::string> bytes = io::read_file(path, io::kLargestData);
  if (!bytes) return bytes.error();
  return parse_glb(*bytes, path);
}

}  // namespace forerun::atlas
