// Wheel diameters and base while driving: found within a minute, honestly, and whatever comes late, twice or not at
// all.
#include "forerun/estimate/calibrator.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/allocation_counter.hpp"
#include "tests/support/wheeled_drive.hpp"

namespace forerun::estimate {
namespace {

using test::drive_wheels;
using test::kTicksPerTurn;
using test::kTrueWheels;
using test::WheeledDriveParams;
using test::WheeledMoment;

// The robot as it is believed to be, wrong by such shares.
robot::DifferentialGeometry wrong_by(double left, double right, double base) {
  return {kTrueWheels.left_diameter * (1 + left), kTrueWheels.right_diameter * (1 + right),
          kTrueWheels.base * (1 + base)};
}

CalibratorParams params_of(const WheeledDriveParams& drive) {
  CalibratorParams params;
  params.filter.noise = drive.noise;
  params.filter.noise.slip = 1e-6;
  return params;
}

RobotTime at(double seconds) { return RobotTime{from_seconds(seconds).ns}; }

struct Consistency {
  double squared = 0;  // sum of the squared innovations
  int n = 0;
};

Consistency feed(Calibrator& calibrator, const std::vector<WheeledMoment>& drive) {
  Consistency sum;
  for (const WheeledMoment& moment : drive) {
    calibrator.add_ticks(at(moment.time), moment.ticks);
    if (!moment.external) continue;
    if (calibrator.add_pose(at(moment.time), {*moment.external}) == PoseUse::used) {
      sum.squared += calibrator.last_innovation().squared;
      ++sum.n;
    }
  }
  return sum;
}

void expect_found(const GeometryBelief& belief, double share) {
  EXPECT_NEAR(belief.geometry.left_diameter / kTrueWheels.left_diameter, 1, share);
  EXPECT_NEAR(belief.geometry.right_diameter / kTrueWheels.right_diameter, 1, share);
  EXPECT_NEAR(belief.geometry.base / kTrueWheels.base, 1, share);
}

TEST(Calibrator, TenPercentWrongIsRightWithinAMinute) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    for (const double sign : {-1.0, 1.0}) {
      const WheeledDriveParams drive{.seed = seed};
      Calibrator calibrator(wrong_by(0.1 * sign, 0.1 * sign, 0.1 * sign), kTicksPerTurn, params_of(drive));
      feed(calibrator, drive_wheels(drive));
      expect_found(calibrator.belief(), 0.01);
      for (const bool observable : calibrator.belief().observable) EXPECT_TRUE(observable);
    }
  }
}

TEST(Calibrator, WrongInDifferentDirectionsToo) {
  const WheeledDriveParams drive{.seed = 5};
  Calibrator calibrator(wrong_by(0.1, -0.1, 0.1), kTicksPerTurn, params_of(drive));
  feed(calibrator, drive_wheels(drive));
  expect_found(calibrator.belief(), 0.01);
}

// The mean of a drive's squared innovations is three, within its 95 % band: in nearly all drives, and in all together.
TEST(Calibrator, InnovationsAreAsLargeAsStated) {
  Consistency all;
  int n_inside = 0;
  constexpr int kDrives = 40;
  // χ² with 3 n degrees of freedom, divided by n
  const auto is_inside = [](const Consistency& one) {
    return std::fabs(one.squared / one.n - 3) < 1.96 * std::sqrt(6.0 / one.n);
  };
  for (std::uint64_t seed = 1; seed <= kDrives; ++seed) {
    const WheeledDriveParams drive{.seed = seed};
    Calibrator calibrator(wrong_by(0.1, 0.1, 0.1), kTicksPerTurn, params_of(drive));
    const Consistency one = feed(calibrator, drive_wheels(drive));
    ASSERT_GT(one.n, 290);
    n_inside += is_inside(one) ? 1 : 0;
    all = {all.squared + one.squared, all.n + one.n};
  }
  EXPECT_GE(n_inside, 35);
  EXPECT_TRUE(is_inside(all)) << all.squared / all.n;
}

