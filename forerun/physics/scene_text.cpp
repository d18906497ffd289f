#include "forerun/physics/scene_text.hpp"

#include <algorithm>
#include <cstdio>

namespace forerun::physics {
namespace {

using robot::Crawler;

std::string text(double value) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.9g", value);
  return buffer;
}
std::string text(Vec3 v) { return text(v.x) + " " + text(v.y) + " " + text(v.z); }

std::string attribute(const char* name, const std::string& value) {
  return std::string(" ") + name + "=\"" + value + "\"";
}

std::string geom(const std::string& attributes) { return "<geom" + attributes + "/>\n"; }

// A solid box of even density.
Vec3 box_inertia(double mass, Vec3 size) {
  const auto one = [&](double a, double b) { return mass / 12 * (a * a + b * b); };
  return {one(size.y, size.z), one(size.x, size.z), one(size.x, size.y)};
}

std::string inertial(Vec3 place, double mass, Vec3 inertia) {
  return "<inertial" + attribute("pos", text(place)) + attribute("mass", text(mass)) +
         attribute("diaginertia", text(inertia)) + "/>\n";
}

// Wheels in a row carry a belt: spheres from one end to the other.
struct Row {
  Vec3 from, to;
  double from_radius = 0, to_radius = 0;
  int n = 2;
};

std::string belt(const Row& row, const std::string& prefix) {
  std::string made;
  for (int i = 0; i < row.n; ++i) {
    const double share = static_cast<double>(i) / (row.n - 1);
    made +=
        geom(attribute("name", prefix + std::to_string(i)) + attribute("class", "belt") + attribute("type", "sphere") +
             attribute("size", text(row.from_radius + (row.to_radius - row.from_radius) * share)) +
             attribute("pos", text(row.from + (row.to - row.from) * share)));
  }
  return made;
}

std::string main_track(const Crawler& c, std::size_t robot, bool left) {
  const double x = c.track_length / 2, y = left ? c.track_offset : -c.track_offset;
  return belt({{-x, y, 0}, {x, y, 0}, c.track_radius, c.track_radius, c.track_wheels}, belt_prefix(robot, left) + "m");
}

// The motor of one side: it turns inside the body, and its belts feel the ground (belts.hpp).
std::string sprocket(const Crawler& c, std::size_t robot, bool left) {
  constexpr double kTiny = 1e-6;
  return "<body>" + inertial({}, 1e-3, {kTiny, kTiny, kTiny}) + "<joint" +
         attribute("name", sprocket_name(robot, left)) + attribute("type", "hinge") + attribute("axis", "0 1 0") +
         attribute("armature", text(c.track_inertia)) + "/></body>\n";
}

std::string flipper(const Crawler& c, std::size_t robot, std::size_t which) {
  const double ahead = robot::is_front(which) ? 1 : -1, aside = robot::is_left(which) ? 1 : -1;
  const double mass = robot::flipper_mass(c);
  const double tip_share = c.tip_wheel_mass / mass, length = c.flipper_length;
  // two wheels as discs, a flipper's length apart
  const double apart = c.hinge_wheel_mass * tip_share * length * length;
  const double discs =
      0.5 * (c.hinge_wheel_mass * c.hinge_radius * c.hinge_radius + c.tip_wheel_mass * c.tip_radius * c.tip_radius);
  constexpr double kBeltWidth = 0.05;  // [m]
  const double wide = mass * kBeltWidth * kBeltWidth / 12;
  std::string made = "<body" + attribute("pos", text(Vec3{ahead * c.hinge.x, aside * c.hinge.y, 0})) + ">\n";
  made += inertial({ahead * length * tip_share, 0, 0}, mass,
                   {wide + 0.5 * discs, apart + discs, apart + wide + 0.5 * discs});
  // positive angles lift the tip
  made += "<joint" + attribute("name", flipper_name(robot, which)) + attribute("type", "hinge") +
          attribute("axis", text(Vec3{0, -ahead, 0})) + attribute("armature", "0.05") + "/>\n";
  const Row row{{}, {ahead * length, 0, 0}, c.hinge_radius, c.tip_radius, c.flipper_wheels};
  return made + belt(row, belt_prefix(robot, robot::is_left(which)) + "f" + std::to_string(which) + " ") + "</body>\n";
}

// What is between the tracks, no longer than they are: it slides over what touches it.
std::string belly(const Crawler& c) {
  const double half_width = std::max(0.01, c.track_offset - 0.03);
  const double low = -0.6 * c.track_radius, high = std::max(c.body_size.z / 2, low + 0.02);
  return geom(attribute("class", "body") + attribute("type", "box") +
              attribute("pos", text(Vec3{0, 0, (low + high) / 2})) +
              attribute("size", text(Vec3{c.track_length / 2, half_width, (high - low) / 2})));
}

std::string crawler(const Crawler& c, std::size_t robot) {
  const double whole = robot::total_mass(c);
  // flippers stretched front and rear are in balance
  const Vec3 place = c.center_of_gravity * (whole / c.body_mass);
  std::string made = "<body" + attribute("name", body_name(robot)) + "><freejoint/>\n" +
                     inertial(place, c.body_mass, box_inertia(c.body_mass, c.body_size)) + belly(c);
  for (const bool left : {true, false}) made += main_track(c, robot, left) + sprocket(c, robot, left);
  for (std::size_t i = 0; i < robot::kFlippers; ++i) made += flipper(c, robot, i);
  return made + "</body>\n";
}

std::string block(const world::Block& b) {
  const Rotation axes = rotation(b.attitude);
  return geom(attribute("type", "box") + attribute("pos", text(b.center)) + attribute("size", text(b.size * 0.5)) +
              attribute("xyaxes", text(axes.x) + " " + text(axes.y)));
}

double highest(const world::HeightMap& map) { return *std::max_element(map.heights.begin(), map.heights.end()); }
double lowest(const world::HeightMap& map) { return *std::min_element(map.heights.begin(), map.heights.end()); }

std::string height_map_asset(const world::HeightMap& map, std::size_t i) {
  const double height = std::max(highest(map) - lowest(map), 1e-3);
  return "<hfield" + attribute("name", "heights " + std::to_string(i)) + attribute("nrow", std::to_string(map.rows)) +
         attribute("ncol", std::to_string(map.columns)) +
         attribute("size", text(0.5 * map.cell * (map.columns - 1)) + " " + text(0.5 * map.cell * (map.rows - 1)) +
                               " " + text(height) + " 1") +
         "/>\n";
}

std::string height_map(const world::HeightMap& map, std::size_t i) {
  const Vec3 middle{map.corner.x + 0.5 * map.cell * (map.columns - 1), map.corner.y + 0.5 * map.cell * (map.rows - 1),
                    lowest(map)};
  return geom(attribute("type", "hfield") + attribute("hfield", "heights " + std::to_string(i)) +
              attribute("pos", text(middle)));
}

// Room for contacts: a robot that lies on a step field has about a hundred. More would cost time in each step.
std::string size(std::size_t n_robots) {
  const std::size_t contacts = 100 + 150 * n_robots;
  return "<size" + attribute("nconmax", std::to_string(contacts)) + attribute("njmax", std::to_string(3 * contacts)) +
         "/>\n";
}

// Belts meet the ground and each other with their own friction: MuJoCo takes the larger of two, so the ground's is
// small.
constexpr const char* kBeginning = R"(<mujoco>
<compiler angle="radian" inertiafromgeom="false"/>
<default>
<geom condim="3" friction="0.01 0.005 0.0001"/>
<default class="belt"><geom mass="0" group="3" friction="0.3 0.005 0.0001"/></default>
<default class="body"><geom mass="0" group="3" friction="0.3 0.005 0.0001"/></default>
</default>
)";

}  // namespace

