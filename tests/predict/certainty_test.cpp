// Regions that are right as often as they say.
#include "forerun/predict/certainty.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "forerun/base/random.hpp"

namespace forerun::predict {
namespace {

constexpr double kGap = 6;  // [s]
constexpr Spread kSpread{0.09, 0.03, 0.04};

// Takes nothing for granted but a normal distribution.
constexpr CertaintyParams kNeutral{.half = 1, .most = 1, .later = 1, .unevenness = 0};

// Normally distributed with covariance `spread`, times `size` squared.
Vec2 draw(const Spread& spread, double size, Random& random) {
  const double a = std::sqrt(spread.xx), b = spread.xy / a, c = std::sqrt(spread.yy - b * b);
  const double u = random.normal(), v = random.normal();
  return {size * a * u, size * (b * u + c * v)};
}

// One place only.
Mixture about(const Spread& spread, Vec2 centre = {}) {
  Mixture mixture;
  mixture.push_back({centre, spread, 1});
  return mixture;
}

struct Coverage {
  double half = 0, most = 0;
};

// In the long run, of a robot that is `size` times as far off as its replicas spread, and whose reports err by `sigma`.
Coverage cover(Certainty certainty, double size, double sigma = 0) {
  constexpr int kFirst = 500, kReports = 20000;
  Random random(4, 2);
  Coverage result;
  for (int i = 0; i < kFirst + kReports; ++i) {
    const Vec2 off = draw(kSpread, size, random);
    if (i >= kFirst) {
      result.half += certainty.region(0.5, about(kSpread), {kGap, 0}).contains(off) ? 1.0 / kReports : 0;
      result.most += certainty.region(0.95, about(kSpread), {kGap, 0}).contains(off) ? 1.0 / kReports : 0;
    }
    certainty.learn({off + Vec2{sigma * random.normal(), sigma * random.normal()}, sigma}, about(kSpread), {kGap, 0});
  }
  return result;
}

TEST(Certainty, IsRightAsOftenAsItSaysWhereTheReplicasAreRight) {
  const Coverage cover_1 = cover(Certainty(kNeutral), 1);
  EXPECT_NEAR(cover_1.most, 0.95, 0.03);
  EXPECT_NEAR(cover_1.half, 0.5, 0.05);
}

TEST(Certainty, LearnsThatARobotIsTwiceAsFarOff) {
  for (const CertaintyParams& params : {kNeutral, CertaintyParams{}}) {
    const Coverage cover_2 = cover(Certainty(params), 2);
    EXPECT_NEAR(cover_2.most, 0.95, 0.03);
    EXPECT_NEAR(cover_2.half, 0.5, 0.05);
  }
}

TEST(Certainty, LearnsThatAStrangerIsNotAsFarOffAsWasFeared) {
  Certainty certainty(kNeutral);
  certainty.start_with(10);
  const Coverage cover_2 = cover(certainty, 2);
  EXPECT_NEAR(cover_2.most, 0.95, 0.03);
  EXPECT_NEAR(cover_2.half, 0.5, 0.05);
}

// Sizes were measured over drives with long tails. Where there are none, regions become as small as they may be.
TEST(Certainty, LearnsThatDeviationsHaveNoLongTails) {
  const Coverage cover_1 = cover(Certainty(CertaintyParams{}), 1);
  EXPECT_NEAR(cover_1.most, 0.95, 0.03);
  EXPECT_NEAR(cover_1.half, 0.5, 0.05);
}

// Whatever the robot does: in the long run it is outside as often as stated, because each miss moves the size by a
// fixed step and the size has bounds (Gibbs and Candès). Here it does its worst for a while, then nothing, then its
// worst.
TEST(Certainty, IsRightInTheLongRunWhateverTheRobotDoes) {
  Random random(6, 2);
  Certainty certainty;
  constexpr int kReports = 6000;
  double most = 0, half = 0;
  for (int i = 0; i < kReports; ++i) {
    const double size = i / 500 % 2 == 0 ? 0.5 : 5;
    const Vec2 off = draw(kSpread, size, random);
    most += certainty.region(0.95, about(kSpread), {kGap, 0}).contains(off) ? 1.0 / kReports : 0;
    half += certainty.region(0.5, about(kSpread), {kGap, 0}).contains(off) ? 1.0 / kReports : 0;
    certainty.learn({off}, about(kSpread), {kGap, 0});
  }
  EXPECT_NEAR(most, 0.95, 0.03);
  EXPECT_NEAR(half, 0.5, 0.05);
}

// A robot that waits is one thing, and one that drives another; and so is what happens soon and what happens late.
TEST(Certainty, LearnsForEachGapAndEachActivity) {
  Certainty certainty;
  const auto radius = [&](double gap, std::size_t activity) {
    return certainty.region(0.95, about(kSpread), {gap, activity}).radius();
  };
  const double soon = radius(0.5, 0), late = radius(12.5, 0), waiting = radius(12.5, 3);
  for (int i = 0; i < 10; ++i) certainty.learn({{3, 3}}, about(kSpread), {12.5, 0});
  EXPECT_GT(radius(12.5, 0), 3 * late);
  EXPECT_LT(radius(12.5, 3), 3 * waiting);
  EXPECT_LT(radius(0.5, 0), 1.1 * soon);
}

// Most of the time nothing happens, and then something does: the region of 50 % lies within what happens mostly, and is
// there after two dozen reports.
TEST(Certainty, LearnsSoonThatARobotIsMostlyNearAndSometimesFar) {
  Random random(11, 3);
  constexpr int kRobots = 400;
  int n_inside = 0;
  for (int robot = 0; robot < kRobots; ++robot) {
    Certainty certainty;
    const auto next = [&] { return draw(kSpread, random.uniform(0, 1) < 0.75 ? 0.05 : 4, random); };
    for (int i = 0; i < 24; ++i) certainty.learn({next()}, about(kSpread), {kGap, 0});
    n_inside += certainty.region(0.5, about(kSpread), {kGap, 0}).contains(next()) ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(n_inside) / kRobots, 0.5, 0.07);
}

// The robot itself is in the region as often as stated, not its report, which errs in addition.
TEST(Certainty, ReportsThatErrDoNotWidenTheRegions) {
  const Coverage covered = cover(Certainty(kNeutral), 1.5, 0.4);
  EXPECT_NEAR(covered.most, 0.95, 0.03);
  EXPECT_NEAR(covered.half, 0.5, 0.07);
}

TEST(Certainty, SurprisesWidenAndCalmNarrowsAgain) {
  Certainty certainty;
  const double calm = certainty.region(0.95, about(kSpread), {kGap, 0}).radius();
  for (int i = 0; i < 3; ++i) certainty.learn({{3, 3}, 0.05}, about(kSpread), {kGap, 0});
  const double surprised = certainty.region(0.95, about(kSpread), {kGap, 0}).radius();
  EXPECT_GT(certainty.doubt(), 2);
  EXPECT_GT(surprised, 2 * calm);
  for (int i = 0; i < 500; ++i) certainty.learn({{0.01, 0}, 0.05}, about(kSpread), {kGap, 0});
  EXPECT_LT(certainty.region(0.95, about(kSpread), {kGap, 0}).radius(), calm);
}

TEST(Certainty, WhatHappensAtOnceTeachesNothing) {
  Certainty certainty;
  certainty.learn({{5, 5}, 0.05}, about(kSpread), {0.4, 0});
  EXPECT_EQ(certainty.doubt(), 1);
}

TEST(Certainty, DoubtCountsLaterMoreThanSooner) {
  Certainty certainty(kNeutral);
  certainty.start_with(4);
  EXPECT_NEAR(certainty.region(0.95, about(kSpread), {0.25, 0}).radius(),
              Certainty(kNeutral).region(0.95, about(kSpread), {0.25, 0}).radius(), 0.5);
  EXPECT_NEAR(certainty.region(0.95, about(kSpread), {100, 0}).radius(),
              4 * Certainty(kNeutral).region(0.95, about(kSpread), {100, 0}).radius(), 0.01);
}

// Points on a circle around the centre, as a second opinion on `contains`.
bool is_inside(const Region& region, const Region& outer) {
  const Ellipse& inner = region.parts[0];
  for (int i = 0; i < 64; ++i) {
    const double angle = kTwoPi * i / 64;
    const double x = inner.major * std::cos(angle) * 0.999, y = inner.minor * std::sin(angle) * 0.999;
    const double c = std::cos(inner.heading), s = std::sin(inner.heading);
    if (!outer.contains(inner.centre + Vec2{c * x - s * y, s * x + c * y})) return false;
  }
  return true;
}

// Against the nearest of many points of its edge.
TEST(Ellipse, SaysHowFarOutsideAPointIs) {
  Random random(9, 1);
  for (int i = 0; i < 300; ++i) {
    const Ellipse region{{random.uniform(-2, 2), random.uniform(-2, 2)},
                         random.uniform(0.3, 2),
                         random.uniform(0.05, 0.3),
                         random.uniform(-kPi, kPi)};
    const Vec2 point{random.uniform(-4, 4), random.uniform(-4, 4)};
    double nearest = 100;
    for (int k = 0; k < 2000; ++k) {
      const SinCos at = sincos(kTwoPi * k / 2000);
      const Pose2 frame{region.centre.x, region.centre.y, region.heading};
      nearest = std::min(nearest, distance(point, frame * Vec2{region.major * at.cos, region.minor * at.sin}));
    }
    EXPECT_NEAR(region.distance_to(point), region.contains(point) ? 0 : nearest, 2e-3) << i;
  }
  const Ellipse disc{{1, 1}, 0.5, 0.5, 0};
  EXPECT_NEAR(disc.distance_to({1, 3}), 1.5, 1e-9);
  EXPECT_EQ(disc.distance_to({1, 1.2}), 0);
}

TEST(Certainty, RegionsNestAroundTheirCentre) {
  Random random(8, 1);
  for (int i = 0; i < 200; ++i) {
    const double a = random.uniform(0.01, 1), b = random.uniform(0.01, 1), mix = random.uniform(-0.9, 0.9);
    const Spread spread{a * a, mix * a * b, b * b, random.uniform(0.25, 1)};
    Certainty certainty;
    certainty.start_with(random.uniform(1, 5));
    for (int k = 0; k < 10; ++k)
      certainty.learn({draw(spread, random.uniform(0, 4), random), 0.05}, about(spread), {3, 0});
    const double gap = random.uniform(0, 20);
    const Vec2 centre{random.uniform(-5, 5), random.uniform(-5, 5)};
    Region inner = certainty.region(0.05, about(spread, centre), {gap, 0});
    EXPECT_TRUE(inner.contains(centre));
    for (const double share : {0.3, 0.5, 0.7, 0.9, 0.95, 0.99}) {
      const Region outer = certainty.region(share, about(spread, centre), {gap, 0});
      EXPECT_TRUE(is_inside(inner, outer)) << i << ", " << share;
      EXPECT_FALSE(is_inside(outer, inner)) << i << ", " << share;
      inner = outer;
    }
  }
}

// The ellipse of a normal distribution: of 50 % and of 95 % of many points drawn from it.
TEST(Certainty, RegionsOfANormalDistributionHoldTheirShare) {
  Random random(2, 7);
  const Certainty certainty(kNeutral);
  for (const double share : {0.5, 0.8, 0.95}) {
    const Region region = certainty.region(share, about(kSpread, {1, 2}), {kGap, 0});
    int n_inside = 0;
    constexpr int kPoints = 20000;  // standard deviation of the share: at most 0.0036
    for (int i = 0; i < kPoints; ++i) n_inside += region.contains(Vec2{1, 2} + draw(kSpread, 1, random)) ? 1 : 0;
    EXPECT_NEAR(static_cast<double>(n_inside) / kPoints, share, 0.012);
  }
}

TEST(Certainty, RegionsGrowAsTheSpreadDoes) {
  const Certainty certainty;
  const Spread tripled{9 * kSpread.xx, 9 * kSpread.xy, 9 * kSpread.yy};
  const Region small = certainty.region(0.95, about(kSpread), {kGap, 0}),
               large = certainty.region(0.95, about(tripled), {kGap, 0});
  EXPECT_NEAR(large.parts[0].major, 3 * small.parts[0].major, 1e-9);
  EXPECT_NEAR(large.parts[0].minor, 3 * small.parts[0].minor, 1e-9);
  EXPECT_NEAR(large.radius() * large.radius(), 9 * small.radius() * small.radius(), 1e-9);
  EXPECT_NEAR(large.parts[0].heading, small.parts[0].heading, 1e-12);
}

TEST(Certainty, UnevenMembersMakeTheInnerRegionSmallerAndNotTheOuter) {
  const Certainty certainty;
  Spread uneven = kSpread;
  uneven.evenness = 0.4;
  EXPECT_LT(certainty.region(0.5, about(uneven), {kGap, 0}).radius(),
            0.5 * certainty.region(0.5, about(kSpread), {kGap, 0}).radius());
  EXPECT_NEAR(certainty.region(0.95, about(uneven), {kGap, 0}).radius(),
              certainty.region(0.95, about(kSpread), {kGap, 0}).radius(), 1e-9);
}

}  // namespace
}  // namespace forerun::predict
