// Wheels from whole drives: the truth is found, as surely as stated, in any order, and nonsense is refused in a
// sentence.
#include "forerun/learn/calibration.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "forerun/learn/calibration_check.hpp"
#include "forerun/learn/dead_reckoning.hpp"
#include "tests/support/wheeled_drive.hpp"

namespace forerun::learn {
namespace {

using Column = io::DriveColumn;
using test::drive_wheels;
using test::kTicksPerTurn;
using test::kTrueWheels;
using test::WheeledDriveParams;

constexpr CalibrationRobot kBelieved{{0.15, 0.15, 0.33}, kTicksPerTurn};

io::DriveLog to_log(const std::vector<test::WheeledMoment>& drive) {
  io::DriveLog log;
  log.columns = {Column::t_s, Column::ticks_left, Column::ticks_right, Column::x_m, Column::y_m, Column::theta_rad};
  for (const auto& moment : drive) {
    io::DriveRow row;
    row[Column::t_s] = moment.time;
    row[Column::ticks_left] = moment.ticks.left;
    row[Column::ticks_right] = moment.ticks.right;
    if (moment.external) {
      row[Column::x_m] = moment.external->x;
      row[Column::y_m] = moment.external->y;
      row[Column::theta_rad] = moment.external->theta;
    }
    log.rows.push_back(row);
  }
  return log;
}

// The same drive as scan matching sees it: only rows with a pose, and from each to the next what is between them.
io::DriveLog to_displacements(const io::DriveLog& absolute) {
  io::DriveLog log;
  log.columns = {Column::t_s, Column::ticks_left, Column::ticks_right, Column::dx_m, Column::dy_m, Column::dtheta_rad};
  std::optional<Pose2> before;
  for (io::DriveRow row : absolute.rows) {
    if (!row.has(Column::x_m)) continue;
    const Pose2 now{row[Column::x_m], row[Column::y_m], row[Column::theta_rad]};
    if (before) {
      const Pose2 moved = inverse(*before) * now;
      row[Column::dx_m] = moved.x;
      row[Column::dy_m] = moved.y;
      row[Column::dtheta_rad] = moved.theta;
    }
    before = now;
    log.rows.push_back(row);
  }
  return log;
}

void drop_column(io::DriveLog& log, Column column) { std::erase(log.columns, column); }

CalibrationDrive make_drive(const WheeledDriveParams& params) {
  const auto drive = make_calibration_drive(to_log(drive_wheels(params)), "drive.csv", kBelieved);
  EXPECT_TRUE(drive);
  return *drive;
}

void expect_truth(const Calibration& found, double sigmas, double share) {
  const auto& belief = found.belief;
  for (const auto part : {&robot::DifferentialGeometry::left_diameter, &robot::DifferentialGeometry::right_diameter,
                          &robot::DifferentialGeometry::base}) {
    EXPECT_NEAR(belief.geometry.*part, kTrueWheels.*part, sigmas * belief.sigma.*part);
    EXPECT_NEAR(belief.geometry.*part / kTrueWheels.*part, 1, share);
  }
}

TEST(Calibration, FindsTheWheelsTheMountAndTheNoise) {
  const WheeledDriveParams params{.mount = {0.1, -0.04, 0.3}, .duration_s = 120};
  const std::vector drives{make_drive(params)};
  const Calibration found = calibrate(drives, kBelieved.nominal);
  expect_truth(found, 3.5, 0.005);
  EXPECT_NEAR(found.belief.mount.x, 0.1, 4 * found.belief.mount_sigma.x);
  EXPECT_NEAR(found.belief.mount.y, -0.04, 4 * found.belief.mount_sigma.y);
  EXPECT_NEAR(found.belief.mount.theta, 0.3, 4 * found.belief.mount_sigma.theta);
  EXPECT_NEAR(found.noise.position_x, params.noise.position_x, 0.3 * params.noise.position_x);
  EXPECT_NEAR(found.delay, 0, 4 * found.delay_sigma);
}

TEST(Calibration, ShowsHowItCameToKnow) {
  const std::vector drives{make_drive({.duration_s = 120})};
  const Calibration found = calibrate(drives, kBelieved.nominal);
  ASSERT_GT(found.stages.size(), 10u);
  EXPECT_NEAR(found.stages.front().geometry.base, kBelieved.nominal.base, 1e-6);
  EXPECT_NEAR(found.stages.back().geometry.base, found.belief.geometry.base, 1e-6);
  for (std::size_t i = 1; i < found.stages.size(); ++i) {
    EXPECT_LE(found.stages[i].sigma.base, found.stages[i - 1].sigma.base);
  }
}

TEST(Calibration, ASensorTurnedByNinetyDegreesIsNoTrouble) {
  const std::vector drives{make_drive({.mount = {0.02, 0.03, -kPi / 2}, .duration_s = 120})};
  const Calibration found = calibrate(drives, kBelieved.nominal);
  expect_truth(found, 3.5, 0.005);
  EXPECT_NEAR(found.belief.mount.theta, -kPi / 2, 0.01);
}

TEST(Calibration, FindsHowLateThePosesAre) {
  const std::vector drives{make_drive({.duration_s = 120, .delay_s = 0.2})};
  const Calibration found = calibrate(drives, kBelieved.nominal);
  EXPECT_NEAR(found.delay, 0.2, 0.03);
  expect_truth(found, 4, 0.006);
}

TEST(Calibration, DisplacementsServeToo) {
  const WheeledDriveParams params{.mount = {0.05, 0, 1.5}, .noise = {1e-7, 0.001, 0.001, 0.002}, .duration_s = 200};
  const auto log = to_displacements(to_log(drive_wheels(params)));
  const auto drive = make_calibration_drive(log, "scan.csv", kBelieved);
  ASSERT_TRUE(drive) << drive.error().message;
  EXPECT_FALSE(drive->absolute);
  const Calibration found = calibrate({&*drive, 1}, kBelieved.nominal);
  expect_truth(found, 4, 0.01);
  EXPECT_NEAR(found.belief.mount.theta, 1.5, 0.01);
}

TEST(Calibration, PositionsAloneServeToo) {
  auto log = to_log(drive_wheels({.duration_s = 120}));
  drop_column(log, Column::theta_rad);
  const auto drive = make_calibration_drive(log, "camera.csv", kBelieved);
  ASSERT_TRUE(drive) << drive.error().message;
  EXPECT_FALSE(drive->has_heading);
  expect_truth(calibrate({&*drive, 1}, kBelieved.nominal), 4, 0.01);
}

// A camera with stamps of its own: rows of ticks, and rows of poses between them.
TEST(Calibration, PosesBetweenTicksArePutBetween) {
  auto log = to_log(drive_wheels({.duration_s = 120}));
  for (io::DriveRow& row : log.rows) {
    if (row.has(Column::x_m)) row[Column::ticks_left] = std::nan("");
  }
  const auto drive = make_calibration_drive(log, "drive.csv", kBelieved);
  ASSERT_TRUE(drive) << drive.error().message;
  EXPECT_EQ(drive->stretches.size(), 1u);
  expect_truth(calibrate({&*drive, 1}, kBelieved.nominal), 3.5, 0.005);
}

TEST(Calibration, TheOrderOfTheDrivesDoesNotMatter) {
  std::vector drives{make_drive({.duration_s = 40, .seed = 1}),
                     make_drive({.duration_s = 60, .max_turn = 0, .seed = 2}),
                     make_drive({.duration_s = 50, .seed = 3})};
  const Calibration one = calibrate(drives, kBelieved.nominal);
  std::reverse(drives.begin(), drives.end());
  const Calibration other = calibrate(drives, kBelieved.nominal);
  EXPECT_NEAR(one.belief.geometry.base, other.belief.geometry.base, 1e-8);
  EXPECT_NEAR(one.belief.geometry.left_diameter, other.belief.geometry.left_diameter, 1e-8);
  EXPECT_NEAR(one.belief.sigma.base, other.belief.sigma.base, 1e-8);
}

// Monte Carlo: errors over stated sigmas.
TEST(Calibration, SigmasCoverTheErrors) {
  double sum = 0;
  int n = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const std::vector drives{make_drive({.duration_s = 60, .seed = seed})};
    const auto belief = calibrate(drives, kBelieved.nominal).belief;
    for (const auto part : {&robot::DifferentialGeometry::left_diameter, &robot::DifferentialGeometry::right_diameter,
                            &robot::DifferentialGeometry::base}) {
      sum += square((belief.geometry.*part - kTrueWheels.*part) / belief.sigma.*part);
      ++n;
    }
  }
  EXPECT_GT(sum / n, 0.3);
  EXPECT_LT(sum / n, 1.7);
}

TEST(Calibration, SaysWhatTheDriveDidNotShow) {
  const std::vector straight{make_drive({.max_turn = 0})};
  const auto belief = calibrate(straight, kBelieved.nominal).belief;
  EXPECT_TRUE(belief.observable[0]);
  EXPECT_TRUE(belief.observable[1]);
  EXPECT_FALSE(belief.observable[2]);
  const std::vector spot{make_drive({.max_speed = 0})};
  for (const bool observable : calibrate(spot, kBelieved.nominal).belief.observable) EXPECT_FALSE(observable);
}

TEST(Calibration, OutliersAreCountedAndNotBelieved) {
  auto moments = drive_wheels({.duration_s = 120});
  for (std::size_t i = 0; i < moments.size(); i += 550) {
    if (moments[i].external) moments[i].external->y += 0.5;
  }
  const auto drive = make_calibration_drive(to_log(moments), "drive.csv", kBelieved);
  ASSERT_TRUE(drive);
  const Calibration found = calibrate({&*drive, 1}, kBelieved.nominal);
  EXPECT_GT(found.n_rejected, 3);
  expect_truth(found, 4, 0.007);
}

// Derivatives against differences, in the sums as a whole.
TEST(Innovations, TheSlopeIsTheCostsDifference) {
  const WheeledDriveParams params{.mount = {0.1, -0.04, 0.3}, .duration_s = 30};
  const std::vector drives{make_drive(params)};
  CalibrationGuess guess{kTrueWheels, params.mount, 0, params.noise};
  guess.geometry.base *= 1.001;
  const PoseSpacing once{4, 1};
  const InnovationSums at = sum_innovations(drives, guess, once, false);
  constexpr double kStep = 1e-6;
  const auto cost = [&](const CalibrationGuess& other) { return sum_innovations(drives, other, once, true).cost; };
  const auto difference = [&](double& part) {
    part += kStep;
    const double high = cost(guess);
    part -= 2 * kStep;
    const double low = cost(guess);
    part += kStep;
    return (high - low) / (4 * kStep);  // of half the sum of squares
  };
  // how the gain changes with the unknowns is left out, so they agree to some per cent
  EXPECT_NEAR(at.whole.slope[2], difference(guess.geometry.base), 0.05 * std::sqrt(at.whole.information(2, 2)));
  EXPECT_NEAR(at.whole.slope[0], difference(guess.geometry.left_diameter),
              0.05 * std::sqrt(at.whole.information(0, 0)));
  EXPECT_NEAR(at.whole.slope[3], difference(guess.mount.x), 0.05 * std::sqrt(at.whole.information(3, 3)));
  EXPECT_NEAR(at.whole.slope[5], difference(guess.mount.theta), 0.05 * std::sqrt(at.whole.information(5, 5)));
}

TEST(DeadReckoning, IsRightWithTheTrueWheelsAndWrongWithOthers) {
  const WheeledDriveParams params{.mount = {0.1, 0, 0}, .noise = {1e-12, 1e-6, 1e-6, 1e-6}};
  const CalibrationDrive drive = make_drive(params);
  const auto right = error_of(reckon(drive, {kTrueWheels, params.mount, 0, {}}));
  EXPECT_LT(right.rms, 0.01);
  EXPECT_LT(right.final_error, 0.02);
  const auto wrong = error_of(reckon(drive, {kBelieved.nominal, params.mount, 0, {}}));
  EXPECT_GT(wrong.rms, 10 * right.rms);
}

// What is wrong with a log, as a sentence.
std::string complaint(const io::DriveLog& log) {
  const auto drive = make_calibration_drive(log, "drive.csv", kBelieved);
  if (!drive) return drive.error().message;
  const auto checked = check_drive(*drive, kBelieved);
  return checked ? "" : checked.error().message;
}

bool says(const std::string& sentence, const std::string& words) { return sentence.find(words) != std::string::npos; }

TEST(CalibrationInput, AGoodLogIsTaken) { EXPECT_EQ(complaint(to_log(drive_wheels({}))), ""); }

TEST(CalibrationInput, TimesMustRise) {
  auto log = to_log(drive_wheels({}));
  log.rows[100][Column::t_s] = log.rows[99][Column::t_s];
  EXPECT_PRED2(says, complaint(log), "in two rows");
  log.rows[100][Column::t_s] = 0.5;
  EXPECT_PRED2(says, complaint(log), "falls from");
}

TEST(CalibrationInput, UnitsAreNamed) {
  auto millimetres = to_log(drive_wheels({}));
  auto degrees = millimetres, milliseconds = millimetres;
  for (io::DriveRow& row : millimetres.rows) {
    row[Column::x_m] *= 1000;
    row[Column::y_m] *= 1000;
  }
  EXPECT_PRED2(says, complaint(millimetres), "likely in millimetres");
  for (io::DriveRow& row : degrees.rows) row[Column::theta_rad] *= 180 / kPi;
  EXPECT_PRED2(says, complaint(degrees), "likely in degrees");
  for (io::DriveRow& row : milliseconds.rows) row[Column::t_s] *= 1000;
  EXPECT_PRED2(says, complaint(milliseconds), "likely in milliseconds");
}

TEST(CalibrationInput, ADiameterOf84IsLikelyInMillimetres) {
  const auto checked = check_nominal({{84, 84, 200}, 1000}, "--nominal");
  ASSERT_FALSE(checked);
  EXPECT_PRED2(says, checked.error().message, "84 is likely in millimetres, which is 0.084 m");
  EXPECT_TRUE(check_nominal({{0.084, 0.084, 0.2}, 1000}, "--nominal"));
  EXPECT_FALSE(check_nominal({{0.084, 0.084, 0.2}, 0}, "--nominal"));
  EXPECT_FALSE(check_nominal({{0.084, -1, 0.2}, 1000}, "--nominal"));
}

TEST(CalibrationInput, WrongTicksOfATurnAreSaid) {
  auto log = to_log(drive_wheels({}));
  for (io::DriveRow& row : log.rows) {
    row[Column::ticks_left] *= 4;
    row[Column::ticks_right] *= 4;
  }
  EXPECT_PRED2(says, complaint(log), "the ticks of a turn");
}

TEST(CalibrationInput, SwappedWheelsAreSaid) {
  auto log = to_log(drive_wheels({}));
  for (io::DriveRow& row : log.rows) std::swap(row[Column::ticks_left], row[Column::ticks_right]);
  EXPECT_PRED2(says, complaint(log), "likely swapped");
  EXPECT_PRED2(says, complaint(to_displacements(log)), "likely swapped");
  drop_column(log, Column::theta_rad);
  EXPECT_PRED2(says, complaint(log), "likely swapped");
}

TEST(CalibrationInput, WhatIsMissingIsNamed) {
  auto log = to_log(drive_wheels({}));
  drop_column(log, Column::ticks_right);
  EXPECT_PRED2(says, complaint(log), "no column ticks_right");
  log = to_log(drive_wheels({}));
  drop_column(log, Column::y_m);
  EXPECT_PRED2(says, complaint(log), "no external pose");
  log = to_log(drive_wheels({}));
  for (io::DriveRow& row : log.rows) row[Column::x_m] = std::nan("");
  EXPECT_PRED2(says, complaint(log), "nothing to calibrate against");
  log = to_log(drive_wheels({}));
  log.rows.clear();
  EXPECT_PRED2(says, complaint(log), "no rows");
}

TEST(CalibrationInput, GapsResetsAndWrapsAreNoTrouble) {
  auto log = to_log(drive_wheels({.duration_s = 120}));
  for (std::size_t i = 0; i < log.rows.size(); ++i) {
    io::DriveRow& row = log.rows[i];
    if (i >= 2000) row[Column::ticks_left] -= 1e6, row[Column::ticks_right] -= 1e6;  // reset
    row[Column::ticks_left] = std::remainder(row[Column::ticks_left], 65536.0);
    row[Column::ticks_right] = std::remainder(row[Column::ticks_right], 65536.0);
  }
  log.rows.erase(log.rows.begin() + 4000, log.rows.begin() + 4200);
  const auto drive = make_calibration_drive(log, "drive.csv", kBelieved);
  ASSERT_TRUE(drive) << drive.error().message;
  EXPECT_EQ(drive->n_breaks, 2);
  EXPECT_EQ(drive->stretches.size(), 3u);
  expect_truth(calibrate({&*drive, 1}, kBelieved.nominal), 4, 0.006);
}

}  // namespace
}  // namespace forerun::learn