// Monte Carlo: errors over stated sigmas are standard normal, about.
TEST(Calibrator, SigmasCoverTheErrors) {
  double sum = 0;
  int within2 = 0;
  constexpr int kDrives = 60;
  for (std::uint64_t seed = 1; seed <= kDrives; ++seed) {
    const WheeledDriveParams drive{.duration_s = 30, .seed = seed};
    Calibrator calibrator(wrong_by(0.05, -0.05, 0.05), kTicksPerTurn, params_of(drive));
    feed(calibrator, drive_wheels(drive));
    const GeometryBelief belief = calibrator.belief();
    const double off = (belief.geometry.base - kTrueWheels.base) / belief.sigma.base;
    sum += off * off;
    within2 += std::fabs(off) < 2 ? 1 : 0;
  }
  EXPECT_GT(sum / kDrives, 0.5);
  EXPECT_LT(sum / kDrives, 1.6);
  EXPECT_GE(within2, 52);
}

TEST(Calibrator, AStraightLineDoesNotShowTheBase) {
  const WheeledDriveParams drive{.max_turn = 0, .seed = 2};
  Calibrator calibrator(wrong_by(0.05, 0.05, 0.05), kTicksPerTurn, params_of(drive));
  feed(calibrator, drive_wheels(drive));
  EXPECT_TRUE(calibrator.belief().observable[0]);
  EXPECT_TRUE(calibrator.belief().observable[1]);
  EXPECT_FALSE(calibrator.belief().observable[2]);
}

TEST(Calibrator, TurningOnTheSpotShowsNothingAlone) {
  const WheeledDriveParams drive{.max_speed = 0, .seed = 2};
  Calibrator calibrator(wrong_by(0.05, 0.05, 0.05), kTicksPerTurn, params_of(drive));
  feed(calibrator, drive_wheels(drive));
  for (const bool observable : calibrator.belief().observable) EXPECT_FALSE(observable);
}

TEST(Calibrator, FindsASensorThatIsMountedOffCentre) {
  WheeledDriveParams drive{.mount = {0.12, -0.05, 0.2}, .duration_s = 120, .seed = 3};
  CalibratorParams params = params_of(drive);
  params.filter.prior.mount_m = 0.2;
  params.filter.prior.mount_rad = 0.3;
  Calibrator calibrator(wrong_by(0.05, -0.05, 0.05), kTicksPerTurn, params);
  feed(calibrator, drive_wheels(drive));
  const GeometryBelief belief = calibrator.belief();
  expect_found(belief, 0.01);
  EXPECT_NEAR(belief.mount.x, 0.12, 4 * belief.mount_sigma.x);
  EXPECT_NEAR(belief.mount.x, 0.12, 0.01);
  EXPECT_NEAR(belief.mount.y, -0.05, 0.01);
  EXPECT_NEAR(belief.mount.theta, 0.2, 0.01);
}

TEST(Calibrator, OutliersAreNotBelieved) {
  const WheeledDriveParams drive{.seed = 4};
  auto moments = drive_wheels(drive);
  int n_wrong = 0;
  for (std::size_t i = 0; i < moments.size(); i += 70) {
    if (!moments[i].external || moments[i].time < 5) continue;
    moments[i].external->x += 1.5;
    ++n_wrong;
  }
  ASSERT_GT(n_wrong, 20);
  Calibrator calibrator(wrong_by(0.1, 0.1, 0.1), kTicksPerTurn, params_of(drive));
  feed(calibrator, moments);
  EXPECT_GE(calibrator.counts().outliers, static_cast<std::uint32_t>(n_wrong));
  expect_found(calibrator.belief(), 0.01);
}

TEST(Calibrator, ARobotThatWasCarriedAwayBeginsAnew) {
  const WheeledDriveParams drive{.seed = 4};
  auto moments = drive_wheels(drive);
  for (WheeledMoment& moment : moments) {
    if (moment.time > 30 && moment.external) moment.external->y += 4;
  }
  Calibrator calibrator(wrong_by(0.1, 0.1, 0.1), kTicksPerTurn, params_of(drive));
  feed(calibrator, moments);
  EXPECT_LT(calibrator.counts().outliers, 20u);
  expect_found(calibrator.belief(), 0.01);
}

// Each pose comes when the robot has long driven on, and some come twice or not at all.
TEST(Calibrator, LateAndMissingPosesArePutWhereTheyBelong) {
  const WheeledDriveParams drive{.duration_s = 90, .seed = 6};
  const auto moments = drive_wheels(drive);
  Calibrator calibrator(wrong_by(0.1, 0.1, 0.1), kTicksPerTurn, params_of(drive));
  constexpr std::size_t kLate = 60;  // steps: 1.2 s
  for (std::size_t i = 0; i < moments.size(); ++i) {
    calibrator.add_ticks(at(moments[i].time), moments[i].ticks);
    if (i < kLate || !moments[i - kLate].external || i % 30 == 0) continue;
    const ExternalPose pose{*moments[i - kLate].external};
    const PoseUse use = calibrator.add_pose(at(moments[i - kLate].time), pose);
    EXPECT_NE(use, PoseUse::late);
    if (i % 70 == 0) {
      EXPECT_EQ(calibrator.add_pose(at(moments[i - kLate].time), pose), PoseUse::late);
    }
  }
  expect_found(calibrator.belief(), 0.01);
  ASSERT_TRUE(calibrator.pose());
  EXPECT_LT(distance(calibrator.pose()->position(), moments.back().truth.position()), 0.05);
}

