// The elementary functions against libm in extended precision, over wide ranges and around every seam.
#include "forerun/base/math.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "forerun/base/hash.hpp"
#include "forerun/base/random.hpp"
#include "forerun/base/two.hpp"

namespace forerun {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr int kDraws = 200000;

// Error in units of the last place of the true value.
double error_in_ulp(double got, long double truth) {
  if (truth == 0) return got == 0 ? 0 : kInfinity;
  const double size = std::fabs(static_cast<double>(truth));
  const double ulp = std::nextafter(size, kInfinity) - size;
  return static_cast<double>(std::fabs(static_cast<long double>(got) - truth) / ulp);
}

using Draw = double (*)(Random&);
using Function = double (*)(double);
using Reference = long double (*)(long double);

// The greatest error over many random arguments must stay within `bound` ulp.
void expect_close(Function function, Reference reference, const Draw draw, double bound) {
  Random random(7);
  double worst = 0;
  double worst_x = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double x = draw(random);
    const double error = error_in_ulp(function(x), reference(x));
    if (!(error <= worst)) {
      worst = error;
      worst_x = x;
    }
  }
  EXPECT_LE(worst, bound) << "at " << worst_x;
}

double power_of_ten(Random& random, double low, double high) { return std::pow(10.0, random.uniform(low, high)); }

// Some steps of the last place away from `x`.
double nudge(double x, Random& random) {
  const auto steps = static_cast<int>(random.below(9)) - 4;
  for (int i = 0; i < std::abs(steps); ++i) x = std::nextafter(x, steps > 0 ? kInfinity : -kInfinity);
  return x;
}

double wide_angle(Random& random) { return random.uniform(-1e6, 1e6); }
double small_angle(Random& random) { return random.uniform(-7, 7); }
double tiny_angle(Random& random) { return power_of_ten(random, -300, 0); }
// where the quadrants meet, and where sine or cosine vanish
double seam_angle(Random& random) {
  const double eighth = static_cast<double>(random.below(2400000)) - 1200000;
  return nudge(eighth * (kPi / 4), random);
}

long double long_sinc(long double x) { return x == 0 ? 1 : sinl(x) / x; }

TEST(Math, SineIsWithinOneUlp) {
  for (const Draw draw : {wide_angle, small_angle, tiny_angle, seam_angle}) expect_close(sin, sinl, draw, 1.0);
}

TEST(Math, CosineIsWithinOneUlp) {
  for (const Draw draw : {wide_angle, small_angle, tiny_angle, seam_angle}) expect_close(cos, cosl, draw, 1.0);
}

TEST(Math, SincosAgreesWithSineAndCosine) {
  Random random(3);
  for (int i = 0; i < 1000; ++i) {
    const double angle = wide_angle(random);
    EXPECT_EQ(sincos(angle).sin, sin(angle));
    EXPECT_EQ(sincos(angle).cos, cos(angle));
  }
}

TEST(Math, SineAndCosineAtSpecialAngles) {
  EXPECT_EQ(sin(0.0), 0);
  EXPECT_EQ(cos(0.0), 1);
  EXPECT_EQ(sin(kPi / 2), 1);
  EXPECT_EQ(cos(kPi), -1);
  EXPECT_EQ(sin(-kPi / 2), -1);
  EXPECT_NEAR(sin(kPi), 1.2246467991473532e-16, 1e-31);  // π is not a double
  for (const double odd : {kNan, kInfinity, -kInfinity, 1e300}) {
    EXPECT_TRUE(std::isnan(sin(odd)));
    EXPECT_TRUE(std::isnan(cos(odd)));
  }
}

TEST(Math, SincIsWithinTwoUlpAndSmoothThroughZero) {
  for (const Draw draw : {small_angle, tiny_angle}) expect_close(sinc, long_sinc, draw, 2.0);
  expect_close(
      sinc, long_sinc, [](Random& r) { return nudge(r.below(2) == 0 ? 0.01 : -0.01, r); }, 2.0);
  EXPECT_EQ(sinc(0.0), 1);
  EXPECT_EQ(sinc(1e-160), 1);
  EXPECT_EQ(sinc(-0.3), sinc(0.3));
}

