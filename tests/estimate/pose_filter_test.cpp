// The pose from wheels and external poses: as sure as stated, and not led astray.
#include "forerun/estimate/pose_filter.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/wheeled_drive.hpp"

namespace forerun::estimate {
namespace {

using test::drive_wheels;
using test::kTicksPerTurn;
using test::kTrueWheels;
using test::WheeledDriveParams;

WheelTurns turns_between(const Ticks& before, const Ticks& after) {
  return {(after.left - before.left) / kTicksPerTurn, (after.right - before.right) / kTicksPerTurn};
}

// Runs the filter over a drive and gives it back at the end; poses without heading where asked for.
PoseEstimate follow(const std::vector<test::WheeledMoment>& drive, const WheeledDriveParams& params, bool has_heading) {
  PoseEstimate estimate;
  bool located = false;
  for (std::size_t i = 1; i < drive.size(); ++i) {
    if (located) predict_pose(estimate, params.wheels, turns_between(drive[i - 1].ticks, drive[i].ticks), 1e-6);
    if (!drive[i].external) continue;
    const ExternalPose measured{*drive[i].external, has_heading};
    if (!located) estimate = pose_from(measured, params.mount, params.noise, {drive[i].truth.theta + 0.4, 0.4});
    if (located) (void)correct_pose(estimate, measured, params.mount, params.noise, usual_gate(measured.n_values()));
    located = true;
  }
  return estimate;
}

// The squared error over the stated covariance has three degrees of freedom.
double mean_squared_error(bool has_heading, const Pose2& mount) {
  double sum = 0;
  constexpr int kDrives = 100;
  for (std::uint64_t seed = 1; seed <= kDrives; ++seed) {
    const WheeledDriveParams params{.mount = mount, .duration_s = 15, .seed = seed};
    const auto drive = drive_wheels(params);
    const PoseEstimate found = follow(drive, params, has_heading);
    const Pose2& truth = drive.back().truth;
    const Vector<3> off{
        {{{found.pose.x - truth.x}, {found.pose.y - truth.y}, {normalize_angle(found.pose.theta - truth.theta)}}}};
    const auto weighted = solve_symmetric(found.covariance, off);
    if (!weighted) return kInfinity;
    sum += (transposed(off) * *weighted)[0];
  }
  return sum / kDrives;
}

TEST(PoseFilter, IsAsSureAsItIsRight) {
  const double band = 1.96 * std::sqrt(6.0 / 100);
  EXPECT_NEAR(mean_squared_error(true, {}), 3, band);
  EXPECT_NEAR(mean_squared_error(true, {0.2, -0.1, 0.7}), 3, band);
}

TEST(PoseFilter, FindsTheHeadingFromPositionsAlone) {
  const double band = 1.96 * std::sqrt(6.0 / 100);
  EXPECT_NEAR(mean_squared_error(false, {}), 3, 1.5 * band);
}

TEST(PoseFilter, BelievesNoOutlier) {
  PoseEstimate estimate = pose_from({{1, 2, 0.5}}, {}, {});
  const PoseEstimate before = estimate;
  const Innovation found = correct_pose(estimate, {{1.5, 2, 0.5}}, {}, {}, usual_gate(3));
  EXPECT_GT(found.squared, usual_gate(3));
  EXPECT_EQ(estimate.pose, before.pose);
  EXPECT_EQ(estimate.covariance, before.covariance);
}

TEST(PoseFilter, BeginsWhereTheMountSays) {
  const Pose2 mount{0.1, -0.2, 1.2}, robot{3, 4, -2};
  const PoseEstimate estimate = pose_from({robot * mount}, mount, {});
  EXPECT_NEAR(estimate.pose.x, robot.x, 1e-12);
  EXPECT_NEAR(estimate.pose.y, robot.y, 1e-12);
  EXPECT_NEAR(estimate.pose.theta, robot.theta, 1e-12);
}

// Two equal measurements are worth one with half the variance.
TEST(PoseFilter, TwoMeasurementsAreWorthOneOfHalfTheVariance) {
  PoseEstimate estimate = pose_from({{1, 2, 0.5}}, {}, {});
  (void)correct_pose(estimate, {{1.01, 2, 0.5}}, {}, {}, usual_gate(3));
  EXPECT_NEAR(estimate.pose.x, 1.005, 1e-12);
  EXPECT_NEAR(estimate.covariance(0, 0), square(CalibrationNoise{}.position_x) / 2, 1e-15);
}

}  // namespace
}  // namespace forerun::estimate
