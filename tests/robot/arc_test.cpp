#include "forerun/robot/arc.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "forerun/base/random.hpp"
#include "forerun/robot/motion.hpp"

namespace forerun::robot {
namespace {

Footprint disc(double radius) { return {.radius = radius, .corners = {}}; }

Footprint polygon(std::initializer_list<Vec2> corners) {
  Footprint footprint{.radius = 0, .corners = {}};
  for (const Vec2 corner : corners) {
    footprint.corners.push_back(corner);
    footprint.radius = std::max(footprint.radius, length(corner));
  }
  return footprint;
}

Footprint forklift() { return polygon({{0.6, 0.2}, {-0.3, 0.35}, {-0.3, -0.35}, {0.6, -0.2}}); }

// The second road: drive in tiny steps until the footprint touches, then bisect.
double creep_to_contact(const Footprint& footprint, double curvature, Vec2 point, double limit) {
  const auto touches = [&](double way) {
    const Pose2 pose = move({}, {1, 0, curvature}, way);
    return distance_to(footprint, Transform2(pose).to_local(point)) <= 0;
  };
  const double creep = 0.002;
  for (double way = 0; way < limit; way += creep) {
    if (!touches(way + creep)) continue;
    double low = way, high = way + creep;
    for (int i = 0; i < 60; ++i) {
      const double middle = 0.5 * (low + high);
      (touches(middle) ? high : low) = middle;
    }
    return high;
  }
  return kInfinity;
}

double once_around(double curvature) { return curvature == 0 ? 6 : std::min(6.0, kTwoPi / std::fabs(curvature)); }

void compare_with_creeping(const Footprint& footprint, std::uint64_t seed) {
  Random random(seed);
  int contacts = 0;
  for (int i = 0; i < 1500; ++i) {
    const double curvature = i % 5 == 0 ? 0 : random.uniform(-2, 2);
    const Vec2 point{random.uniform(-2, 2.5), random.uniform(-2, 2)};
    if (distance_to(footprint, point) <= 0) continue;
    const double limit = once_around(curvature);
    const double exact = arc_to_contact(footprint, curvature, point);
    const double crept = creep_to_contact(footprint, curvature, point, limit);
    if (crept == kInfinity) {
      // a graze shorter than one creeping step may be missed by creeping
      if (exact < limit) {
        const Pose2 pose = move({}, {1, 0, curvature}, exact);
        EXPECT_NEAR(distance_to(footprint, Transform2(pose).to_local(point)), 0, 1e-6);
      }
      continue;
    }
    ++contacts;
    EXPECT_LE(exact, crept + 1e-9) << "curvature " << curvature << " point " << point.x << "," << point.y;
    EXPECT_GE(exact, crept - 0.0021) << "curvature " << curvature << " point " << point.x << "," << point.y;
    const Pose2 pose = move({}, {1, 0, curvature}, exact);
    EXPECT_NEAR(distance_to(footprint, Transform2(pose).to_local(point)), 0, 1e-9);
  }
  EXPECT_GT(contacts, 50);
}

TEST(ArcToContact, StraightAtAPointAhead) {
  EXPECT_DOUBLE_EQ(arc_to_contact(disc(0.3), 0, {2, 0}), 1.7);
  EXPECT_EQ(arc_to_contact(disc(0.3), 0, {2, 0.31}), kInfinity);
  EXPECT_EQ(arc_to_contact(disc(0.3), 0, {-2, 0}), kInfinity);
  EXPECT_NEAR(arc_to_contact(disc(0.3), 0, {2, 0.18}), 2 - 0.24, 1e-15);
}

TEST(ArcToContact, QuarterCircleOntoAPoint) {
  // R = 1 to the left: the centre passes (1, 1) heading +y; a point at (1, 2) lies outside its circle
  const double way = arc_to_contact(disc(0.1), 1, {1, 1.05});
  EXPECT_LT(way, kPi / 2);
  EXPECT_NEAR(distance(move({}, {1, 0, 1}, way).position(), {1, 1.05}), 0.1, 1e-12);
  EXPECT_EQ(arc_to_contact(disc(0.1), 1, {1, 2.5}), kInfinity);
}

TEST(ArcToContact, DiscAgreesWithCreeping) { compare_with_creeping(disc(0.3), 11); }
TEST(ArcToContact, PolygonAgreesWithCreeping) { compare_with_creeping(forklift(), 12); }

TEST(ArcToContact, MirrorImageHasTheSameWay) {
  Random random(3);
  for (int i = 0; i < 500; ++i) {
    const double curvature = random.uniform(-3, 3);
    const Vec2 p{random.uniform(-2, 2), random.uniform(-2, 2)};
    for (const Footprint& footprint : {disc(0.25), forklift()}) {
      const double way = arc_to_contact(footprint, curvature, p);
      const double mirrored = arc_to_contact(footprint, -curvature, {p.x, -p.y});
      if (way == kInfinity) {
        EXPECT_EQ(mirrored, kInfinity);
      } else {
        EXPECT_NEAR(way, mirrored, 1e-9);
      }
    }
  }
}

TEST(ArcToContact, IsContinuousFromTheStraightLineOn) {
  // ever flatter arcs come ever nearer to the straight answer, without a jump or a loss of digits
  for (const Footprint& footprint : {disc(0.3), forklift()}) {
    const double straight = arc_to_contact(footprint, 0, {3, 0.1});
    for (double curvature = 1e-3; curvature > 1e-10; curvature *= 0.1) {
      EXPECT_NEAR(arc_to_contact(footprint, curvature, {3, 0.1}), straight, 5 * curvature + 1e-9) << curvature;
      EXPECT_NEAR(arc_to_contact(footprint, -curvature, {3, 0.1}), straight, 5 * curvature + 1e-9) << curvature;
    }
  }
}

TEST(ArcToContact, PointInsideStopsOnlyWhatGoesDeeper) {
  EXPECT_EQ(arc_to_contact(disc(0.3), 0, {0.2, 0}), 0);
  EXPECT_EQ(arc_to_contact(disc(0.3), 0, {-0.2, 0}), kInfinity);
  EXPECT_EQ(arc_to_contact(forklift(), 0, {0.59, 0}), 0);
  EXPECT_EQ(arc_to_contact(forklift(), 0, {-0.29, 0}), kInfinity);
}

TEST(ArcProbe, FindsTheShortestArcOfMany) {
  Random random(21);
  for (int i = 0; i < 2000; ++i) {
    const Footprint footprint = i % 3 == 0 ? forklift() : disc(0.3);
    const double curvature = i % 5 == 0 ? 0 : random.uniform(-6, 6);
    const double limit = random.uniform(0.1, 4);
    ArcProbe probe(footprint, curvature, limit);
    double shortest = limit;
    for (int k = 0; k < 12; ++k) {
      const Vec2 p{random.uniform(-2, 2), random.uniform(-2, 2)};
      probe.meet(p);
      shortest = std::min(shortest, arc_to_contact(footprint, curvature, p));
      ASSERT_EQ(probe.nearest(), shortest) << "curvature " << curvature << " limit " << limit;
    }
  }
}

TEST(TurnToContact, DiscTurnsFreely) { EXPECT_EQ(turn_to_contact(disc(0.3), 1, {0.31, 0}), kInfinity); }

TEST(TurnToContact, SquareTouchesWithItsCorner) {
  const Footprint square = polygon({{0.3, 0.3}, {-0.3, 0.3}, {-0.3, -0.3}, {0.3, -0.3}});
  // the corner at 45° has to come round to the point straight ahead, at the corner's own distance
  const Vec2 ahead{0.3 * std::sqrt(2.0) - 1e-12, 0};
  EXPECT_NEAR(turn_to_contact(square, 1, ahead), kPi / 4, 1e-5);
  EXPECT_NEAR(turn_to_contact(square, -1, ahead), kPi / 4, 1e-5);
  EXPECT_EQ(turn_to_contact(square, 1, {0.5, 0}), kInfinity);
}

TEST(Widen, MovesEveryEdgeOutwards) {
  const Footprint wide = widen(forklift(), 0.1);
  EXPECT_NEAR(distance_to(wide, Vec2{0.7, 0}), 0, 1e-12);
  EXPECT_NEAR(distance_to(wide, Vec2{0.75, 0}), 0.05, 1e-12);
  EXPECT_NEAR(distance_to(wide, Vec2{-0.4, 0.2}), 0, 1e-12);
  EXPECT_DOUBLE_EQ(widen(disc(0.3), 0.1).radius, 0.4);
}

TEST(DistanceTo, SegmentAcrossThePolygonIsZero) {
  EXPECT_EQ(distance_to(forklift(), Segment2{{-2, 0.1}, {2, 0.1}}), 0);
  EXPECT_NEAR(distance_to(forklift(), Segment2{{-2, 0.5}, {2, 0.5}}), 0.15, 1e-12);
  EXPECT_NEAR(distance_to(forklift(), Segment2{{0.8, -1}, {0.8, 1}}), 0.2, 1e-12);
}

}  // namespace
}  // namespace forerun::robot
