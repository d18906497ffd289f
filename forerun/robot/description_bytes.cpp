#include "forerun/robot/description_bytes.hpp"

#include <algorithm>

#include "forerun/base/field_bytes.hpp"

namespace forerun::robot {
namespace {

constexpr std::uint16_t kVersion = 1;
constexpr std::size_t kLaserSize = 2 + 3 * 8 + 8 + 4 + 6 * 8;  // in bytes, with an empty name

constexpr Field kHeight{0.05, 5, ""};
constexpr Field kRadius{0.02, 7.1, ""};  // corners lie up to 5 m away along both axes
constexpr Field kCorner{-5, 5, ""};
constexpr Field kWheelRatio{-1e6, 1e6, ""};
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

// What is used of the two matrices, in order.
template <class Visit>
void visit_drive(Drive& drive, Visit&& visit) {
  for (int wheel = 0; wheel < drive.n_wheels; ++wheel) {
    for (double& ratio : drive.wheel_from_body[wheel]) visit("wheel_from_body", ratio, kWheelRatio);
  }
  for (auto& row : drive.body_from_wheel) {
    for (int wheel = 0; wheel < drive.n_wheels; ++wheel) visit("body_from_wheel", row[wheel], kWheelRatio);
  }
  visit("ticks_per_turn", drive.ticks_per_turn, kTicks);
}

// Once around the origin, counter-clockwise, turning left at every corner.
bool is_convex_around_origin(const FixedVector<Vec2, kMaxCorners>& corners) noexcept {
  double around = 0;
  const std::size_t n = corners.size();
  for (std::size_t i = 0; i < n; ++i) {
    const Vec2 a = corners[i], b = corners[(i + 1) % n], c = corners[(i + 2) % n];
    if (cross(a, b) <= 0 || cross(b - a, c - b) <= 0) return false;
    around += atan2(cross(a, b), dot(a, b));
  }
  return around < kTwoPi + 0.1;
}

void read_footprint(Reader& in, Footprint& footprint) {
  in.enter("footprint");
  in("radius_m", footprint.radius, kRadius);
  footprint.corners.resize(in.choice("corner count", 0, kMaxCorners));
  for (Vec2& corner : footprint.corners) {
    in("corner x_m", corner.x, kCorner);
    in("corner y_m", corner.y, kCorner);
  }
  if (in.failed() || footprint.is_disc()) return;
  if (footprint.corners.size() < 3 || !is_convex_around_origin(footprint.corners)) {
    in.fail("corners", "must go once around a convex outline that encloses the origin");
    return;
  }
  double farthest = 0;
  for (const Vec2 corner : footprint.corners) farthest = std::max(farthest, length(corner));
  if (footprint.radius != farthest) in.fail("radius_m", "is not the distance of the farthest corner");
}

void read_drive(Reader& in, Drive& drive) {
  in.enter("drive");
  drive.kind = static_cast<DriveKind>(in.choice("kind", 0, static_cast<std::uint8_t>(DriveKind::tracked)));
  drive.n_wheels = in.choice("wheel count", 0, kMaxWheels);
  visit_drive(drive, in);
}

void check_order(Reader& in, const char* name, double low, double high) {
  if (low >= high) in.fail(name, "must be less than the other end of its range");
}

void read_sensors(Reader& in, Description& d) {
  const std::size_t n_lasers = in.count("laser", kMaxLasers, kLaserSize);
  for (std::size_t i = 0; i < n_lasers; ++i) {
    Laser laser;
    in.enter("laser " + std::to_string(i));
    visit_fields(laser, in);
    check_order(in, "min_range_m", laser.min_range, laser.max_range);
    d.lasers.push_back(laser);
  }
  in.enter("sonar");
  visit_fields(d.sonar, in);
  check_order(in, "min_range_m", d.sonar.min_range, d.sonar.max_range);
  in.enter("infrared");
  visit_fields(d.infrared, in);
  in.enter("bumper");
  visit_fields(d.bumper, in);
  check_order(in, "low_m", d.bumper.low, d.bumper.high);
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
  out.u8(static_cast<std::uint8_t>(d.drive.kind));
  out.u8(static_cast<std::uint8_t>(d.drive.n_wheels));
  visit_drive(d.drive, out);
  visit_fields(d.limits, out);
  visit_fields(d.control, out);
  out.u32(static_cast<std::uint32_t>(d.lasers.size()));
  for (Laser& laser : d.lasers) visit_fields(laser, out);
  visit_fields(d.sonar, out);
  visit_fields(d.infrared, out);
  visit_fields(d.bumper, out);
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
  in.enter("");
  read_sensors(in, d);
  if (auto whole = in.finish(); !whole) return whole.error();
  return d;
}

}  // namespace forerun::robot
