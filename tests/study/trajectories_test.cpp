#include "forerun/study/trajectories.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "forerun/predict/predictor.hpp"
#include "forerun/robot/extrapolation.hpp"
#include "forerun/study/office_study.hpp"
#include "tests/support/outings.hpp"

namespace forerun::study {
namespace {

constexpr double kInterval = 2;  // [s]

const predict::ReplicaModel& hall_model() {
  static const auto model = predict::make_replica_model(make_hall(), make_hall_robot());
  return *model;
}

// Round the wall, a stay, and back.
learn::Drive make_drive(const sim::Reality& reality, double wait = 5, double interval = kInterval) {
  sim::Scenario scenario;
  scenario.start = {1.5, 1.5, 0};
  scenario.goals = {{"there", {8, 3}, wait}, {"back", {2, 4.5}, 0}};
  const world::World world = make_hall();
  const robot::Description robot = make_hall_robot();
  const auto drive = simulate_drive({world, robot, scenario, reality}, interval, 3);
  return drive.ok() ? *drive : learn::Drive{};
}

const learn::Drive& hall_drive() {
  static const learn::Drive drive = make_drive(sim::kMismatched);
  return drive;
}

TEST(Trajectories, PredictionIsThePredictorsOwnAtEachMessage) {
  const learn::Drive& drive = hall_drive();
  ASSERT_GT(drive.reports.size(), 10u);
  const Trajectories all = follow(drive, hall_model(), 0, 1);
  EXPECT_EQ(all.n_received, drive.reports.size());
  ASSERT_EQ(all.pieces.size(), drive.reports.size());
  predict::Predictor predictor(hall_model());
  const RobotTime start = drive.reports.front().time;
  std::int64_t frame = 0;
  for (std::size_t i = 0; i < drive.reports.size(); ++i) {
    // asked as often as the screen asks
    const robot::Report& report = drive.reports[i];
    for (RobotTime t; (t = start + from_seconds(static_cast<double>(frame) / kFrameRate)) < report.time; ++frame) {
      predictor.advance(t);
    }
    predictor.resync(report);
    const Pose2 expected = predictor.advance(report.time).pose;
    const TrackPoint& first = all.pieces[i].points.front();
    EXPECT_EQ(first.time, to_seconds(report.time));
    EXPECT_EQ(first.gap, 0);
    EXPECT_NEAR(distance(first.prediction.position(), expected.position()), 0, 1e-9) << i;
  }
}

TEST(Trajectories, ExtrapolationGoesOnFromTheNewestMessageThatArrived) {
  const learn::Drive& drive = hall_drive();
  const Trajectories some = follow(drive, hall_model(), 0.5, 2);
  const std::vector<bool> arrives = learn::draw_arrivals(drive.reports.size(), 0.5, 2);
  std::vector<robot::Report> arrived;
  for (std::size_t i = 0; i < arrives.size(); ++i) {
    if (arrives[i]) arrived.push_back(drive.reports[i]);
  }
  ASSERT_LT(arrived.size(), drive.reports.size());
  ASSERT_EQ(some.pieces.size(), arrived.size());
  for (std::size_t i = 0; i < arrived.size(); ++i) {
    for (const TrackPoint& point : some.pieces[i].points) {
      const Duration gap = from_seconds(point.time) - Duration{arrived[i].time.ns};
      EXPECT_NEAR(point.gap, to_seconds(gap), 1e-9);
      const Vec2 expected = robot::extrapolate(arrived[i], gap).pose.position();
      EXPECT_NEAR(distance(point.extrapolation.position(), expected), 0, 1e-6);
      EXPECT_NEAR(distance(point.truth.position(), drive.at(point.time)->pose.position()), 0, 1e-9);
    }
  }
  EXPECT_GE(some.longest_gap_s, 2 * kInterval - 0.1);
}

// The most that the shown robot may move in a frame (see ShownRobot).
double step_limit(const predict::ShownParams& params) {
  const double fastest = make_hall_robot().limits.max_speed * 1.3;  // a learned speed may lie above the description's
  return std::max(std::min(params.max_step_m, params.glide_mps / kFrameRate), 2 * fastest / kFrameRate);
}

TEST(Trajectories, WhatIsShownKeepsItsLargestStep) {
  // long gaps, so that there is something to correct
  const learn::Drive drive = make_drive(sim::kMismatched, 5, 4);
  const Trajectories slow = follow(drive, hall_model(), 0.5, 4);
  EXPECT_GT(slow.max_shown_step_m, 0);
  EXPECT_LE(slow.max_shown_step_m, step_limit({}) + 1e-9);
  // the measure would notice: a screen that may move farther does
  const predict::ShownParams hasty{.glide_mps = 60, .max_step_m = 5, .converge_s = 0.02, .fade_s = 0.01};
  const Trajectories fast = follow(drive, hall_model(), 0.5, 4, hasty);
  EXPECT_GT(fast.max_shown_step_m, step_limit({}));
  EXPECT_EQ(fast.n_frames, slow.n_frames);
}

TEST(Trajectories, CountsJumpsOfTheBareEstimates) {
  const Trajectories some = follow(hall_drive(), hall_model(), 0.6, 3);
  double largest = 0;
  int n_long = 0;
  for (std::size_t i = 1; i < some.pieces.size(); ++i) {
    const TrackPoint &before = some.pieces[i - 1].points.back(), &after = some.pieces[i].points.front();
    EXPECT_EQ(before.time, after.time);
    const double jump = distance(before.extrapolation.position(), after.extrapolation.position());
    largest = std::max(largest, jump);
    if (jump > 1) ++n_long;
  }
  EXPECT_EQ(some.extrapolation_jump_m, largest);
  EXPECT_EQ(some.n_extrapolation_jumps, n_long);
  EXPECT_GT(largest, 0.3);
  EXPECT_GT(some.driving_speed, 0.1);
  EXPECT_LT(some.driving_speed, make_hall_robot().limits.max_speed * 1.2);
}

TEST(RoomGap, BeginsWithTheLastMessageBeforeTheRobotLeaves) {
  const learn::Drive& drive = hall_drive();
  const Gap gap = room_gap(drive, hall_model());
  ASSERT_TRUE(gap.at_goal);
  ASSERT_FALSE(gap.points.empty());
  const auto next = std::find_if(drive.reports.begin(), drive.reports.end(), [&](const robot::Report& report) {
    return to_seconds(report.time) > gap.points.front().time;
  });
  ASSERT_NE(next, drive.reports.end());
  EXPECT_EQ(std::prev(next)->task, robot::TaskState::waiting);
  EXPECT_EQ(next->task, robot::TaskState::driving);
  EXPECT_EQ(gap.points.front().gap, 0);
  EXPECT_NEAR(gap.points.back().gap, kPaperGap, 1e-9);
  EXPECT_NEAR(at_gap(gap, 6).gap, 6, 0.051);
  // a robot that stands is extrapolated to where it stands
  const Vec2 first = gap.points.front().extrapolation.position(), last = gap.points.back().extrapolation.position();
  EXPECT_LT(distance(first, last), 0.2);
}

TEST(RoomGap, AsInThePapersItBeginsUnderWay) {
  const learn::Drive& drive = hall_drive();
  const Gap gap = room_gap(drive, hall_model(), GapStart::after_leaving, 6);
  ASSERT_TRUE(gap.at_goal);
  const Gap before = room_gap(drive, hall_model(), GapStart::before_leaving, 6);
  EXPECT_GT(gap.points.front().time, before.points.front().time);
  const Vec2 first = gap.points.front().extrapolation.position(), last = gap.points.back().extrapolation.position();
  EXPECT_GT(distance(first, last), 0.3);
}

TEST(RoomGap, KnowsNothingOfLaterMessages) {
  learn::Drive drive = hall_drive();
  const Gap gap = room_gap(drive, hall_model());
  for (robot::Report& report : drive.reports) {
    if (to_seconds(report.time) <= gap.points.front().time) continue;
    report.state.pose.x += 3;
    report.state.velocity.vx = 0;
  }
  const Gap same = room_gap(drive, hall_model());
  ASSERT_EQ(same.points.size(), gap.points.size());
  for (std::size_t i = 0; i < gap.points.size(); ++i) EXPECT_EQ(same.points[i].prediction, gap.points[i].prediction);
}

TEST(RoomGap, WithoutAnyStayItIsWhereTheMethodsDifferMost) {
  learn::Drive drive = hall_drive();
  for (robot::Report& report : drive.reports) report.task = robot::TaskState::driving;
  const double length = 4;
  const Gap widest = room_gap(drive, hall_model(), GapStart::before_leaving, length);
  EXPECT_FALSE(widest.at_goal);
  ASSERT_FALSE(widest.points.empty());
  const auto apart = [](const Gap& gap) {
    double sum = 0;
    for (const TrackPoint& p : gap.points) sum += distance(p.prediction.position(), p.extrapolation.position());
    return sum / static_cast<double>(gap.points.size());
  };
  EXPECT_GT(apart(widest), 0.1);
  EXPECT_NEAR(widest.points.back().gap, length, 1e-9);
}

TEST(RoomGap, IsNotThereInADriveThatIsTooShort) {
  learn::Drive drive = hall_drive();
  drive.truth.resize(100);  // 5 s
  EXPECT_TRUE(room_gap(drive, hall_model()).points.empty());
  EXPECT_TRUE(room_gap(learn::Drive{}, hall_model()).points.empty());
  EXPECT_TRUE(follow(learn::Drive{}, hall_model(), 0, 1).pieces.empty());
}

}  // namespace
}  // namespace forerun::study
