// A plan in a few points, and which reports carry it.
#include "forerun/robot/planned_path.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "forerun/base/random.hpp"
#include "forerun/geom/box.hpp"

namespace forerun::robot {
namespace {

using Points = std::vector<Vec2>;

Points copy(const PlannedPath& path) { return {path.begin(), path.end()}; }

// The farthest that a point of the whole lies from the thinned path.
double farthest(const Points& whole, const PlannedPath& path) {
  double most = 0;
  for (const Vec2 point : whole) {
    double nearest = distance(point, path[0]);
    for (std::size_t i = 1; i < path.size(); ++i) {
      nearest = std::min(nearest, distance(point, nearest_point({path[i - 1], path[i]}, point)));
    }
    most = std::max(most, nearest);
  }
  return most;
}

TEST(ThinPath, KeepsTheCornersAndNothingElse) {
  Points path;
  for (int i = 0; i <= 100; ++i) path.push_back({0.1 * i, 0});
  for (int i = 1; i <= 50; ++i) path.push_back({10, 0.1 * i});
  EXPECT_EQ(copy(thin_path(path)), (Points{{0, 0}, {10, 0}, {10, 5}}));
}

TEST(ThinPath, SpendsItsPointsWhereThePathBends) {
  // 40 m straight on, then a quarter of a circle of 2 m
  Points path;
  for (int i = 0; i < 400; ++i) path.push_back({0.1 * i - 40, 0});
  for (int i = 0; i <= 90; ++i) {
    const double angle = i * kPi / 180;
    path.push_back({2 * sincos(angle).sin, 2 - 2 * sincos(angle).cos});
  }
  const PlannedPath thin = thin_path(path);
  EXPECT_LT(farthest(path, thin), kPlanTolerance);
  EXPECT_EQ(thin[0], path.front());
  EXPECT_GE(thin[1].x, -0.5) << "the straight has two points";
  EXPECT_EQ(thin.back(), path.back());
}

TEST(ThinPath, AnythingFitsIntoFifteenPointsWithItsEnds) {
  Random random(1, 7);
  for (int run = 0; run < 50; ++run) {
    Points path{{0, 0}};
    for (int i = 0; i < 5000; ++i) {
      path.push_back(path.back() + Vec2{random.uniform(-1, 1), random.uniform(-1, 1)});
    }
    const PlannedPath thin = thin_path(path);
    EXPECT_TRUE(thin.full());
    EXPECT_EQ(thin[0], path.front());
    EXPECT_EQ(thin.back(), path.back());
    EXPECT_EQ(thin, thin_path(path));
  }
}

TEST(ThinPath, ShortAndIdlePathsStayWhatTheyAre) {
  EXPECT_TRUE(thin_path({}).empty());
  EXPECT_EQ(copy(thin_path(Points{{1, 2}})), (Points{{1, 2}}));
  EXPECT_EQ(copy(thin_path(Points(3000, Vec2{1, 2}))), (Points{{1, 2}}));
  // there and back again
  EXPECT_EQ(copy(thin_path(Points{{0, 0}, {5, 0}, {0, 0}})), (Points{{0, 0}, {5, 0}, {0, 0}}));
  EXPECT_EQ(copy(thin_path(Points{{0, 0}, {5, 0}, {3, 0}})), (Points{{0, 0}, {5, 0}, {3, 0}}));
}

TEST(ThinPath, WhatIsNoPlaceIsPassedOver) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(copy(thin_path(Points{{kNan, 0}, {0, 0}, {kInf, 1}, {4, 4}, {1e300, 0}, {8, 0}, {0, -kInf}})),
            (Points{{0, 0}, {4, 4}, {8, 0}}));
  EXPECT_TRUE(thin_path(Points{{kNan, kNan}, {kInf, 0}, {-1e6, 0}}).empty());
}

// Ten reports a second. Which of them carry a plan, when the robot says `plans[i]` (or nothing) with the i-th?
std::vector<int> carrying(const std::vector<std::optional<PlannedPath>>& plans, double interval_s = 0.1) {
  PlanRepeats repeats;
  std::vector<int> sent;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    Report report;
    report.time = RobotTime{} + from_seconds(static_cast<double>(i) * interval_s);
    report.planned_path = plans[i];
    repeats.apply(report);
    if (report.planned_path) sent.push_back(static_cast<int>(i));
  }
  return sent;
}

PlannedPath line_to(double x) { return thin_path(Points{{0, 0}, {x, 0}}); }

TEST(PlanRepeats, AChangeGoesIntoThreeReportsAndThenIntoOneASecond) {
  std::vector<std::optional<PlannedPath>> plans(40, line_to(5));
  for (std::size_t i = 25; i < 40; ++i) plans[i] = line_to(6);
  EXPECT_EQ(carrying(plans), (std::vector<int>{0, 1, 2, 12, 22, 25, 26, 27, 37}));
}

TEST(PlanRepeats, WhoSaysNothingMeansThePlanBefore) {
  std::vector<std::optional<PlannedPath>> plans(16);
  plans[2] = line_to(5);
  EXPECT_EQ(carrying(plans), (std::vector<int>{2, 3, 4, 14}));
}

TEST(PlanRepeats, ToHaveNoPlanAnyMoreIsAChangeToo) {
  std::vector<std::optional<PlannedPath>> plans(12, line_to(5));
  for (std::size_t i = 6; i < 12; ++i) plans[i] = PlannedPath{};
  EXPECT_EQ(carrying(plans), (std::vector<int>{0, 1, 2, 6, 7, 8}));
}

TEST(PlanRepeats, RareReportsAllCarryIt) {
  EXPECT_EQ(carrying(std::vector<std::optional<PlannedPath>>(6, line_to(5)), 6), (std::vector<int>{0, 1, 2, 3, 4, 5}));
}

TEST(PlanRepeats, GivesEachReportThePlanInForce) {
  PlanRepeats repeats;
  Report first, second;
  first.planned_path = line_to(5);
  repeats.apply(first);
  repeats.apply(second);
  EXPECT_EQ(second.planned_path, line_to(5));
}

TEST(PlanRepeats, AClockThatIsSetBackDoesNotSilenceIt) {
  PlanRepeats repeats;
  Report report;
  report.planned_path = line_to(5);
  report.time = RobotTime{} + from_seconds(1000);
  for (int i = 0; i < 5; ++i) repeats.apply(report);
  EXPECT_FALSE(report.planned_path);
  report.time = RobotTime{};
  repeats.apply(report);
  EXPECT_TRUE(report.planned_path);
}

}  // namespace
}  // namespace forerun::robot
