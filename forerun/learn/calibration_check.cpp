#include "forerun/learn/calibration_check.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <tuple>
#include <utility>

#include "forerun/io/text.hpp"

namespace forerun::learn {
namespace {

constexpr double kFarOff = 2.0;        // wheels and sensor that differ by more than this factor differ in unit
constexpr double kSegmentTurn = 0.5;   // segments that are compared end after so much of a turn [rad] …
constexpr double kSegmentShare = 1.0;  // … or after this way, as a share of the base
constexpr double kLeastTurning = 0.3;  // the root of summed squared turns that shows which way it goes [rad]
constexpr std::size_t kEnough = 5;     // segments

// What wheels and sensor say of a short part of the way.
struct Segment {
  double wheels_way = 0, seen_way = 0;    // between its ends [m]
  double wheels_turn = 0, seen_turn = 0;  // the latter as in the log, with whole turns
};

// The way a sensor at the robot's centre would have gone.
struct Reckoner {
  Pose2 wheels;
  Pose2 seen;
  double turned = 0;  // of the wheels, with whole turns
  bool known = false;
};

// Headings count up only while they are neither wrapped nor in other units, so differences stay as they are.
Pose2 seen_after(const Pose2& before, const CalibrationRow& row) {
  if (row.pose) return row.pose->pose;
  Pose2 after = before * *row.displacement;
  after.theta = before.theta + row.displacement->theta;
  return after;
}

std::vector<Segment> cut_segments(const CalibrationDrive& drive, const robot::DifferentialGeometry& geometry) {
  std::vector<Segment> segments;
  for (const CalibrationStretch& stretch : drive.stretches) {
    Reckoner start;
    Pose2 wheels;
    double turned = 0, way = 0, turn = 0;
    Pose2 seen;
    std::size_t end = 0;  // row of the last displacement
    for (std::size_t i = 0; i < stretch.size(); ++i) {
      const CalibrationRow& row = stretch[i];
      const auto arc = estimate::arc_of(geometry, row.turns);
      wheels = estimate::move_along(wheels, arc);
      turned += arc.turned;
      way += std::fabs(arc.driven);
      turn += std::fabs(arc.turned);
      if (!row.pose && !row.displacement) continue;
      seen = seen_after(seen, row);
      // what was not seen in between cannot be compared
      if (row.displacement && i - row.n_spanned != end) start.known = false;
      end = i;
      if (start.known && way < kSegmentShare * geometry.base && turn < kSegmentTurn) continue;
      if (start.known) {
        segments.push_back({distance(start.wheels.position(), wheels.position()),
                            distance(start.seen.position(), seen.position()), turned - start.turned,
                            seen.theta - start.seen.theta});
      }
      start = {wheels, seen, turned, true};
      way = turn = 0;
    }
  }
  return segments;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::string three_digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

// The unit that is `ratio` times smaller than a metre, about.
const char* unit_of(double ratio) {
  struct Unit {
    double per_metre;
    const char* name;
  };
  for (const Unit& unit : {Unit{1000, "millimetres"}, Unit{100, "centimetres"}, Unit{39.37, "inches"}}) {
    if (ratio > unit.per_metre / 1.5 && ratio < unit.per_metre * 1.5) return unit.name;
  }
  return nullptr;
}

Result<void> check_ways(const CalibrationDrive& drive, const std::vector<Segment>& segments, double base) {
  std::vector<double> ratios, wheels, seen;
  for (const Segment& segment : segments) {
    if (segment.wheels_way < 0.3 * base) continue;  // turns on the spot
    ratios.push_back(segment.seen_way / segment.wheels_way);
    wheels.push_back(segment.wheels_way);
    seen.push_back(segment.seen_way);
  }
  if (ratios.size() < kEnough) return {};
  const double ratio = median(ratios);
  if (ratio > 1 / kFarOff && ratio < kFarOff) return {};
  const char* columns = drive.by_scans ? "the scans" : drive.absolute ? "x_m and y_m" : "dx_m and dy_m";
  if (const char* unit = unit_of(ratio)) {
    return Error{drive.file + ": " + columns + " go " + three_digits(ratio) +
                 " times as far as the wheels, so they are likely in " + unit + ", but must be in metres"};
  }
  return Error{drive.file + ": " + columns + " go " + three_digits(median(seen)) + " m where the wheels go " +
               three_digits(median(wheels)) +
               " m; check the diameters, ticks_left and ticks_right, and the ticks of a turn of the wheel"};
}

Result<void> check_turns(const CalibrationDrive& drive, const std::vector<Segment>& segments) {
  std::vector<double> ratios;
  double together = 0, wheels = 0, seen = 0;
  for (const Segment& segment : segments) {
    if (std::fabs(segment.wheels_turn) > 0.1) ratios.push_back(std::fabs(segment.seen_turn / segment.wheels_turn));
    const double turn = normalize_angle(segment.seen_turn);
    together += turn * segment.wheels_turn;
    wheels += square(segment.wheels_turn);
    seen += square(turn);
  }
  const char* column = drive.by_scans ? "the laser" : drive.absolute ? "theta_rad" : "dtheta_rad";
  if (ratios.size() >= kEnough && median(ratios) > 20) {
    return Error{drive.file + ": " + column + " turns " + three_digits(median(ratios)) +
                 " times as far as the wheels, so it is likely in degrees, but must be in radians"};
  }
  const bool turns = std::sqrt(wheels) > kLeastTurning && std::sqrt(seen) > kLeastTurning;
  if (!turns || together > -0.5 * std::sqrt(wheels * seen)) return {};
  return Error{drive.file + ": the wheels turn the robot the other way than " + column +
               " says, so ticks_left and ticks_right are likely swapped"};
}

// How often the robot bends its way, by courses between segments: for sensors that see positions only.
Result<void> check_bends(const CalibrationDrive& drive, const robot::DifferentialGeometry& geometry) {
  double together = 0, wheels_bent = 0, seen_bent = 0;
  for (const CalibrationStretch& stretch : drive.stretches) {
    Pose2 wheels;
    std::vector<Vec2> by_wheels, by_sensor;
    for (const CalibrationRow& row : stretch) {
      wheels = estimate::move_along(wheels, estimate::arc_of(geometry, row.turns));
      if (!row.pose) continue;
      const bool far = by_wheels.empty() || distance(by_wheels.back(), wheels.position()) > 2 * geometry.base;
      if (!far) continue;
      by_wheels.push_back(wheels.position());
      by_sensor.push_back(row.pose->pose.position());
    }
    for (std::size_t i = 2; i < by_wheels.size(); ++i) {
      const auto bend = [i](const std::vector<Vec2>& at) {
        const Vec2 before = at[i - 1] - at[i - 2], after = at[i] - at[i - 1];
        return atan2(before.x * after.y - before.y * after.x, before.x * after.x + before.y * after.y);
      };
      together += bend(by_wheels) * bend(by_sensor);
      wheels_bent += square(bend(by_wheels));
      seen_bent += square(bend(by_sensor));
    }
  }
  const bool bends = std::sqrt(wheels_bent) > kLeastTurning && std::sqrt(seen_bent) > kLeastTurning;
  if (!bends || together > -0.5 * std::sqrt(wheels_bent * seen_bent)) return {};
  return Error{drive.file +
               ": the wheels bend the way the other way than x_m and y_m do, so ticks_left and ticks_right are likely "
               "swapped"};
}

Result<void> check_length(double value, const Field& allowed, const std::string& what) {
  if (value >= allowed.low && value <= allowed.high) return {};
  std::string sentence = what + " is " + io::show(value) + " m, but must lie between " + io::show(allowed.low) +
                         " and " + io::show(allowed.high) + " m";
  // the first unit in which it would be a usual size
  for (const auto& [divisor, unit] : {std::pair(1000.0, "millimetres"), std::pair(100.0, "centimetres")}) {
    if (value / divisor < allowed.low || value <= 0) continue;
    sentence += "; " + io::show(value) + " is likely in " + unit + ", which is " + io::show(value / divisor) + " m";
    break;
  }
  return Error{sentence};
}

}  // namespace

Result<void> check_nominal(const CalibrationRobot& robot, const std::string& where) {
  const auto& nominal = robot.nominal;
  for (const auto& [value, field, what] :
       {std::tuple(nominal.left_diameter, robot::kWheelDiameter, "the left diameter"),
        std::tuple(nominal.right_diameter, robot::kWheelDiameter, "the right diameter"),
        std::tuple(nominal.base, robot::kBase, "the base")}) {
    if (auto fine = check_length(value, field, where + ": " + what); !fine) return fine;
  }
  if (robot.ticks_per_turn > 0 && std::isfinite(robot.ticks_per_turn)) return {};
  return Error{where + ": a turn of the wheel has " + io::show(robot.ticks_per_turn) +
               " ticks, but must have more than 0"};
}

Result<void> check_drive(const CalibrationDrive& drive, const CalibrationRobot& robot) {
  const auto segments = cut_segments(drive, robot.nominal);
  if (auto fine = check_ways(drive, segments, robot.nominal.base); !fine) return fine;
  return drive.has_heading ? check_turns(drive, segments) : check_bends(drive, robot.nominal);
}

}  // namespace forerun::learn
