// Elementary functions that give the same bits on every compiler and in WebAssembly, and small helpers on numbers.
#pragma once

#include <cmath>
#include <limits>

namespace forerun {

inline constexpr double kPi = 3.14159265358979323846;
inline constexpr double kTwoPi = 2 * kPi;
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct SinCos {
  double sin = 0;
  double cos = 1;
};

// Errors below 1 unit in the last place for |angle| up to a million radians; NaN beyond a thousand million.
[[nodiscard]] SinCos sincos(double angle) noexcept;
[[nodiscard]] double sin(double angle) noexcept;
[[nodiscard]] double cos(double angle) noexcept;
// sin(x)/x, smooth through 0.
[[nodiscard]] double sinc(double x) noexcept;
// In [−π, π]; atan2(0, 0) = 0. Both zeros count as positive: a point on the negative x axis is at +π.
[[nodiscard]] double atan2(double y, double x) noexcept;
// 0 below −708, where results would lose digits; infinity above 709.7.
[[nodiscard]] double exp(double x) noexcept;
// x > 0; log(0) = −∞; NaN below.
[[nodiscard]] double log(double x) noexcept;
// Correctly rounded by IEEE 754 everywhere.
[[nodiscard]] inline double sqrt(double x) noexcept { return std::sqrt(x); }

// The same angle in [−π, π).
[[nodiscard]] inline double normalize_angle(double angle) noexcept {
  if (angle >= -kPi && angle < kPi) return angle;
  const double turned = angle - kTwoPi * std::floor((angle + kPi) / kTwoPi);
  if (turned >= kPi) return turned - kTwoPi;
  return turned < -kPi ? -kPi : turned;  // the product above is rounded
}

template <class T>
[[nodiscard]] constexpr T square(T x) noexcept {
  return x * x;
}
template <class T>
[[nodiscard]] constexpr T clamp(T x, T low, T high) noexcept {
  return x < low ? low : (x > high ? high : x);
}

}  // namespace forerun
