// Wheels against moves that a sensor with a clock of its own saw.
#include "forerun/learn/timed_moves.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "forerun/learn/calibration.hpp"
#include "forerun/learn/calibration_check.hpp"
#include "forerun/learn/dead_reckoning.hpp"
#include "tests/support/wheeled_drive.hpp"

namespace forerun::learn {
namespace {

using Column = io::DriveColumn;
using test::drive_wheels, test::kTicksPerTurn, test::kTrueWheels;

constexpr CalibrationRobot kBelieved{{0.148, 0.148, 0.34}, kTicksPerTurn};
constexpr Pose2 kMount{0.12, -0.05, 0.4};

io::DriveLog to_ticks(const std::vector<test::WheeledMoment>& drive) {
  io::DriveLog log{.columns = {Column::t_s, Column::ticks_left, Column::ticks_right}};
  for (const auto& moment : drive) {
    io::DriveRow& row = log.rows.emplace_back();
    row[Column::t_s] = moment.time;
    row[Column::ticks_left] = moment.ticks.left;
    row[Column::ticks_right] = moment.ticks.right;
  }
  return log;
}

// What such a sensor sees between every `n`-th moment and the next, by a clock that is ahead by `late`.
std::vector<TimedMove> see_moves(const std::vector<test::WheeledMoment>& drive, std::size_t n, double late,
                                 double noise = 0) {
  Random random(7, 0);
  std::vector<TimedMove> moves;
  for (std::size_t i = 0; i + n < drive.size(); i += n) {
    const Pose2 before = drive[i].truth * kMount, after = drive[i + n].truth * kMount;
    const Pose2 off{noise * random.normal(), noise * random.normal(), noise * random.normal()};
    moves.push_back({drive[i].time + late, drive[i + n].time + late, inverse(before) * after * off});
  }
  return moves;
}

CalibrationDrive make_wheels(const std::vector<test::WheeledMoment>& drive) {
  const auto wheels = make_wheel_drive(to_ticks(drive), "d.csv", kBelieved, {});
  EXPECT_TRUE(wheels);
  return *wheels;
}

TEST(TimedMoves, FindWheelsMountAndDelayThoughRobotsTurnMeanwhile) {
  const auto drive = drive_wheels({.noise = {1e-7}, .duration_s = 120});
  // 1.14 s each: the robot takes up other turns in between, so that no single arc would do
  const auto moves = see_moves(drive, 57, 0.313, 0.001);
  const double delay = find_delay(make_wheels(drive), kBelieved.nominal, moves);
  EXPECT_NEAR(delay, 0.313, 0.01);
  const auto moved = make_moved_drive(to_ticks(drive), "d.csv", kBelieved, moves, delay);
  ASSERT_TRUE(moved) << moved.error().message;
  const Calibration found = calibrate({&*moved, 1}, kBelieved.nominal);
  EXPECT_NEAR(found.belief.geometry.left_diameter / kTrueWheels.left_diameter, 1, 0.003);
  EXPECT_NEAR(found.belief.geometry.right_diameter / kTrueWheels.right_diameter, 1, 0.003);
  EXPECT_NEAR(found.belief.geometry.base / kTrueWheels.base, 1, 0.003);
  EXPECT_NEAR(found.belief.mount.x, kMount.x, 0.005);
  EXPECT_NEAR(found.belief.mount.y, kMount.y, 0.005);
  EXPECT_NEAR(found.belief.mount.theta, kMount.theta, 0.005);
  EXPECT_GE(found.n_samples, static_cast<int>(moves.size()) - 1) << "only the first may begin before the ticks";
}

TEST(TimedMoves, WithoutADelayNoneIsFound) {
  const auto drive = drive_wheels({.noise = {1e-6}, .duration_s = 60});
  EXPECT_EQ(find_delay(make_wheels(drive), kBelieved.nominal, see_moves(drive, 25, 0, 0.01)), 0);
  const auto straight = drive_wheels({.noise = {1e-6}, .duration_s = 60, .max_turn = 0});
  EXPECT_EQ(find_delay(make_wheels(straight), kBelieved.nominal, see_moves(straight, 25, 0.4, 0.01)), 0);
}

TEST(TimedMoves, OverABreakOfTheTicksAreLeftOut) {
  auto drive = drive_wheels({.duration_s = 20});
  const auto moves = see_moves(drive, 50, 0);
  drive.erase(drive.begin() + 420, drive.begin() + 530);  // from 8.4 to 10.6 s
  const auto moved = make_moved_drive(to_ticks(drive), "d.csv", kBelieved, moves, 0);
  ASSERT_TRUE(moved) << moved.error().message;
  EXPECT_EQ(moved->n_breaks, 1);
  std::vector<double> ends;
  for (const CalibrationStretch& stretch : moved->stretches) {
    for (const CalibrationRow& row : stretch) {
      if (row.displacement) ends.push_back(std::round(row.time));
    }
  }
  EXPECT_EQ(ends, (std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 12, 13, 14, 15, 16, 17, 18, 19, 20}));
}

TEST(TimedMoves, AreJoinedWhereTheyMeet) {
  const Pose2 step{0.2, 0, 0.1}, turn{0, 0, 0.7};
  const TimedMove apart[] = {{0, 1, step}, {1, 2, step}, {2, 3, step}, {5, 6, turn}, {6, 6.5, turn}, {6.5, 7, step}};
  const auto joined = join_moves(apart, 2);
  ASSERT_EQ(joined.size(), 4u);
  EXPECT_EQ(joined[0].to, 2);
  EXPECT_EQ(joined[0].moved, step * step);
  EXPECT_EQ(joined[1].from, 2) << "the gap ends it, however short it is";
  EXPECT_EQ(joined[1].to, 3);
  EXPECT_EQ(joined[2].to, 6.5) << "it has turned by more than a radian";
  EXPECT_EQ(joined[3].from, 6.5);
}

TEST(TimedMoves, ScansInOtherUnitsAreRefused) {
  const auto drive = drive_wheels({.duration_s = 60});
  auto moves = see_moves(drive, 50, 0);
  for (TimedMove& move : moves) move.moved = {move.moved.x * 1000, move.moved.y * 1000, move.moved.theta};
  auto moved = make_moved_drive(to_ticks(drive), "d.csv", kBelieved, moves, 0);
  ASSERT_TRUE(moved);
  moved->by_scans = true;
  const auto checked = check_drive(*moved, kBelieved);
  ASSERT_FALSE(checked);
  EXPECT_NE(checked.error().message.find("the scans go"), std::string::npos) << checked.error().message;
  EXPECT_NE(checked.error().message.find("millimetres"), std::string::npos) << checked.error().message;
}

// Two roads: the way over many rows, and the way between the sensor's poses at its ends.
TEST(SeenWay, IsTheWayBetweenTwoPosesOfTheSensor) {
  Random random(3, 0);
  std::vector<CalibrationRow> rows(20);
  for (CalibrationRow& row : rows) row.turns = {random.uniform(-0.2, 0.4), random.uniform(-0.2, 0.4)};
  const CalibrationGuess guess{.geometry = kTrueWheels, .mount = kMount};
  Pose2 robot;
  for (const CalibrationRow& row : rows) {
    robot = estimate::move_along(robot, estimate::arc_of(kTrueWheels, row.turns));
  }
  const Pose2 between = inverse(kMount) * robot * kMount;
  const SeenWay way = see_way(rows, guess);
  EXPECT_NEAR(way.seen.moved.x, between.x, 1e-12);
  EXPECT_NEAR(way.seen.moved.y, between.y, 1e-12);
  EXPECT_NEAR(way.seen.moved.theta, between.theta, 1e-12);

  // and its derivatives are its differences
  constexpr double kStep = 1e-6;
  const auto differs = [&](const CalibrationGuess& other, const Matrix<3, 3>& slopes, std::size_t column) {
    const Pose2 moved = see_way(rows, other).seen.moved;
    EXPECT_NEAR((moved.x - between.x) / kStep, slopes(0, column), 1e-4) << column;
    EXPECT_NEAR((moved.y - between.y) / kStep, slopes(1, column), 1e-4) << column;
    EXPECT_NEAR((moved.theta - between.theta) / kStep, slopes(2, column), 1e-4) << column;
  };
  CalibrationGuess other = guess;
  other.geometry.left_diameter += kStep;
  differs(other, way.seen.by_geometry, 0);
  other = guess;
  other.geometry.base += kStep;
  differs(other, way.seen.by_geometry, 2);
  other = guess;
  other.mount.x += kStep;
  differs(other, way.seen.by_mount, 0);
}

TEST(SeenWay, ReckoningBeginsAnewWhereAMoveIsMissing) {
  const auto drive = drive_wheels({.noise = {1e-9}, .duration_s = 20});
  auto moves = see_moves(drive, 50, 0);
  moves.erase(moves.begin() + 7);
  const auto moved = make_moved_drive(to_ticks(drive), "d.csv", kBelieved, moves, 0);
  ASSERT_TRUE(moved);
  const auto paths = reckon(*moved, {.geometry = kTrueWheels, .mount = kMount, .noise = {1e-6, 0.01, 0.01, 0.01}});
  ASSERT_EQ(paths.size(), 2u);
  EXPECT_EQ(paths[0].seen.size(), 8u);
  EXPECT_EQ(paths[1].seen.size(), 13u);
  EXPECT_EQ(paths[1].seen.front(), (Vec2{}));
  EXPECT_LT(error_of(paths).rms, 0.01);
}

}  // namespace
}  // namespace forerun::learn