TEST(Calibrator, APoseThatIsAheadOfTheTicksWaits) {
  const WheeledDriveParams drive{.seed = 7};
  const auto moments = drive_wheels(drive);
  Calibrator calibrator(wrong_by(0.1, 0.1, 0.1), kTicksPerTurn, params_of(drive));
  for (const WheeledMoment& moment : moments) {
    if (moment.external) (void)calibrator.add_pose(at(moment.time), {*moment.external});
    calibrator.add_ticks(at(moment.time), moment.ticks);
  }
  EXPECT_GT(calibrator.counts().used, 290u);
  expect_found(calibrator.belief(), 0.01);
}

TEST(Calibrator, GapsAndResetsBreakThePoseButNotWhatWasLearned) {
  const WheeledDriveParams drive{.duration_s = 90, .seed = 8};
  auto moments = drive_wheels(drive);
  const Ticks offset = moments[3000].ticks;
  for (std::size_t i = 3000; i < moments.size(); ++i) {  // the encoders start anew after a minute
    moments[i].ticks.left -= offset.left;
    moments[i].ticks.right -= offset.right;
  }
  moments.erase(moments.begin() + 1500, moments.begin() + 1600);  // two seconds that nobody saw
  Calibrator calibrator(wrong_by(0.1, 0.1, 0.1), kTicksPerTurn, params_of(drive));
  feed(calibrator, moments);
  EXPECT_EQ(calibrator.counts().breaks, 2u);
  expect_found(calibrator.belief(), 0.01);
}

// Where the robot was before a gap says nothing of where it is after it.
TEST(Calibrator, PosesFromBeforeABreakAreLate) {
  Calibrator calibrator(kTrueWheels, kTicksPerTurn);
  calibrator.add_ticks(at(0), {});
  EXPECT_EQ(calibrator.add_pose(at(-0.5), {{1, 2, 0}}), PoseUse::late) << "nor from before the first ticks";
  calibrator.add_ticks(at(0.1), {});
  EXPECT_EQ(calibrator.add_pose(at(0.1), {{1, 2, 0}}), PoseUse::started);
  calibrator.add_ticks(at(5), {});
  EXPECT_EQ(calibrator.add_pose(at(0.1), {{1, 2, 0}}), PoseUse::late);
  EXPECT_EQ(calibrator.add_pose(at(4.9), {{3, 2, 0}}), PoseUse::late);
  EXPECT_FALSE(calibrator.pose());
  calibrator.add_ticks(at(5.1), {});
  EXPECT_EQ(calibrator.add_pose(at(4.9), {{3, 2, 0}}), PoseUse::late);
  EXPECT_EQ(calibrator.counts().late, 4u);
  EXPECT_EQ(calibrator.add_pose(at(5), {{3, 2, 0}}), PoseUse::started);
}

TEST(Calibrator, NumbersThatAreNoneChangeNothing) {
  Calibrator calibrator(kTrueWheels, kTicksPerTurn);
  calibrator.add_ticks(at(0), {});
  calibrator.add_ticks(at(0.1), {});
  EXPECT_EQ(calibrator.add_pose(at(0.1), {{std::nan(""), 0, 0}}), PoseUse::useless);
  EXPECT_EQ(calibrator.add_pose(at(0.05), {{1, 2, 0}}), PoseUse::started);
  EXPECT_EQ(calibrator.add_pose(at(0.1), {{1, 2, 0}}), PoseUse::used);
}

TEST(Calibrator, TakesNothingFromTheHeap) {
  const WheeledDriveParams drive{.duration_s = 10};
  const auto moments = drive_wheels(drive);
  Calibrator calibrator(wrong_by(0.1, 0.1, 0.1), kTicksPerTurn, params_of(drive));
  const AllocationCounter counter;
  feed(calibrator, moments);
  EXPECT_EQ(counter.count(), 0u);
}

}  // namespace
}  // namespace forerun::estimate
