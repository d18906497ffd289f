#include "forerun/robot/drive.hpp"

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

}  // namespace

Drive make_synchro(double wheel_diameter) noexcept {
  Drive drive;
  drive.kind = DriveKind::synchro;
  drive.n_wheels = 2;
  drive.wheel_from_body[0] = {2 / wheel_diameter, 0, 0};
  drive.wheel_from_body[1] = {0, 0, 1};
  drive.body_from_wheel[0][0] = wheel_diameter / 2;
  drive.body_from_wheel[2][1] = 1;
  return drive;
}

Drive make_differential(const DifferentialGeometry& g) noexcept {
  Drive drive;
  drive.kind = DriveKind::differential;
  drive.n_wheels = 2;
  drive.wheel_from_body[0] = {2 / g.left_diameter, 0, -g.base / g.left_diameter};
  drive.wheel_from_body[1] = {2 / g.right_diameter, 0, g.base / g.right_diameter};
  // DEC-1
  drive.body_from_wheel[0] = {g.left_diameter / 4, g.right_diameter / 4};
  drive.body_from_wheel[2] = {-g.left_diameter / (2 * g.base), g.right_diameter / (2 * g.base)};
  return drive;
}

Drive make_tracked(const DifferentialGeometry& g, double slip) noexcept {
  Drive drive = make_differential({g.left_diameter, g.right_diameter, g.base * slip});
  drive.kind = DriveKind::tracked;
  return drive;
}

Drive make_omni(const OmniGeometry& g) noexcept {
  Drive drive;
  drive.kind = DriveKind::omni;
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
