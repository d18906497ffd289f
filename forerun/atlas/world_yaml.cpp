#include "forerun/atlas/world_yaml.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "forerun/atlas/door_leaf.hpp"
#include "forerun/atlas/palette.hpp"
#include "forerun/atlas/solids.hpp"
#include "forerun/atlas/terrain_yaml.hpp"
#include "forerun/atlas/walls.hpp"
#include "forerun/io/text.hpp"
#include "forerun/io/yaml_reader.hpp"

namespace forerun::atlas {

namespace {

using io::YamlMap;

constexpr Field kPlace{-2000, 2000, "place [m]"};
constexpr Field kSize{0.005, 4000, "size [m]"};
constexpr Field kHeight{0.005, 50, "height [m]"};
constexpr Field kBase{0, 50, "height above the floor [m]"};
constexpr Field kThickness{0.01, 2, "thickness [m]"};
constexpr Field kDegrees{-360, 360, "angle [degrees]"};
constexpr std::size_t kMostWalls = 5000;   // laying them costs the square of this
constexpr std::size_t kMostFloors = 2000;  // likewise
constexpr std::size_t kMostTriangles = 1000000;

constexpr double radians(double degrees) { return degrees * kPi / 180; }

class WorldReader {
 public:
  WorldReader(world::World& world, const std::string& file)
      : world_(world),
        terrain_(
            world,
            [this](YamlMap& yaml, const char* key, const std::string& usual) { return read_surface(yaml, key, usual); },
            file) {}

  void read(YamlMap& yaml);

 private:
  void read_material(YamlMap& yaml);
  void read_room(YamlMap& yaml);
  void read_wall(YamlMap& yaml);
  void read_doorway(YamlMap& yaml);
  void read_window(YamlMap& yaml);
  void read_door(YamlMap& yaml);
  void read_box(YamlMap& yaml);
  void read_cylinder(YamlMap& yaml);
  void read_table(YamlMap& yaml);
  void read_chair(YamlMap& yaml);

  std::int32_t read_surface(YamlMap& yaml, const char* key, const std::string& usual);
  Pose2 read_place(YamlMap& yaml);
  Rectangle read_rectangle(YamlMap& yaml);
  Wall read_wall_kind(YamlMap& yaml);
  void lay_floor(YamlMap& yaml, const Rectangle& rectangle, std::int32_t material);
  void lay_wall(YamlMap& yaml, const Wall& wall);
  Cut cut(YamlMap& yaml, const Opening& opening);
  void hang(YamlMap& yaml, const Cut& cut, const Leaf& leaf);
  void add_door(YamlMap& yaml, const world::Door& door);
  void add_legs(const Pose2& place, Vec2 span, const Extent& extent, double leg);

