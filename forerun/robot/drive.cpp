#include "forerun/robot/drive.hpp"

#include <cmath>

#include "forerun/base/check.hpp"
#include "forerun/base/math.hpp"

namespace forerun::robot {
namespace {

using Matrix3 = std::array<std::array<double, 3>, 3>;

Matrix3 inverse_of_symmetric(const Matrix3& m) noexcept {
  const double a = m[0][0], b = m[0][1], c = m[0][2], d = m[1][1], e = m[1][2], f = m[2][2];
  const double aa = d * f - e * e, bb = c * e - b * f, cc = b * e - c * d;
  const double det = a * aa + b * bb + c * cc;
  FORERUN_CHECK(det != 0);
  const double dd = a * f - c * c, ee = b * c - a * e, ff = a * d - b * b;
  return {{{aa / det, bb / det, cc / det}, {bb / det, dd / det, ee / det}, {cc / det, ee / det, ff / det}}};
}

// The twist that fits the wheel speeds best in the least-squares sense.
void set_pseudo_inverse(Drive& drive) noexcept {
  Matrix3 normal{};
  for (int w = 0; w < drive.n_wheels; ++w) {
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) normal[i][j] += drive.wheel_from_body[w][i] * drive.wheel_from_body[w][j];
    }
  }
  const Matrix3 inv = inverse_of_symmetric(normal);
  for (int i = 0; i < 3; ++i) {
    for (int w = 0; w < drive.n_wheels; ++w) {
      for (int j = 0; j < 3; ++j) drive.body_from_wheel[i][w] += inv[i][j] * drive.wheel_from_body[w][j];
    }
  }
}

Drive make_drive(const SynchroGeometry& g) noexcept {
  Drive drive;
  drive.n_wheels = 2;
  drive.wheel_from_body[0] = {2 / g.wheel_diameter, 0, 0};
  drive.wheel_from_body[1] = {0, 0, 1};
  drive.body_from_wheel[0][0] = g.wheel_diameter / 2;
  drive.body_from_wheel[2][1] = 1;
  return drive;
}

Drive make_drive(const DifferentialGeometry& g) noexcept {
  Drive drive;
  drive.n_wheels = 2;
  drive.wheel_from_body[0] = {2 / g.left_diameter, 0, -g.base / g.left_diameter};
  drive.wheel_from_body[1] = {2 / g.right_diameter, 0, g.base / g.right_diameter};
  // DEC-1
  drive.body_from_wheel[0] = {g.left_diameter / 4, g.right_diameter / 4};
  drive.body_from_wheel[2] = {-g.left_diameter / (2 * g.base), g.right_diameter / (2 * g.base)};
  return drive;
}

Drive make_drive(const TrackedGeometry& g) noexcept {
  return make_drive(DifferentialGeometry{g.tracks.left_diameter, g.tracks.right_diameter, g.tracks.base * g.slip});
}

Drive make_drive(const OmniGeometry& g) noexcept {
  Drive drive;
  drive.n_wheels = static_cast<int>(g.bearings.size());
  FORERUN_CHECK(drive.n_wheels >= 3);
  for (int i = 0; i < drive.n_wheels; ++i) {
    const SinCos t = sincos(g.bearings[i]);
    const double per_metre = 2 / g.wheel_diameter;
    drive.wheel_from_body[i] = {-t.sin * per_metre, t.cos * per_metre, g.wheel_distance * per_metre};
  }
  set_pseudo_inverse(drive);
  return drive;
}

double tangent(double angle) noexcept {
  const SinCos t = sincos(angle);
  return t.sin / t.cos;
}

// The rear wheels roll like those of a differential drive; steering only limits how sharply.
Drive make_drive(const CarGeometry& g) noexcept {
  Drive drive = make_drive(DifferentialGeometry{g.wheel_diameter, g.wheel_diameter, g.base});
  drive.max_curvature = tangent(g.steering_limit) / g.wheelbase;
  return drive;
}

Drive make_drive(const TricycleGeometry& g) noexcept { return make_drive(g.car); }

}  // namespace

