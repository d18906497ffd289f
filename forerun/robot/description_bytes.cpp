#include "forerun/robot/description_bytes.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "forerun/base/field_bytes.hpp"
#include "forerun/robot/convex_outline.hpp"

namespace forerun::robot {
namespace {

constexpr std::uint16_t kVersion = 2;                    // 1: up to 0.2, with one ring of each kind beside the lasers
constexpr std::size_t kSmallestSensor = 1 + 4 + 4 * 8;   // in bytes: a bumper
constexpr std::size_t kLargestResponse = 200'000;        // in bytes
constexpr std::size_t kMaxSensors = 64;                  // more than all kinds together allow
constexpr std::size_t kCameraSize = std::size_t{5} * 8;  // in bytes; a crawler is longer

constexpr Field kHeight{0.05, 5, ""};
constexpr Field kRadius{0.02, 7.1, ""};  // corners lie up to 5 m away along both axes
constexpr Field kCorner{-5, 5, ""};
constexpr Field kBearing{-6.3, 6.3, ""};  // a full turn to either side
constexpr Field kTicks{0, 1e7, ""};

// The base knows no poses.
struct Writer : FieldWriter {
  using FieldWriter::operator();
  void operator()(const char* name, const Pose2& pose, const Field& field) {
    for (const double c : {pose.x, pose.y, pose.theta}) (*this)(name, c, field);
  }
};
struct Reader : FieldReader {
  using FieldReader::FieldReader;
  using FieldReader::operator();
  void operator()(const char* name, Pose2& pose, const Field& field) {
    for (double* c : {&pose.x, &pose.y, &pose.theta}) (*this)(name, *c, field);
  }
};

void read_footprint(Reader& in, Footprint& footprint) {
  in.enter("footprint");
  in("radius_m", footprint.radius, kRadius);
  footprint.corners.resize(in.choice("corner count", 0, kMaxCorners));
  for (Vec2& corner : footprint.corners) {
    in("corner x_m", corner.x, kCorner);
    in("corner y_m", corner.y, kCorner);
  }
  if (in.failed() || footprint.is_disc()) return;
  const std::span<const Vec2> corners(footprint.corners.data(), footprint.corners.size());
  if (!is_convex(corners) || !encloses_origin(corners)) {
    in.fail("corners", "must go once around a convex outline that encloses the origin");
    return;
  }
  double farthest = 0;
  for (const Vec2 corner : footprint.corners) farthest = std::max(farthest, length(corner));
  if (footprint.radius != farthest) in.fail("radius_m", "is not the distance of the farthest corner");
}

void write_drive(Writer& out, Drive& drive) {
  out.u8(static_cast<std::uint8_t>(drive.kind));
  std::visit([&](auto& geometry) { visit_fields(geometry, out); }, drive.geometry);
  if (const auto* omni = std::get_if<OmniGeometry>(&drive.geometry)) {
    out.u8(static_cast<std::uint8_t>(omni->bearings.size()));
    for (const double bearing : omni->bearings) out.f64(bearing);
  }
  out.f64(drive.ticks_per_turn);
}

void read_bearings(Reader& in, OmniGeometry& omni) {
  omni.bearings.resize(in.choice("wheel count", 3, kMaxWheels));
  for (double& bearing : omni.bearings) in("bearing", bearing, kBearing);
  if (!bearings_differ(omni.bearings)) in.fail("bearings", "has two wheels less than 10 degrees apart");
}

void read_drive(Reader& in, Drive& drive) {
  in.enter("drive");
  Geometry geometry = default_geometry(static_cast<DriveKind>(in.choice("kind", 0, kDriveNames.size() - 1)));
  std::visit([&](auto& g) { visit_fields(g, in); }, geometry);
  if (auto* omni = std::get_if<OmniGeometry>(&geometry)) read_bearings(in, *omni);
  if (!in.failed()) drive = make_drive(geometry);
  in("ticks_per_turn", drive.ticks_per_turn, kTicks);
}

// The kind of this number, with its defaults.
Sensor make_sensor(std::size_t number) {
  Sensor made;
  std::size_t i = 0;
  for_each_sensor_kind([&](const auto& kind) {
    if (i++ == number) made = kind;
  });
  return made;
}

void read_sensor(Reader& in, Sensor& sensor) {
  std::visit(
      [&](auto& s) {
        visit_fields(s, in);
        visit_ordered_pairs(s, [&](const OrderedPair& pair) {
          if (pair.low >= pair.high) in.fail(pair.low_key, "must be less than the other end of its range");
        });
      },
      sensor);
}

void read_sensors(Reader& in, std::vector<Sensor>& sensors) {
  constexpr std::size_t kKinds = std::variant_size_v<Sensor>;
  std::array<int, kKinds> n_of_kind{};
  const std::size_t n = in.count("sensor", kMaxSensors, kSmallestSensor);
  for (std::size_t i = 0; i < n && !in.failed(); ++i) {
    in.enter("sensor " + std::to_string(i));
    const std::size_t kind = in.choice("kind", 0, kKinds - 1);
    sensors.push_back(make_sensor(kind));
    const SensorKind& about = kind_of(sensors.back());
    in.enter(about.most > 1 ? about.name + (" " + std::to_string(n_of_kind[kind])) : about.name);
    read_sensor(in, sensors.back());
    if (++n_of_kind[kind] > about.most) in.fail("kind", "stands there more often than a robot may have it");
  }
}

// What it says is for whoever predicts with it to judge. Empty only where something follows.
void read_response(Reader& in, std::vector<std::uint8_t>& response) {
  const std::size_t size = in.count("response", kLargestResponse, 1);
  const Bytes bytes = in.bytes(size);
  if (size == 0 && in.at_end()) in.fail("response", "must not be empty where it is there");
  if (!in.failed()) response.assign(bytes.begin(), bytes.end());
}

template <class Visit>
void visit_crawler(Crawler& crawler, Visit& visit) {
  visit_fields(crawler, visit);
  visit_fields(crawler.front, visit);
  visit_fields(crawler.above, visit);
}

// Behind the response: a crawler, which has cameras of its own, or a camera.
void read_rest(Reader& in, Description& d) {
  if (in.remaining() == kCameraSize) {
    in.enter("camera");
    visit_fields(d.camera.emplace(), in);
  } else {
    in.enter("crawler");
    visit_crawler(d.crawler.emplace(), in);
  }
}

}  // namespace

std::vector<std::uint8_t> to_bytes(const Description& description) {
  Description d = description;  // field lists visit what could be changed
  Writer out;
  out.u16(kVersion);
  out("name", d.name, Field{});
  out("height_m", d.height, kHeight);
  out("radius_m", d.footprint.radius, kRadius);
  out.u8(static_cast<std::uint8_t>(d.footprint.corners.size()));
  for (const Vec2 corner : d.footprint.corners) {
    out.f64(corner.x);
    out.f64(corner.y);
  }
  write_drive(out, d.drive);
  visit_fields(d.limits, out);
  visit_fields(d.control, out);
  out("system", d.control_system, Field{});
  out("planner", d.planner, Field{});
  out.u32(static_cast<std::uint32_t>(d.sensors.size()));
  for (Sensor& sensor : d.sensors) {
    out.u8(static_cast<std::uint8_t>(sensor.index()));
    std::visit([&](auto& s) { visit_fields(s, out); }, sensor);
  }
  // who has learned nothing is the same to readers before 0.6, and who has neither flippers nor camera to those before
  // 0.7
  if (!d.response.empty() || d.crawler || d.camera) {
    out.u32(static_cast<std::uint32_t>(d.response.size()));
    out.bytes(d.response);
  }
  if (d.crawler) visit_crawler(*d.crawler, out);
  if (d.camera && !d.crawler) visit_fields(*d.camera, out);
  return out.take();
}

Result<Description> description_from_bytes(Bytes bytes) {
  Description d;
  Reader in(bytes, "the robot");
  in.version(kVersion);
  in("name", d.name, Field{});
  in("height_m", d.height, kHeight);
  read_footprint(in, d.footprint);
  read_drive(in, d.drive);
  in.enter("limits");
  visit_fields(d.limits, in);
  in.enter("control");
  visit_fields(d.control, in);
  in("system", d.control_system, Field{});
  in("planner", d.planner, Field{});
  in.enter("");
  read_sensors(in, d.sensors);
  if (!in.failed() && !in.at_end()) read_response(in, d.response);
  if (!in.failed() && !in.at_end()) read_rest(in, d);
  if (auto whole = in.finish(); !whole) return whole.error();
  return d;
}

}  // namespace forerun::robot