  world::World& world_;
  Palette palette_;
  WallPlan walls_;
  TerrainReader terrain_;
  std::vector<Rectangle> floors_;  // and what is cut from them
  std::vector<Rectangle> laid_;    // what is left of them, side by side
  Wall usual_wall_;                // `material` is not set: it is entered at its first use
  std::string usual_wall_material_ = "plaster";
  std::string usual_floor_material_ = "linoleum";
};

void WorldReader::read(YamlMap& yaml) {
  yaml.read("name", world_.name);
  yaml.each("materials", [&](YamlMap& item) { read_material(item); });
  yaml.read("wall_height_m", usual_wall_.height, kHeight);
  yaml.read("wall_thickness_m", usual_wall_.thickness, kThickness);
  yaml.read("wall_material", usual_wall_material_);
  yaml.read("floor_material", usual_floor_material_);

  // what lies on the ground first, then what is cut into it, then what stands on it
  floors_ = terrain_.read_cuts(yaml);
  yaml.each("floors", [&](YamlMap& item) {
    lay_floor(item, read_rectangle(item), read_surface(item, "material", usual_floor_material_));
  });
  yaml.each("rooms", [&](YamlMap& item) { read_room(item); });
  yaml.each("walls", [&](YamlMap& item) { read_wall(item); });
  yaml.each("doorways", [&](YamlMap& item) { read_doorway(item); });
  yaml.each("windows", [&](YamlMap& item) { read_window(item); });
  if (!yaml.failed()) walls_.raise(world_);
  yaml.each("doors", [&](YamlMap& item) { read_door(item); });
  yaml.each("boxes", [&](YamlMap& item) { read_box(item); });
  yaml.each("cylinders", [&](YamlMap& item) { read_cylinder(item); });
  yaml.each("tables", [&](YamlMap& item) { read_table(item); });
  yaml.each("chairs", [&](YamlMap& item) { read_chair(item); });
  terrain_.read_solids(yaml);
  terrain_.finish(yaml, laid_);
}

void WorldReader::read_material(YamlMap& yaml) {
  world::Material material;
  std::vector<double> colour{material.red, material.green, material.blue};
  yaml.require("name");
  yaml.read("name", material.name);
  yaml.read("colour", colour, Field{0, 1, "red, green, blue"});
  if (colour.size() != 3) {
    yaml.fail("colour", "has " + std::to_string(colour.size()) + " numbers, but must be [red, green, blue]");
    return;
  }
  yaml.with("sonar", [&](YamlMap& sonar) {
    double angle_deg = 34, slope_deg = 3, range_deg = 20;
    sonar.read("reflection_angle_deg", angle_deg, Field{0, 90, "sure echo up to this angle [degrees]"});
    sonar.read("slope_deg_per_m", slope_deg, Field{0, 90, "fall of that angle with distance [degrees/m]"});
    sonar.read("range_deg", range_deg, Field{0.1, 90, "echoes die out over this range [degrees]"});
    material.reflection_angle = radians(angle_deg);
    material.reflection_angle_slope = radians(slope_deg);
    material.reflection_range = radians(range_deg);
  });
  material.red = colour[0];
  material.green = colour[1];
  material.blue = colour[2];
  palette_.add(material);
}

std::int32_t WorldReader::read_surface(YamlMap& yaml, const char* key, const std::string& usual) {
  std::string name = usual;
  yaml.read(key, name);
  const std::int32_t material = palette_.use(name, world_);
  if (material >= 0) return material;
  yaml.fail(key, "is " + io::quote(name) + ", which is not a known material; the nearest known one is " +
                     io::quote(io::nearest_word(name, palette_.names())));
  return 0;
}

Rectangle WorldReader::read_rectangle(YamlMap& yaml) {
  Vec2 from, to{1, 1};
  yaml.require("from");
  yaml.require("to");
  yaml.read("from", from, kPlace);
  yaml.read("to", to, kPlace);
  const Rectangle r{{std::min(from.x, to.x), std::min(from.y, to.y)}, {std::max(from.x, to.x), std::max(from.y, to.y)}};
  if (r.high.x - r.low.x < kSize.low || r.high.y - r.low.y < kSize.low) {
    yaml.fail("to", "is the same as from in x or in y, but both must differ");
  }
  return r;
}

void WorldReader::lay_floor(YamlMap& yaml, const Rectangle& rectangle, std::int32_t material) {
  if (yaml.failed()) return;
  if (floors_.size() >= kMostFloors) {
    yaml.fail("", "is one floor too many: a world may have " + std::to_string(kMostFloors));
    return;
  }
  // the first of two floors that overlap counts, because two in one place would flicker
  for (const Rectangle& part : subtract(rectangle, floors_)) {
    add_floor(world_, part, material);
    laid_.push_back(part);
  }
  floors_.push_back(rectangle);
  if (world_.triangles.size() > kMostTriangles) yaml.fail("", "makes the floor too complicated");
}

Wall WorldReader::read_wall_kind(YamlMap& yaml) {
  Wall wall = usual_wall_;
  yaml.read("height_m", wall.height, kHeight);
  yaml.read("thickness_m", wall.thickness, kThickness);
  wall.material = read_surface(yaml, "material", usual_wall_material_);
  return wall;
}

void WorldReader::lay_wall(YamlMap& yaml, const Wall& wall) {
  if (yaml.failed()) return;
  if (walls_.size() >= kMostWalls) {
    yaml.fail("", "is one wall too many: a world may have " + std::to_string(kMostWalls));
    return;
  }
  walls_.add(wall);
}

void WorldReader::read_room(YamlMap& yaml) {
  std::string name;
  std::vector<std::string> sides = kCompass;
  yaml.read("name", name);
  const Rectangle r = read_rectangle(yaml);
  Wall wall = read_wall_kind(yaml);
  const std::int32_t floor = read_surface(yaml, "floor", usual_floor_material_);
  yaml.read("sides", sides);
  lay_floor(yaml, r, floor);

  const std::array<Vec2, 4> corners{Vec2{r.high.x, r.low.y}, r.high, Vec2{r.low.x, r.high.y}, r.low};
  for (const std::string& side : sides) {
    const auto place = std::find(kCompass.begin(), kCompass.end(), side);
    if (place == kCompass.end()) {
      yaml.fail("sides", "has " + io::quote(side) + ", but must be a list of " + io::join_choices(kCompass));
      return;
    }
    const auto i = static_cast<std::size_t>(place - kCompass.begin());
    wall.a = corners[i];
    wall.b = corners[(i + 1) % 4];
    lay_wall(yaml, wall);
  }
}

void WorldReader::read_wall(YamlMap& yaml) {
  std::vector<Vec2> points;
  bool closed = false;
  yaml.require("points");
  yaml.read("points", points, kPlace);
  yaml.read("closed", closed);
  Wall wall = read_wall_kind(yaml);
  if (yaml.has("points") && points.size() < 2) yaml.fail("points", "must have at least two points");
  if (closed && points.size() > 1) points.push_back(points.front());
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    wall.a = points[i];
    wall.b = points[i + 1];
    lay_wall(yaml, wall);
  }
}

Cut WorldReader::cut(YamlMap& yaml, const Opening& opening) {
  if (yaml.failed() || !yaml.has("at")) return {};
  const Result<Cut> result = walls_.cut(opening);
  if (result) return *result;
  yaml.fail("at", "is [" + io::show(opening.at.x) + ", " + io::show(opening.at.y) + "]: the opening " +
                      result.error().message);
  return {};
}

void WorldReader::read_doorway(YamlMap& yaml) {
  Opening opening;
  yaml.require("at");
  yaml.read("at", opening.at, kPlace);
  yaml.read("width_m", opening.width, Field{0.1, 100, "width [m]"});
  yaml.read("height_m", opening.height, kHeight);
  const Cut place = cut(yaml, opening);
  yaml.with("door", [&](YamlMap& door) {
    Leaf leaf;
    int hinge = 0, swings = 1;
    for (const char* key : {"name", "hinge", "swings"}) door.require(key);
    door.read("name", leaf.name);
    door.read_choice("hinge", hinge, kCompass);
    door.read_choice("swings", swings, kCompass);
    door.read("opens_deg", leaf.opens_deg, Field{10, 180, "how far it opens [degrees]"});
    door.read("open", leaf.open);
    leaf.material = read_surface(door, "material", "wood");
    leaf.hinge = static_cast<std::size_t>(hinge);
    leaf.swings = static_cast<std::size_t>(swings);
    leaf.height = opening.height;
    if (door.has("hinge") && door.has("swings")) hang(door, place, leaf);
  });
}

void WorldReader::hang(YamlMap& yaml, const Cut& cut, const Leaf& leaf) {
  if (yaml.failed()) return;
  const std::optional<world::Door> door = hang_leaf(cut, leaf);
  if (door) {
    add_door(yaml, *door);
  } else {
    yaml.fail("hinge", "is " + kCompass[leaf.hinge] + " and swings " + kCompass[leaf.swings] +
                           ", but must name a side of the doorway and a side of the wall");
  }
}

void WorldReader::add_door(YamlMap& yaml, const world::Door& door) {
  const auto same = [&](const world::Door& other) { return other.name == door.name; };
  if (std::any_of(world_.doors.begin(), world_.doors.end(), same)) {
    yaml.fail("name", "is " + io::quote(door.name) + ", but another door has this name already");
  }
  world_.doors.push_back(door);
}

void WorldReader::read_window(YamlMap& yaml) {
  Opening window{.at = {}, .width = 1.2, .sill = 0.9, .height = 1.2, .pane = -1};
  yaml.require("at");
  yaml.read("at", window.at, kPlace);
  yaml.read("width_m", window.width, Field{0.1, 100, "width [m]"});
  yaml.read("sill_m", window.sill, kBase);
  yaml.read("height_m", window.height, kHeight);
  window.pane = read_surface(yaml, "pane", "glass");
  cut(yaml, window);
}

void WorldReader::read_door(YamlMap& yaml) {
  world::Door door;
  double closed_deg = 0, open_deg = 90;
  for (const char* key : {"name", "hinge"}) yaml.require(key);
  yaml.read("name", door.name);
  yaml.read("hinge", door.hinge, kPlace);
  yaml.read("width_m", door.width, Field{0.1, 10, "width [m]"});
  yaml.read("height_m", door.height, kHeight);
  yaml.read("thickness_m", door.thickness, Field{0.005, 0.5, "thickness [m]"});
  yaml.read("closed_deg", closed_deg, kDegrees);
  yaml.read("open_deg", open_deg, kDegrees);
  yaml.read("open", door.open);
  door.material = read_surface(yaml, "material", "wood");
  door.closed_angle = radians(closed_deg);
  door.open_angle = radians(open_deg);
  add_door(yaml, door);
}

// Where a piece of furniture stands and which way it faces.
Pose2 WorldReader::read_place(YamlMap& yaml) {
  Vec2 at;
  double heading_deg = 0;
  std::string name;
  yaml.require("at");
  yaml.read("name", name);
  yaml.read("at", at, kPlace);
  yaml.read("heading_deg", heading_deg, kDegrees);
  if (world_.triangles.size() > kMostTriangles) {
    yaml.fail("", "is too much: a world may have " + std::to_string(kMostTriangles) + " triangles");
  }
  return {at.x, at.y, radians(heading_deg)};
}

void WorldReader::read_box(YamlMap& yaml) {
  const Pose2 place = read_place(yaml);
  Vec2 size{1, 1};
  double height = 1, base = 0;
  yaml.require("size_m");
  yaml.read("size_m", size, kSize);
  yaml.read("height_m", height, kHeight);
  yaml.read("base_m", base, kBase);
  const std::int32_t material = read_surface(yaml, "material", "wood");
  if (!yaml.failed()) add_box(world_, place, size, {base, base + height, material});
}

void WorldReader::read_cylinder(YamlMap& yaml) {
  const Pose2 place = read_place(yaml);
  double radius = 0.25, height = 1, base = 0;
  int sides = 16;
  yaml.require("radius_m");
  yaml.read("radius_m", radius, Field{0.005, 100, "radius [m]"});
  yaml.read("height_m", height, kHeight);
  yaml.read("base_m", base, kBase);
  yaml.read("sides", sides, Field{3, 64, "sides of the prism that stands for it"});
  const std::int32_t material = read_surface(yaml, "material", "stone");
  if (!yaml.failed()) add_cylinder(world_, place.position(), radius, sides, {base, base + height, material});
}

// Four posts that touch the corners of `span` from inside.
void WorldReader::add_legs(const Pose2& place, Vec2 span, const Extent& extent, double leg) {
  for (const Vec2 corner : {Vec2{-1, -1}, Vec2{1, -1}, Vec2{1, 1}, Vec2{-1, 1}}) {
    const Vec2 at = place * Vec2{corner.x * (span.x - leg) / 2, corner.y * (span.y - leg) / 2};
    add_box(world_, {at.x, at.y, place.theta}, {leg, leg}, extent);
  }
}

void WorldReader::read_table(YamlMap& yaml) {
  const Pose2 place = read_place(yaml);
  Vec2 size{1.6, 0.8};
  double height = 0.75, top = 0.05, leg = 0.05;
  yaml.read("size_m", size, Field{0.2, 50, "length and width [m]"});
  yaml.read("height_m", height, Field{0.1, 5, "height [m]"});
  yaml.read("top_m", top, Field{0.005, 0.09, "thickness of the top [m]"});
  yaml.read("leg_m", leg, Field{0.01, 0.2, "edge of a leg [m]"});
  const std::int32_t material = read_surface(yaml, "material", "wood");
  if (yaml.failed()) return;
  add_box(world_, place, size, {height - top, height, material});
  add_legs(place, size, {0, height - top, material}, leg);
}

void WorldReader::read_chair(YamlMap& yaml) {
  constexpr double kSeat = 0.45, kSeatThickness = 0.05, kBack = 0.9, kBackThickness = 0.04, kLeg = 0.04;  // [m]
  const Pose2 place = read_place(yaml);
  const std::int32_t material = read_surface(yaml, "material", "wood");
  if (yaml.failed()) return;
  add_box(world_, place, {kSeat, kSeat}, {kSeat - kSeatThickness, kSeat, material});
  add_legs(place, {kSeat, kSeat}, {0, kSeat - kSeatThickness, material}, kLeg);
  const Vec2 back = place * Vec2{-(kSeat - kBackThickness) / 2, 0};
  add_box(world_, {back.x, back.y, place.theta}, {kBackThickness, kSeat}, {kSeat, kBack, material});
}

}  // namespace

Result<world::World> parse_world_yaml(std::string_view text, const std::string& file) {
  world::World world;
  world.name = io::bare_name(file);
  const Result<void> read = io::read_yaml(text, file, [&](YamlMap& yaml) { WorldReader(world, file).read(yaml); });
  if (!read) return read.error();
  if (!world::has_floor(world)) return Error{file + " describes a world without floor, but needs floors or rooms"};
  return world;
}

}  // namespace forerun::atlas