TEST(Math, ExpIsWithinTwoUlp) {
  expect_close(
      exp, expl, [](Random& r) { return r.uniform(-708, 709.7); }, 2.0);
  expect_close(
      exp, expl, [](Random& r) { return r.uniform(-1, 1); }, 2.0);
  expect_close(
      exp, expl, [](Random& r) { return -power_of_ten(r, -300, 0); }, 2.0);
  // where the power of two changes
  expect_close(
      exp, expl, [](Random& r) { return nudge((static_cast<double>(r.below(2000)) - 1000) * 0.34657359, r); }, 2.0);
}

TEST(Math, ExpAtItsLimits) {
  EXPECT_EQ(exp(0.0), 1);
  EXPECT_EQ(exp(710.0), kInfinity);
  EXPECT_EQ(exp(kInfinity), kInfinity);
  EXPECT_EQ(exp(-kInfinity), 0);
  EXPECT_EQ(exp(-800.0), 0);
  EXPECT_TRUE(std::isfinite(exp(709.7)));
  EXPECT_GT(exp(-708.0), 0);
  EXPECT_TRUE(std::isnan(exp(kNan)));
}

TEST(Math, LogIsWithinTwoUlp) {
  expect_close(
      log, logl, [](Random& r) { return power_of_ten(r, -320, 308); }, 2.0);
  expect_close(
      log, logl, [](Random& r) { return r.uniform(0.5, 2); }, 2.0);
  expect_close(
      log, logl, [](Random& r) { return 1 + power_of_ten(r, -16, -1); }, 2.0);
  expect_close(
      log, logl, [](Random& r) { return 1 - power_of_ten(r, -16, -1); }, 2.0);
  expect_close(
      log, logl, [](Random& r) { return nudge(r.below(2) == 0 ? 1.4142135623730951 : 0.7071067811865476, r); }, 2.0);
}

TEST(Math, LogAtItsLimits) {
  EXPECT_EQ(log(1.0), 0);
  EXPECT_EQ(log(0.0), -kInfinity);
  EXPECT_EQ(log(kInfinity), kInfinity);
  EXPECT_TRUE(std::isnan(log(-1.0)));
  EXPECT_TRUE(std::isnan(log(kNan)));
  EXPECT_LE(error_in_ulp(log(5e-324), logl(5e-324)), 1);
}

TEST(Math, Atan2IsWithinTwoUlpEverywhere) {
  Random random(5);
  double worst = 0;
  for (int i = 0; i < 2 * kDraws; ++i) {
    double y = random.uniform(-1, 1);
    double x = random.uniform(-1, 1);
    if (i % 2 == 0) y *= power_of_ten(random, -20, 20);
    if (i % 3 == 0) y = nudge(x * (static_cast<double>(random.below(33)) - 16) / 16, random);  // where tables meet
    if (y == 0) continue;
    worst = std::max(worst, error_in_ulp(atan2(y, x), atan2l(y, x)));
  }
  EXPECT_LE(worst, 2.0);
}

TEST(Math, Atan2OnTheAxesAndAtTheEdges) {
  EXPECT_EQ(atan2(0, 0), 0);
  EXPECT_EQ(atan2(0, 1), 0);
  EXPECT_EQ(atan2(1, 0), kPi / 2);
  EXPECT_EQ(atan2(-1, 0), -kPi / 2);
  EXPECT_EQ(atan2(0, -1), kPi);
  EXPECT_EQ(atan2(1, 1), kPi / 4);
  EXPECT_EQ(atan2(-1, -1), -3 * (kPi / 4));
  EXPECT_EQ(atan2(kInfinity, kInfinity), kPi / 4);
  EXPECT_EQ(atan2(kInfinity, 1), kPi / 2);
  EXPECT_EQ(atan2(1, -kInfinity), kPi);
  EXPECT_EQ(atan2(1e-300, -1), kPi);
  EXPECT_TRUE(std::isnan(atan2(kNan, 1)));
  EXPECT_TRUE(std::isnan(atan2(1, kNan)));
}

