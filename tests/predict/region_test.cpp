// Regions in several parts, on floor that can have been reached, and their outlines.
#include "forerun/predict/region.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "forerun/base/random.hpp"
#include "forerun/predict/certainty.hpp"
#include "forerun/predict/mixture.hpp"
#include "forerun/predict/outline.hpp"
#include "forerun/predict/reach.hpp"

namespace forerun::predict {
namespace {

// 10 × 10 m with a wall at x = 5 m that leaves the last metre free.
Grid<float> make_floor() {
  Grid<float> clearance({100, 100, 0.1, {0, 0}}, 1);
  for (int y = 0; y < 90; ++y) clearance[Cell{50, y}] = 0;
  return clearance;
}

Region two_parts() {
  Region region;
  region.parts.push_back({{2, 2}, 1.0, 0.5, 0.3});
  region.parts.push_back({{4.5, 3}, 0.6, 0.4, -1});
  return region;
}

TEST(Reach, IsADiscOnOpenFloor) {
  const Grid<float> open({100, 100, 0.1, {0, 0}}, 1);
  Reach reach(open);
  const Vec2 from{5.03, 4.98};
  reach.start(from);
  for (const double way : {0.3, 1.0, 3.0}) {
    reach.extend(way);
    Random random(3, 1);
    for (int i = 0; i < 500; ++i) {
      const Vec2 place{random.uniform(1, 9), random.uniform(1, 9)};
      EXPECT_EQ(reach.contains(place, way), distance(place, from) <= way) << way << ": " << place.x << ", " << place.y;
    }
  }
}

TEST(Reach, GoesRoundWallsAndNotThrough) {
  const Grid<float> floor = make_floor();
  Reach reach(floor);
  reach.start({4, 5});
  reach.extend(12);
  EXPECT_FALSE(reach.contains({6, 5}, 6));  // 2 m as the crow flies, 8 m round the end of the wall
  EXPECT_TRUE(reach.contains({6, 5}, 9.5));
  EXPECT_FALSE(reach.contains({5.05, 5}, 9.5)) << "in the wall";
  // and all is forgotten with the next report
  reach.start({6, 5});
  reach.extend(1);
  EXPECT_FALSE(reach.contains({4, 5}, 1));
  EXPECT_TRUE(reach.contains({6.5, 5}, 1));
}

TEST(Reach, OfARobotInAWallIsNotKnown) {
  const Grid<float> floor = make_floor();
  Reach reach(floor);
  reach.start({5.05, 2});
  EXPECT_FALSE(reach.known());
  reach.start({4, 2});
  EXPECT_TRUE(reach.known());
}

TEST(Reach, MarksWhatItContains) {
  const Grid<float> floor = make_floor();
  Reach reach(floor);
  reach.start({4.6, 9});
  reach.extend(2);
  FloorMask mask{{3, 7}, 0.05, {}};
  reach.mark(mask, 2);
  int n_within = 0;
  for (std::size_t y = 0; y < FloorMask::kSize; ++y) {
    for (std::size_t x = 0; x < FloorMask::kSize; ++x) {
      EXPECT_EQ(mask.at(x, y), reach.contains(mask.centre_of(x, y), 2));
      n_within += mask.at(x, y) ? 1 : 0;
    }
  }
  EXPECT_GT(n_within, 1000);
  EXPECT_LT(n_within, 4000);
}

// Against the share of random points.
TEST(Region, OfSeveralPartsKnowsItsAreaAndItsPoints) {
  Region region = two_parts();
  for (const bool on_floor : {false, true}) {
    if (on_floor) {
      region.floor = square_around(region);
      for (std::size_t y = 20; y < FloorMask::kSize; ++y) region.floor->rows[y] = ~std::uint64_t{0};
    }
    Random random(5, 1);
    constexpr int kPoints = 40000;
    int n_within = 0;
    for (int i = 0; i < kPoints; ++i) {
      const Vec2 point{random.uniform(0, 6), random.uniform(0, 6)};
      const bool within = region.contains(point);
      n_within += within ? 1 : 0;
      const bool in_parts = region.parts[0].contains(point) || region.parts[1].contains(point);
      EXPECT_EQ(within, in_parts && (!on_floor || region.floor->contains(point)));
      if (i % 50 == 0) {
        EXPECT_EQ(region.distance_to(point) == 0, within);
      }
    }
    EXPECT_NEAR(kPi * square(region.radius()), 36.0 * n_within / kPoints, 0.06);
  }
}

// Of the nearest cell, and so to within one.
TEST(Region, OnFloorSaysHowFarOutsideAPointIs) {
  Region region;
  region.parts.push_back({{2, 2}, 1, 1, 0});
  region.floor = square_around(region);
  for (std::size_t y = 0; y < FloorMask::kSize / 2; ++y) region.floor->rows[y] = ~std::uint64_t{0};  // the lower half
  EXPECT_FALSE(region.contains({2, 2.5}));
  EXPECT_NEAR(region.distance_to({2, 2.5}), 0.5, 0.03);
  EXPECT_NEAR(region.distance_to({2, 0}), 1, 0.03);
  EXPECT_NEAR(region.radius(), std::sqrt(0.5), 0.01);
}

double area_of(const Outline& outline) {
  double area = 0;
  std::size_t begin = 0;
  for (const std::size_t end : outline.ends) {
    for (std::size_t i = begin; i < end; ++i) {
      area += cross(outline.points[i], outline.points[i + 1 < end ? i + 1 : begin]) / 2;
    }
    begin = end;
  }
  return area;
}

TEST(Outline, HasTheAreaOfItsRegion) {
  Region one;
  one.parts.push_back({{3, -2}, 0.02, 0.01, 1});
  EXPECT_NEAR(area_of(outline_of(one, 0)), kPi * square(one.radius()), 0.01 * kPi * square(one.radius()));
  EXPECT_NEAR(area_of(outline_of(one, 0.25)), kPi * 0.27 * 0.26, 0.01);
  Region region = two_parts();
  EXPECT_EQ(outline_of(region, 0).ends.size(), 2u);
  EXPECT_NEAR(area_of(outline_of(region, 0)), kPi * square(region.radius()), 0.12);
  region.parts[1].centre = {2.5, 2.5};
  EXPECT_EQ(outline_of(region, 0).ends.size(), 1u) << "parts that overlap are one";
  EXPECT_NEAR(area_of(outline_of(region, 0)), kPi * square(region.radius()), 0.12);
}

// A hole runs the other way round and so takes from the area.
TEST(Outline, LeavesOutWhatIsNoFloor) {
  Region region;
  region.parts.push_back({{2, 2}, 1, 1, 0});
  region.floor = square_around(region);
  for (std::size_t y = 0; y < FloorMask::kSize; ++y) {
    region.floor->rows[y] = y >= 24 && y < 40 ? ~(std::uint64_t{0xffff} << 24) : ~std::uint64_t{0};
  }
  const Outline outline = outline_of(region, 0);
  EXPECT_EQ(outline.ends.size(), 2u);
  EXPECT_NEAR(area_of(outline), kPi - 0.25, 0.1);
}

TEST(Outline, OfNothingIsNothing) { EXPECT_TRUE(outline_of({}, 1).ends.empty()); }

// Regions like those of wild predictions: closed, finite, and never more points than there is room for.
TEST(Outline, IsSoundForAnyRegion) {
  Random random(7, 3);
  for (int i = 0; i < 300; ++i) {
    Region region;
    for (std::size_t k = 0; k <= random.below(kMostParts); ++k) {
      region.parts.push_back({{random.uniform(-3, 3), random.uniform(-3, 3)},
                              random.uniform(0.001, 3),
                              random.uniform(0.001, 1),
                              random.uniform(-kPi, kPi)});
    }
    region.floor = square_around(region);
    for (auto& row : region.floor->rows) row = random.bits();
    const Outline outline = outline_of(region, random.uniform(0, 0.3));
    for (const Vec2 p : outline.points) EXPECT_TRUE(std::isfinite(p.x) && std::isfinite(p.y));
    EXPECT_EQ(outline.points.size(), outline.ends.empty() ? 0 : outline.ends.back());
  }
}

MixturePart part(Vec2 centre, double sigma, double weight) {
  return {centre, {square(sigma), 0, square(sigma)}, weight};
}

TEST(Mixture, JoinsWhatIsNearAndKeepsApartWhatIsFar) {
  Opinions opinions;
  for (const Vec2 place : {Vec2{0, 0}, Vec2{0.02, 0}, Vec2{0, 0.03}, Vec2{4, 0}, Vec2{4.01, 0}}) {
    opinions.push_back(part(place, 0.1, 0.4));
  }
  const Mixture mixture = make_mixture(opinions);
  ASSERT_EQ(mixture.size(), 2u);
  EXPECT_NEAR(mixture[0].weight + mixture[1].weight, 1, 1e-12);
  EXPECT_NEAR(std::max(mixture[0].weight, mixture[1].weight), 0.6, 1e-12);
}

// What is joined keeps its mean and its second moments, however much there is of it.
TEST(Mixture, KeepsItsMoments) {
  Random random(2, 2);
  Opinions opinions;
  Vec2 mean;
  for (std::size_t i = 0; i < kMostOpinions; ++i) {
    opinions.push_back(part({random.uniform(-5, 5), random.uniform(-5, 5)}, random.uniform(0.01, 1), 1));
    mean = mean + opinions[i].centre * (1.0 / kMostOpinions);
  }
  const Mixture mixture = make_mixture(opinions);
  EXPECT_LE(mixture.size(), kMostParts);
  Vec2 joined;
  for (const MixturePart& p : mixture) joined = joined + p.centre * p.weight;
  EXPECT_NEAR(distance(mean, joined), 0, 1e-9);
}

// Stays here or has left that way: the smallest set with so much of it, by many points that are drawn.
TEST(Mixture, RegionsOfSeveralPartsHoldTheirShare) {
  Mixture mixture;
  mixture.push_back(part({0, 0}, 0.05, 0.7));
  mixture.push_back(part({3, 1}, 0.4, 0.3));
  constexpr CertaintyParams kNeutral{.half = 1, .most = 1, .later = 1, .unevenness = 0};
  const Certainty certainty(kNeutral);
  for (const double share : {0.5, 0.8, 0.95}) {
    const Region region = certainty.region(share, mixture, {6, 0});
    Random random(4, 4);
    constexpr int kPoints = 20000;
    int n_within = 0;
    for (int i = 0; i < kPoints; ++i) {
      const MixturePart& from = mixture[random.uniform() < 0.7 ? 0 : 1];
      const double sigma = sqrt(from.spread.xx);
      n_within += region.contains(from.centre + Vec2{random.normal(), random.normal()} * sigma) ? 1 : 0;
    }
    EXPECT_NEAR(static_cast<double>(n_within) / kPoints, share, 0.012) << share;
  }
  EXPECT_EQ(certainty.region(0.5, mixture, {6, 0}).parts.size(), 1u) << "half of it lies in the first part alone";
  EXPECT_EQ(certainty.region(0.95, mixture, {6, 0}).parts.size(), 2u);
}

}  // namespace
}  // namespace forerun::predict