Geometry default_geometry(DriveKind kind) noexcept {
  switch (kind) {
    case DriveKind::synchro:
      return SynchroGeometry{};
    case DriveKind::differential:
      return DifferentialGeometry{};
    case DriveKind::omni:
      return OmniGeometry{};
    case DriveKind::tracked:
      return TrackedGeometry{};
    case DriveKind::car:
      return CarGeometry{};
    case DriveKind::tricycle:
      return TricycleGeometry{};
  }
  return DifferentialGeometry{};
}

bool bearings_differ(const FixedVector<double, kMaxWheels>& bearings) noexcept {
  constexpr double kApart = kPi / 18 - 1e-9;
  for (std::size_t i = 0; i < bearings.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (std::fabs(normalize_angle(bearings[i] - bearings[j])) < kApart) return false;
    }
  }
  return true;
}

Drive make_drive(const Geometry& geometry) noexcept {
  Drive drive = std::visit([](const auto& g) { return make_drive(g); }, geometry);
  drive.kind = static_cast<DriveKind>(geometry.index());
  drive.geometry = geometry;
  return drive;
}

Drive make_synchro(double wheel_diameter) noexcept { return make_drive(Geometry(SynchroGeometry{wheel_diameter})); }
Drive make_differential(const DifferentialGeometry& geometry) noexcept { return make_drive(Geometry(geometry)); }
Drive make_tracked(const DifferentialGeometry& geometry, double slip) noexcept {
  return make_drive(Geometry(TrackedGeometry{geometry, slip}));
}
Drive make_omni(const OmniGeometry& geometry) noexcept { return make_drive(Geometry(geometry)); }
Drive make_car(const CarGeometry& geometry) noexcept { return make_drive(Geometry(geometry)); }
Drive make_tricycle(const CarGeometry& geometry) noexcept { return make_drive(Geometry(TricycleGeometry{geometry})); }

Twist car_twist(const CarGeometry& car, double speed, double steering) noexcept {
  return {speed, 0, speed * tangent(clamp(steering, -car.steering_limit, car.steering_limit)) / car.wheelbase};
}

double steering_angle(const CarGeometry& car, const Twist& twist) noexcept {
  if (twist.vx == 0) return 0;
  const double angle = atan2(car.wheelbase * twist.w / twist.vx, 1.0);
  return clamp(angle, -car.steering_limit, car.steering_limit);
}

FrontWheels front_wheels(const CarGeometry& car, const Twist& twist) noexcept {
  // tan δ = L κ / (1 ∓ κ b / 2): the left wheel is nearer to the centre of a turn to the left
  const double curvature = tangent(steering_angle(car, twist)) / car.wheelbase;
  const double half = 0.5 * curvature * car.base;
  return {atan2(car.wheelbase * curvature, 1 - half), atan2(car.wheelbase * curvature, 1 + half)};
}

Twist within_steering(const Drive& drive, const Twist& twist) noexcept {
  if (drive.can_turn_on_the_spot()) return twist;
  const double sharpest = std::fabs(twist.vx) * drive.max_curvature;
  return {twist.vx, 0, clamp(twist.w, -sharpest, sharpest)};
}

WheelSpeeds wheel_speeds(const Drive& drive, const Twist& twist) noexcept {
  WheelSpeeds speeds;
  for (int i = 0; i < drive.n_wheels; ++i) {
    const auto& row = drive.wheel_from_body[i];
    speeds.push_back(row[0] * twist.vx + row[1] * twist.vy + row[2] * twist.w);
  }
  return speeds;
}

Twist body_twist(const Drive& drive, const WheelSpeeds& speeds) noexcept {
  std::array<double, 3> twist{};
  for (int i = 0; i < 3; ++i) {
    for (int w = 0; w < drive.n_wheels; ++w) twist[i] += drive.body_from_wheel[i][w] * speeds[w];
  }
  return {twist[0], twist[1], twist[2]};
}

}  // namespace forerun::robot