TEST(Math, Atan2IsOddInYAndTurnsWithTheSignOfX) {
  Random random(6);
  for (int i = 0; i < 1000; ++i) {
    const double y = random.uniform(0, 1);
    const double x = random.uniform(0, 1);
    EXPECT_EQ(atan2(-y, x), -atan2(y, x));
    EXPECT_NEAR(atan2(y, -x), kPi - atan2(y, x), 1e-15);
  }
}

TEST(Math, NormalizeAngleGivesTheSameDirectionInOneTurn) {
  EXPECT_EQ(normalize_angle(0.5), 0.5);
  EXPECT_EQ(normalize_angle(kPi), -kPi);
  EXPECT_EQ(normalize_angle(-kPi), -kPi);
  Random random(8);
  for (int i = 0; i < kDraws; ++i) {
    const double angle = i % 2 == 0 ? random.uniform(-100, 100) : seam_angle(random) / 1000;
    const double turned = normalize_angle(angle);
    ASSERT_TRUE(turned >= -kPi && turned < kPi) << angle;
    ASSERT_NEAR(std::remainder(turned - angle, kTwoPi), 0, 1e-12) << angle;
    ASSERT_EQ(normalize_angle(turned), turned);
  }
}

TEST(Math, ClampAndSquare) {
  EXPECT_EQ(clamp(5, 0, 3), 3);
  EXPECT_EQ(clamp(-5.0, 0.0, 3.0), 0.0);
  EXPECT_EQ(clamp(2, 0, 3), 2);
  EXPECT_EQ(square(-3.0), 9.0);
}

std::uint64_t bits_of(double x) {
  std::uint64_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}

void expect_same_bits(double got, double wanted, double x) {
  if (std::isnan(got) && std::isnan(wanted)) return;  // a NaN is a NaN
  EXPECT_EQ(bits_of(got), bits_of(wanted)) << "at " << x;
}

void expect_same_bits_for_two(double a, double b) {
  const Two x{a, b};
  const TwoSinCos t = sincos(x);
  const Two s = sinc(x), e = exp(x);
  for (int i = 0; i < 2; ++i) {
    expect_same_bits(t.sin[i], sin(x[i]), x[i]);
    expect_same_bits(t.cos[i], cos(x[i]), x[i]);
    expect_same_bits(s[i], sinc(x[i]), x[i]);
    expect_same_bits(e[i], exp(x[i]), x[i]);
  }
}

TEST(Math, TwoAtOnceHaveTheBitsOfEach) {
  Random random(5);
  const auto near_a_seam = [](Random& r) {
    constexpr double kSeams[] = {0.01, 0.78, kPi / 4, 700, 708, 709.7, 1e9};
    return nudge((r.below(2) == 0 ? 1 : -1) * kSeams[r.below(std::size(kSeams))], r);
  };
  const Draw draws[] = {wide_angle, small_angle, tiny_angle, seam_angle, near_a_seam};
  for (int i = 0; i < kDraws / 4; ++i) {
    expect_same_bits_for_two(draws[random.below(std::size(draws))](random),
                             draws[random.below(std::size(draws))](random));
  }
  for (const double odd : {kNan, kInfinity, -kInfinity, 1e300, 0.0, -0.0}) {
    expect_same_bits_for_two(odd, 0.5);
    expect_same_bits_for_two(-0.005, odd);
  }
}

// One number stands for the bits of 700 results: g++, clang and WebAssembly must all reach it.
TEST(Math, BitsAreTheSameOnEveryCompiler) {
  Hash hash;
  Random random(2024);
  for (int i = 0; i < 100; ++i) {
    const double angle = i < 50 ? small_angle(random) : wide_angle(random);
    const double x = random.uniform(-5, 5);
    const double y = random.uniform(-5, 5);
    const SinCos both = sincos(angle);
    for (const double value :
         {both.sin, both.cos, sinc(angle), atan2(y, x), exp(10 * x), log(std::fabs(y)), random.normal()}) {
      hash.add(value);
    }
  }
  EXPECT_EQ(hash.value(), 4213143014024545016u);
}

}  // namespace
}  // namespace forerun
