#include "forerun/io/robot_file.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "forerun/io/file.hpp"
#include "forerun/io/robot_writer.hpp"
#include "forerun/io/text.hpp"
#include "forerun/io/yaml_reader.hpp"
#include "forerun/navigate/control_systems.hpp"
#include "forerun/robot/convex_outline.hpp"

namespace forerun::io {

namespace {

using robot::Description;

template <class Simple>
void read_geometry(YamlMap& yaml, Simple& geometry) {
  yaml.read_fields(geometry);
}

// Wheels of one diameter on both sides, unless it is said for each.
void read_diameters(YamlMap& yaml, robot::DifferentialGeometry& pair) {
  double both = pair.left_diameter;
  yaml.read("wheel_diameter_m", both, robot::kWheelDiameter);
  pair.left_diameter = pair.right_diameter = both;
  yaml.require("base_m");
}

void read_geometry(YamlMap& yaml, robot::DifferentialGeometry& pair) {
  read_diameters(yaml, pair);
  yaml.read_fields(pair);
}

void read_geometry(YamlMap& yaml, robot::TrackedGeometry& tracked) {
  read_diameters(yaml, tracked.tracks);
  yaml.read_fields(tracked);
}

void read_geometry(YamlMap& yaml, robot::OmniGeometry& wheels) {
  std::vector<double> bearings_deg{60, 180, 300};
  yaml.read_fields(wheels);
  yaml.read("bearings_deg", bearings_deg, Field{-360, 360, "where the wheels sit [degrees]"});
  if (bearings_deg.size() < 3 || bearings_deg.size() > robot::kMaxWheels) {
    yaml.fail("bearings_deg", "has " + std::to_string(bearings_deg.size()) + " numbers, but must have 3 or 4");
    return;
  }
  for (const double bearing_deg : bearings_deg) wheels.bearings.push_back(bearing_deg * kPi / 180);
  if (!robot::bearings_differ(wheels.bearings)) {
    yaml.fail("bearings_deg", "has two wheels less than 10 degrees apart, but they must stand farther apart");
  }
}

void read_geometry(YamlMap& yaml, robot::CarGeometry& car) {
  for (const char* key : {"base_m", "wheelbase_m", "steering_limit_rad"}) yaml.require(key);
  yaml.read_fields(car);
}

void read_geometry(YamlMap& yaml, robot::TricycleGeometry& tricycle) { read_geometry(yaml, tricycle.car); }

void read_drive(YamlMap& yaml, Description& description) {
  int kind = 1;
  double ticks_per_turn = 0;
  yaml.require("type");
  yaml.read_choice("type", kind, {robot::kDriveNames.begin(), robot::kDriveNames.end()});
  yaml.read("ticks_per_turn", ticks_per_turn, Field{0, 1e7, "encoder ticks per turn of a wheel; 0: no encoders"});
  robot::Geometry geometry = robot::default_geometry(static_cast<robot::DriveKind>(kind));
  std::visit([&](auto& g) { read_geometry(yaml, g); }, geometry);
  if (yaml.failed()) return;
  description.drive = robot::make_drive(geometry);
  description.drive.ticks_per_turn = ticks_per_turn;
}

double doubled_area(const std::vector<Vec2>& polygon) {
  double sum = 0;
  for (std::size_t i = 0; i < polygon.size(); ++i) sum += cross(polygon[i], polygon[(i + 1) % polygon.size()]);
  return sum;
}

void read_corners(YamlMap& yaml, robot::Footprint& footprint) {
  std::vector<Vec2> corners;
  yaml.read("corners_m", corners, Field{-5, 5, "corner of the outline [m]"});
  if (yaml.failed()) return;
  if (corners.size() < 3 || corners.size() > robot::kMaxCorners) {
    yaml.fail("corners_m", "has " + std::to_string(corners.size()) + " corners, but must have 3 to " +
                               std::to_string(robot::kMaxCorners));
    return;
  }
  if (doubled_area(corners) < 0) std::reverse(corners.begin(), corners.end());
  if (!robot::is_convex(corners)) {
    yaml.fail("corners_m", "is not convex, but must go once around a convex outline");
  } else if (!robot::encloses_origin(corners)) {
    yaml.fail("corners_m", "does not enclose [0, 0], but the robot must turn about a point inside");
  }
  if (yaml.failed()) return;
  footprint.radius = 0;
  for (const Vec2 corner : corners) {
    footprint.corners.push_back(corner);
    footprint.radius = std::max(footprint.radius, length(corner));
  }
}

void read_footprint(YamlMap& yaml, robot::Footprint& footprint) {
  if (yaml.has("corners_m")) {
    read_corners(yaml, footprint);
    if (yaml.has("radius_m")) yaml.fail("radius_m", "stands beside corners_m, but only one of the two is allowed");
    return;
  }
  yaml.require("radius_m");
  yaml.read("radius_m", footprint.radius, Field{0.02, 5, "radius of the disc [m]"});
}

template <class Kind>
void read_sensor(YamlMap& yaml, Description& description) {
  Kind sensor;
  yaml.read_fields(sensor);
  robot::visit_ordered_pairs(sensor, [&](const robot::OrderedPair& pair) {
    if (pair.low < pair.high) return;
    yaml.fail(pair.low_key,
              "is " + show(pair.low) + ", but must be less than " + pair.high_key + ", which is " + show(pair.high));
  });
  std::vector<robot::Sensor>& sensors = description.sensors;
  const auto n = std::count_if(sensors.begin(), sensors.end(),
                               [](const robot::Sensor& s) { return std::holds_alternative<Kind>(s); });
  if (n == Kind::kKind.most) {
    yaml.fail("", "is one " + std::string(Kind::kKind.name) + " too many: a robot may have " + std::to_string(n));
  }
  // a ring without members is none
  if (robot::reading_size(sensor) > 0) sensors.emplace_back(std::move(sensor));
}

void read_sensors(YamlMap& yaml, Description& description) {
  robot::for_each_sensor_kind([&](const auto& kind) {
    using Kind = std::decay_t<decltype(kind)>;
    const auto read = [&](YamlMap& map) { read_sensor<Kind>(map, description); };
    if (Kind::kKind.most > 1) {
      yaml.each(Kind::kKind.key, read);
    } else {
      yaml.with(Kind::kKind.key, read);
    }
  });
}

template <std::size_t N>
void read_name(YamlMap& yaml, const char* key, std::string& name, const std::array<const char*, N>& known) {
  int which = 0;
  yaml.read_choice(key, which, {known.begin(), known.end()});
  name = known[static_cast<std::size_t>(which)];
}

void read_control(YamlMap& yaml, Description& description) {
  yaml.read_fields(description.control);
  read_name(yaml, "system", description.control_system, navigate::kControlSystems);
  read_name(yaml, "planner", description.planner, navigate::kPlanners);
}

void read_crawler(YamlMap& yaml, robot::Crawler& crawler) {
  yaml.read_fields(crawler);
  yaml.with("front_camera", [&](YamlMap& eye) { eye.read_fields(crawler.front); });
  yaml.with("above_camera", [&](YamlMap& eye) { eye.read_fields(crawler.above); });
}

void read_description(YamlMap& yaml, Description& description) {
  for (const char* key : {"name", "height_m", "footprint", "drive"}) yaml.require(key);
  yaml.read("name", description.name);
  yaml.read("height_m", description.height, Field{0.05, 5, "height of the robot [m]"});
  yaml.with("footprint", [&](YamlMap& footprint) { read_footprint(footprint, description.footprint); });
  yaml.with("drive", [&](YamlMap& drive) { read_drive(drive, description); });
  yaml.with("limits", [&](YamlMap& limits) { limits.read_fields(description.limits); });
  yaml.with("control", [&](YamlMap& control) { read_control(control, description); });
  read_sensors(yaml, description);
  yaml.with("crawler", [&](YamlMap& crawler) { read_crawler(crawler, description.crawler.emplace()); });
  if (description.crawler && !description.drive.has_sides()) {
    yaml.fail("drive", "has no left and right side, but a crawler needs both");
  }
  yaml.with("camera", [&](YamlMap& eye) { eye.read_fields(description.camera.emplace()); });
  if (description.camera && description.crawler) {
    yaml.fail("camera", "stands beside a crawler, which has cameras of its own: front_camera and above_camera");
  }
  // written by `forerun calibrate` for other programs; here the drive counts
  Ros2Control unused;
  yaml.with("ros2_control", [&](YamlMap& names) { names.read_fields(unused); });
}

}  // namespace

Result<Description> parse_robot(std::string_view text, const std::string& file) {
  Description description;
  const Result<void> read = read_yaml(text, file, [&](YamlMap& yaml) { read_description(yaml, description); });
  if (!read) return read.error();
  return description;
}

Result<Description> load_robot(const std::string& path) {
  const Result<std::string> text = read_file(path, kLargestText);
  if (!text) return text.error();
  return parse_robot(*text, path);
}

}  // namespace forerun::io
