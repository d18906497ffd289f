// Argument reduction to a small interval, then a polynomial in Horner's form: only +, −, ×, / and rounding to whole
// numbers, all of which IEEE 754 defines to the bit.
#include "forerun/base/math.hpp"

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "forerun/base/two.hpp"

namespace forerun {
namespace {

using TwoBits = std::uint64_t __attribute__((vector_size(16)));

// What follows is written once for one number and for two at once, with the same operations in the same order.
template <class Number>
using BitsOf = std::conditional_t<std::is_same_v<Number, Two>, TwoBits, std::uint64_t>;

template <class Number>
BitsOf<Number> bits_of(Number x) noexcept {
  BitsOf<Number> bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}

double from_bits(std::uint64_t bits) noexcept {
  double x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}
Two from_bits(TwoBits bits) noexcept {
  Two x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

// Adding this leaves no room for a fraction: what is below 2^51 is rounded to the nearest whole number, halves to even,
// which then stands in the last bits.
constexpr double kWhole = 0x1.8p52;

template <class Number>
Number round_to_whole(Number x) noexcept {
  return (x + kWhole) - kWhole;
}

// An angle as a sum of two numbers: the second is what rounding took from the first.
template <class Number>
struct Split {
  Number high;
  Number low;
};

// All polynomials here are those with the smallest greatest error (found with the Remez exchange, in 300 bits).
// Those of sin and cos err by less than 2^−58 and 2^−64 on [−π/4, π/4]; `low` enters by the first term of the series
// about `high`.
template <class Number>
Number sin_kernel(Split<Number> angle) noexcept {
  const Number x = angle.high;
  const Number z = x * x;
  Number p = Number{} + 0x1.5d931843fad4bp-33;
  p = p * z - 0x1.ae5e66882ff13p-26;
  p = p * z + 0x1.71de35781616dp-19;
  p = p * z - 0x1.a01a019c1202ep-13;
  p = p * z + 0x1.111111110f87dp-7;
  p = p * z - 0x1.5555555555549p-3;
  return x + (x * (z * p) + angle.low * (1 - 0.5 * z));
}

template <class Number>
Number cos_kernel(Split<Number> angle) noexcept {
  const Number x = angle.high;
  const Number z = x * x;
  Number p = Number{} - 0x1.8faeb6024afc0p-37;
  p = p * z + 0x1.1ee9ec18c8388p-29;
  p = p * z - 0x1.27e4f80a33f7bp-22;
  p = p * z + 0x1.a01a019cb216fp-16;
  p = p * z - 0x1.6c16c16c15181p-10;
  p = p * z + 0x1.555555555554cp-5;
  const Number half = 0.5 * z;
  const Number rounded = 1 - half;
  return rounded + (((1 - rounded) - half) + (z * z * p - x * angle.low));
}

// π/2 in three parts of 33 bits and the rest, so that n times one of the first two is exact for n up to a million
constexpr double kHalfPi1 = 0x1.921fb544p+0;
constexpr double kHalfPi2 = 0x1.0b4611a6p-34;
constexpr double kHalfPi3 = 0x1.3198a2e037073p-69;

template <class Number>
struct Reduced {
  Split<Number> rest;       // in [−π/4, π/4]
  BitsOf<Number> quadrant;  // 0…3
};

template <class Number>
Reduced<Number> reduce(Number angle) noexcept {
  const Number shifted = angle * (2 / kPi) + kWhole;
  const Number n = shifted - kWhole;
  // the first difference and both products are exact; what the other two differences lose goes to `low`
  const Number first = angle - n * kHalfPi1;
  const Number second = first - n * kHalfPi2;
  const Number high = second - n * kHalfPi3;
  const Number low = ((second - high) - n * kHalfPi3) + ((first - second) - n * kHalfPi2);
  return {{high, low}, bits_of(shifted) & 3};
}

// exp(x) = 2^n · rest
template <class Number>
struct Power {
  Number n;
  Number rest;
};

template <class Number>
Power<Number> power_of(Number x) noexcept {
  // x = n ln 2 + r, with ln 2 in two parts
  const Number n = round_to_whole(x * 1.44269504088896340736);
  const Number r = (x - n * 0x1.62e42fefa38p-1) - n * 0x1.ef35793c7673p-45;
  Number p = Number{} + 0x1.af857c1b3586fp-26;  // error below 2^−58
  p = p * r + 0x1.28b048c2f068dp-22;
  p = p * r + 0x1.71dddfd2ec41cp-19;
  p = p * r + 0x1.a0199694166a0p-16;
  p = p * r + 0x1.a01a01badf3eep-13;
  p = p * r + 0x1.6c16c185a7364p-10;
  p = p * r + 0x1.111111110d642p-7;
  p = p * r + 0x1.5555555550030p-5;
  p = p * r + 0x1.5555555555561p-3;
  p = p * r + 0x1.000000000000bp-1;
  return {n, 1 + (r + r * r * p)};
}

// For angles that are not too large.
template <class Both, class Number>
Both sincos_of(Number angle) noexcept {
  const Reduced<Number> r = reduce(angle);
  const Number s = sin_kernel(r.rest);
  const Number c = cos_kernel(r.rest);
  // an odd quadrant swaps the two; no branch, because quadrants are hard to foresee
  const auto swap = 0 - (r.quadrant & 1);
  const auto mixed = (bits_of(s) ^ bits_of(c)) & swap;
  const auto sin_sign = (r.quadrant & 2) << 62;
  const auto cos_sign = ((r.quadrant + 1) & 2) << 62;
  return {from_bits((bits_of(s) ^ mixed) ^ sin_sign), from_bits((bits_of(c) ^ mixed) ^ cos_sign)};
}

// Angles below this stay in the first quadrant, on both sides of it.
constexpr double kFirstQuadrant = 0.78;

// sin(x)/x below 0.01: the series to x⁶ is exact to rounding, so both sides agree at the seam.
template <class Number>
Number sinc_series(Number x) noexcept {
  const Number z = x * x;
  return 1 - z * (1.0 / 6 - z * (1.0 / 120 - z * (1.0 / 5040)));
}

bool too_large(double angle) noexcept { return !(angle < 1e9 && angle > -1e9); }

double with_sign(double x, bool negative) noexcept {
  return from_bits(bits_of(x) ^ (static_cast<std::uint64_t>(negative) << 63));
}

// atan(i/8) seen from the four ways of measuring it: from the x axis, from the y axis, and both mirrored
constexpr double kAngles[4][9] = {
    {0, 0x1.fd5ba9aac2f6ep-4, 0x1.f5b75f92c80ddp-3, 0x1.6f61941e4def1p-2, 0x1.dac670561bb4fp-2, 0x1.1e00babdefeb4p-1,
     0x1.4978fa3269ee1p-1, 0x1.700a7c5784634p-1, 0x1.921fb54442d18p-1},
    {0x1.921fb54442d18p+0, 0x1.7249faa996a21p+0, 0x1.5368c951e9cfdp+0, 0x1.3647503caf55cp+0, 0x1.1b6e192ebbe44p+0,
     0x1.031f57e54adbep+0, 0x1.dac670561bb4fp-1, 0x1.b434ee31013fdp-1, 0x1.921fb54442d18p-1},
    {0x1.921fb54442d18p+0, 0x1.b1f56fdeef00fp+0, 0x1.d0d6a1369bd34p+0, 0x1.edf81a4bd64d4p+0, 0x1.0468a8ace4df6p+1,
     0x1.109009519d639p+1, 0x1.1b6e192ebbe44p+1, 0x1.251279b802819p+1, 0x1.2d97c7f3321d2p+1},
    {0x1.921fb54442d18p+1, 0x1.8234d7f6ecb9dp+1, 0x1.72c43f4b1650ap+1, 0x1.643382c07913ap+1, 0x1.56c6e7397f5aep+1,
     0x1.4a9f8694c6d6bp+1, 0x1.3fc176b7a8560p+1, 0x1.361d162e61b8bp+1, 0x1.2d97c7f3321d2p+1},
};

// atan(t) − atan(i/8) for the nearest i; the series of 3/16 serves i = 0, because next to 1/8 digits would cancel
struct NearAngle {
  int i;
  double rest;
};

NearAngle atan_kernel(double t) noexcept {
  const int i = t < 0.1875 ? 0 : static_cast<int>(round_to_whole(t * 8));
  const double base = i * 0.125;
  const double x = (t - base) / (1 + t * base);
  const double z = x * x;
  double p = 0x1.e3c67cc33940cp-5;  // error below 2^−57 for |x| ≤ 3/16
  p = p * z - 0x1.395cbc73528f0p-4;
  p = p * z + 0x1.74506cef00cb1p-4;
  p = p * z - 0x1.c71c3e1d926ccp-4;
  p = p * z + 0x1.249248ec1709bp-3;
  p = p * z - 0x1.999999995efa6p-3;
  p = p * z + 0x1.55555555554b1p-2;
  return {i, x - x * (z * p)};
}

}  // namespace

SinCos sincos(double angle) noexcept {
  if (too_large(angle)) return {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
  return sincos_of<SinCos>(angle);
}

TwoSinCos sincos(Two angles) noexcept {
  if (both((angles < Two{} + 1e9) & (angles > Two{} - 1e9))) return sincos_of<TwoSinCos>(angles);
  const SinCos first = sincos(angles[0]), second = sincos(angles[1]);
  return {Two{first.sin, second.sin}, Two{first.cos, second.cos}};
}

double sin(double angle) noexcept { return sincos(angle).sin; }
double cos(double angle) noexcept { return sincos(angle).cos; }

double sinc(double x) noexcept {
  if (x < 0.01 && x > -0.01) return sinc_series(x);
  if (x < kFirstQuadrant && x > -kFirstQuadrant) return sin_kernel(Split<double>{x, 0}) / x;
  return sin(x) / x;
}

Two sinc(Two x) noexcept {
  const TwoBools small = (x < Two{} + 0.01) & (x > Two{} - 0.01);
  const Two series = sinc_series(x);
  if (both(small)) return series;
  if (!both((x < Two{} + kFirstQuadrant) & (x > Two{} - kFirstQuadrant))) return Two{sinc(x[0]), sinc(x[1])};
  const Two ratio = sin_kernel(Split<Two>{x, Two{}}) / x;
  return small ? series : ratio;
}

double atan2(double y, double x) noexcept {
  if (std::isnan(x) || std::isnan(y)) return std::numeric_limits<double>::quiet_NaN();
  const double ax = std::fabs(x);
  const double ay = std::fabs(y);
  if (ax == 0 && ay == 0) return 0;
  const bool steep = ay > ax;
  // only infinities give no ratio
  const double t = ax == ay ? 1.0 : (steep ? ax / ay : ay / ax);
  const NearAngle near = atan_kernel(t);
  const int row = x < 0 ? (steep ? 2 : 3) : (steep ? 1 : 0);
  const double angle = kAngles[row][near.i] + with_sign(near.rest, (row & 1) != 0);
  return with_sign(angle, y < 0);
}

double exp(double x) noexcept {
  if (std::isnan(x)) return x;
  if (x > 709.7) return kInfinity;
  if (x < -708) return 0;
  const Power<double> power = power_of(x);
  const auto exponent = static_cast<std::int64_t>(power.n);
  // 2^n as bits; n = 1024 only occurs just below the overflow limit
  if (exponent == 1024) return power.rest * 0x1p1023 * 2;
  return power.rest * from_bits(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

Two exp(Two x) noexcept {
  // else there are results without exponent bits of their own
  if (!both((x < Two{} + 700) & (x > Two{} - 700))) return Two{exp(x[0]), exp(x[1])};
  const Power<Two> power = power_of(x);
  return power.rest * from_bits((bits_of(power.n + kWhole) + 1023) << 52);
}

double log(double x) noexcept {
  if (x == 0) return -kInfinity;
  if (!(x > 0)) return std::numeric_limits<double>::quiet_NaN();
  if (std::isinf(x)) return x;
  double scale = 0;
  if (x < 0x1p-1022) {
    x *= 0x1p54;
    scale = -54;
  }
  // x = 2^n m with m in [√½, √2)
  std::uint64_t bits = bits_of(x);
  double n = static_cast<double>(static_cast<std::int64_t>(bits >> 52) - 1023) + scale;
  double m = from_bits((bits & 0x000fffffffffffffu) | 0x3ff0000000000000u);
  if (m > 1.4142135623730951) {
    m *= 0.5;
    n += 1;
  }
  // log m = 2 atanh s = f − s (f − R) with s = f / (2 + f): the exact f carries most of it
  const double f = m - 1;
  const double s = f / (2 + f);
  const double z = s * s;
  double p = 0x1.2f0636866fbbep-3;  // error below 2^−58
  p = p * z + 0x1.39a1a6a607fadp-3;
  p = p * z + 0x1.74663fa6b9372p-3;
  p = p * z + 0x1.c71c5205e937ep-3;
  p = p * z + 0x1.24924941f52ddp-2;
  p = p * z + 0x1.999999997fd72p-2;
  p = p * z + 0x1.5555555555592p-1;
  return n * 0x1.62e42fefa38p-1 + (f - (s * (f - z * p) - n * 0x1.ef35793c7673p-45));
}

}  // namespace forerun