std::string body_name(std::size_t robot) { return "body " + std::to_string(robot); }
std::string sprocket_name(std::size_t robot, bool left) {
  return "sprocket " + std::to_string(robot) + (left ? " left" : " right");
}
std::string flipper_name(std::size_t robot, std::size_t flipper) {
  return "flipper " + std::to_string(robot) + " " + std::to_string(flipper);
}
std::string belt_prefix(std::size_t robot, bool left) {
  return "belt " + std::to_string(robot) + (left ? " left " : " right ");
}

std::string make_scene_text(const world::Terrain& terrain, std::span<const Crawler> robots) {
  std::string made = kBeginning;
  made += "<option" + attribute("timestep", text(kStep)) + attribute("cone", "elliptic") +
          attribute("solver", "Newton") + attribute("integrator", "Euler") + attribute("impratio", "10") +
          attribute("jacobian", "dense") + "/>\n" + size(robots.size()) + "<asset>\n";
  for (std::size_t i = 0; i < terrain.height_maps.size(); ++i) made += height_map_asset(terrain.height_maps[i], i);
  made += "</asset>\n<worldbody>\n";
  if (!terrain.is_rough()) made += geom(attribute("type", "plane") + attribute("size", "0 0 1"));
  for (const world::Block& b : terrain.blocks) made += block(b);
  for (std::size_t i = 0; i < terrain.height_maps.size(); ++i) made += height_map(terrain.height_maps[i], i);
  for (std::size_t i = 0; i < robots.size(); ++i) made += crawler(robots[i], i);
  return made + "</worldbody>\n</mujoco>\n";
}

}  // namespace forerun::physics
