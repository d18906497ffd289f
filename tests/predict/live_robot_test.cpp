// The one owner of "the robot as predicted now": what a report is, how old it may be, and that nobody waits for it.
#include "forerun/predict/live_robot.hpp"

#include <gtest/gtest.h>

#include <array>
#include <utility>
#include <vector>

#include "forerun/respond/model_bytes.hpp"
#include "forerun/robot/motors.hpp"
#include "forerun/sim/report.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/outings.hpp"

namespace forerun::predict {
namespace {

robot::Report report_at(double time_s, std::uint32_t sequence) {
  robot::Report report;
  report.time = RobotTime{} + from_seconds(time_s);
  report.sequence = sequence;
  report.state.pose = {2 + 0.01 * time_s, 1.5, 0};
  report.state.velocity = {0.3, 0, 0};
  report.goal = report.target = Vec2{8, 1.5};
  report.task = robot::TaskState::driving;
  return report;
}

LiveRobot make_live() { return std::move(*make_live_robot(make_hall(), make_hall_robot())); }

RobotTime at_second(double time_s) { return RobotTime{} + from_seconds(time_s); }

// It takes effect at this time.
ahead::OwnCommand drive_at(double time_s, const robot::Twist& velocity) {
  return {1, {robot::CommandKind::drive, {}, velocity}, at_second(time_s), at_second(time_s), 0, 0};
}

TEST(LiveRobot, KnowsNothingWithoutAModelOrAReport) {
  LiveRobot nobody;
  EXPECT_EQ(nobody.take(report_at(1, 0)), Taken::no_model);
  EXPECT_EQ(nobody.at(at_second(1)).status, Status::none);
  LiveRobot silent = make_live();
  EXPECT_EQ(silent.at(at_second(1)).status, Status::none);
  std::array<Pose2, 3> way;
  EXPECT_EQ(silent.way_ahead(from_seconds(1), way), 0u);
}

TEST(LiveRobot, SaysWhetherItIsReportedPredictedOrStale) {
  LiveRobot live = make_live();
  live.take(report_at(10, 0));
  EXPECT_EQ(live.at(at_second(10.2)).status, Status::fresh);
  EXPECT_EQ(live.at(at_second(12)).status, Status::predicted);
  const Prediction last = live.at(at_second(130));
  EXPECT_EQ(last.status, Status::predicted);
  const Prediction stale = live.at(at_second(131));
  EXPECT_EQ(stale.status, Status::stale);
  EXPECT_EQ(stale.time, last.time);
  EXPECT_EQ(stale.state.pose, last.state.pose);
  EXPECT_EQ(stale.gap, from_seconds(120));
}

TEST(LiveRobot, IgnoresTheNewestReportOnceMore) {
  LiveRobot live = make_live();
  EXPECT_EQ(live.take(report_at(10, 4)), Taken::newer);
  const Prediction before = live.at(at_second(13));
  EXPECT_EQ(live.take(report_at(10, 4)), Taken::known);
  const Prediction after = live.at(at_second(13));
  EXPECT_EQ(after.state.pose, before.state.pose);
  EXPECT_EQ(after.gap, before.gap);
}

TEST(LiveRobot, BeginsAnewAfterATimeFromBefore) {
  LiveRobot live = make_live(), fresh = make_live();
  for (std::uint32_t i = 0; i < 4; ++i) live.take(report_at(2.0 + 2 * i, i));
  EXPECT_EQ(live.take(report_at(5, 9)), Taken::restarted);
  fresh.take(report_at(5, 9));
  EXPECT_EQ(live.at(at_second(8)).state.pose, fresh.at(at_second(8)).state.pose);
}

// A blackout is no reason to forget how fast the robot is; and however long it was, nobody waits for what was expected.
TEST(LiveRobot, RemembersTheRobotAfterASilenceHoweverLong) {
  for (const double silence_s : {119.0, 121.0, 3600.0, 365 * 86400.0}) {
    LiveRobot live = make_live();
    robot::Report report = report_at(0, 0);
    for (std::uint32_t i = 0; i < 6; ++i) {
      report = report_at(5.0 * i, i);
      report.goal = Vec2{8, 1.5};
      report.state = {{1 + 0.7 * i, 1.5, 0}, {0.14, 0, 0}};  // much slower than described
      live.take(report);
    }
    const double learned = live.at(report.time).speed_scale;
    ASSERT_LT(learned, 0.995);
    report.time = report.time + from_seconds(silence_s);
    report.sequence = 99;
    EXPECT_EQ(live.take(report), Taken::newer) << silence_s;
    EXPECT_NEAR(live.at(report.time).speed_scale, learned, 0.1) << silence_s;
  }
}

// The list is the user's: also after the robot side was started anew.
TEST(LiveRobot, NamesTheDriverThatItBelieves) {
  EXPECT_STREQ(LiveRobot().at(at_second(1)).driver_name, "");
  const ReplicaModel model = *make_replica_model(make_hall(), make_hall_robot());
  std::vector<Driver> drivers = known_drivers();
  std::swap(drivers[0], drivers[1]);
  LiveRobot live(model, {}, drivers);
  for (const double time_s : {10.0, 5.0}) {
    live.take(report_at(time_s, 1));
    const Prediction prediction = live.at(at_second(time_s + 1));
    EXPECT_EQ(prediction.driver, 0u);
    EXPECT_STREQ(prediction.driver_name, "follower");
  }
}

TEST(LiveRobot, NeverGoesBackInTime) {
  LiveRobot live = make_live();
  live.take(report_at(10, 0));
  EXPECT_EQ(live.at(at_second(3)).time, at_second(10));
  const Prediction later = live.at(at_second(14));
  const Prediction earlier = live.at(at_second(12));
  EXPECT_EQ(earlier.time, later.time);
  EXPECT_EQ(earlier.state.pose, later.state.pose);
  EXPECT_EQ(earlier.extrapolated.pose, later.extrapolated.pose);
}

// Times come from the network (which passes on none that is implausible): none may make a viewer work for ever.
TEST(LiveRobot, AnyTimeIsAnsweredAtOnce) {
  for (const std::int64_t ns : {INT64_MIN / 4, std::int64_t{0}, INT64_MAX / 4}) {
    LiveRobot live = make_live();
    robot::Report report = report_at(0, 0);
    report.time = RobotTime{ns};
    live.take(report);
    for (const std::int64_t now : {INT64_MIN, std::int64_t{0}, INT64_MAX}) {
      const Prediction prediction = live.at(RobotTime{now});
      EXPECT_GE(prediction.gap.ns, 0);
      EXPECT_LE(prediction.gap, from_seconds(120));
    }
  }
}

TEST(LiveRobot, TheWayAheadBeginsWhereTheRobotIsPredicted) {
  LiveRobot live = make_live();
  live.take(report_at(10, 0));
  const Prediction now = live.at(at_second(13));
  std::array<Pose2, 11> way;
  EXPECT_EQ(live.way_ahead(from_seconds(0.5), way), way.size());
  EXPECT_EQ(way[0], now.state.pose);
  EXPECT_GT(way[10].x, way[0].x + 0.5);
}

TEST(LiveRobot, AllocatesNothingFromReportToReport) {
  LiveRobot live = make_live();
  live.take(report_at(1, 0));
  const AllocationCounter counter;
  for (std::uint32_t i = 1; i < 10; ++i) {
    live.take(report_at(1 + i, i));
    (void)live.at(at_second(1.5 + i));
  }
  EXPECT_EQ(counter.count(), 0u);
}

// A robot with a dead time, driven by hand in bends, that reports twice a second.
struct HandDrive {
  static constexpr double kDelay = 0.3, kLag = 0.2, kStep = 0.01;

  static respond::Model learned() {
    respond::Model model;
    model.response = {{kDelay, kLag, 1}, {kDelay, kLag, 1}, {kDelay, kLag, 1}};
    model.delays = {{0.5, 0, 1}, {0.5, 0, 1}, {0.5, 0, 1}};
    for (const double horizon : {0.5, 1.0}) {
      respond::HorizonModel one;
      one.horizon = horizon;
      one.squares.fill({1e-2, 1e-2});
      one.squares[respond::kUsual] = {1e-4, 1e-4};
      model.horizons.push_back(one);
    }
    return model;
  }

  // Mean distance from the truth 0.4 s after reports.
  static double error(LiveRobot& live, bool tell) {
    robot::State state{{1.2, 1.5, 0}, {}};
    std::vector<robot::Twist> given;
    double sum = 0;
    int n = 0;
    std::uint32_t sequence = 0;
    for (int i = 0; i < 2000; ++i) {
      const double time = i * kStep;
      const double phase = 0.9 * time;
      given.push_back({i % 10 == 0 ? 0.25 * (1 + sin(phase)) : given.back().vx, 0,
                       i % 10 == 0 ? cos(1.3 * phase) : given.back().w});
      if (tell && i % 10 == 0) live.give(drive_at(time, given.back()));
      const int back = i - static_cast<int>(kDelay / kStep);
      const robot::Twist wanted = back >= 0 ? given[static_cast<std::size_t>(back)] : robot::Twist{};
      const double share = robot::lag_share(kLag, kStep);
      state.velocity.vx += (wanted.vx - state.velocity.vx) * share;
      state.velocity.w += (wanted.w - state.velocity.w) * share;
      state.pose = robot::move(state.pose, state.velocity, kStep);
      state.pose.theta = normalize_angle(state.pose.theta);
      if (i % 50 == 0) {
        robot::Report report = report_at(time, sequence++);
        report.state = state;
        report.hand_driven = true;
        report.goal.reset();
        report.target.reset();
        live.take(report);
      }
      if (i % 50 != 40 || i < 500) continue;
      sum += length(live.at(at_second(time + kStep)).state.pose.position() - state.pose.position());
      ++n;
    }
    return sum / n;
  }
};

TEST(LiveRobot, IsPredictedByItsCommandsWhileItIsDrivenByHand) {
  robot::Description robot = make_hall_robot();
  LiveRobot plain = std::move(*make_live_robot(make_hall(), robot));
  robot.response = respond::to_bytes(HandDrive::learned());
  LiveRobot learned = std::move(*make_live_robot(make_hall(), robot));
  LiveRobot untold = std::move(*make_live_robot(make_hall(), robot));
  LiveRobot plain_untold = std::move(*make_live_robot(make_hall(), make_hall_robot()));
  const double without = HandDrive::error(plain, true), with = HandDrive::error(learned, true);
  EXPECT_LT(with, 0.4 * without) << without;
  EXPECT_LT(with, 0.01);
  EXPECT_EQ(HandDrive::error(untold, false), HandDrive::error(plain_untold, false))
      << "somebody else drives it: nothing is known of his commands";
}

TEST(LiveRobot, AResponseThatCannotBeReadIsNone) {
  robot::Description robot = make_hall_robot();
  robot.response = {1, 2, 3};
  const auto live = make_live_robot(make_hall(), robot);
  ASSERT_TRUE(live);
}

TEST(LiveRobot, IsNeverShownWhereNoRobotCanBe) {
  robot::Description robot = make_hall_robot();
  respond::Model mad = HandDrive::learned();
  for (respond::HorizonModel& horizon : mad.horizons) {
    for (auto& row : horizon.residual) row.fill(1e6);
    for (auto& row : horizon.network.out) row.fill(-1e6);
    horizon.squares.fill({1e6, 1e6});
    horizon.squares[respond::kWeighed] = horizon.squares[respond::kNetworked] = {0, 0};
  }
  robot.response = respond::to_bytes(mad);
  LiveRobot live = std::move(*make_live_robot(make_hall(), robot));
  live.give(drive_at(9.9, {0.3, 0, 0}));
  robot::Report report = report_at(10, 0);
  report.hand_driven = true;
  live.take(report);
  const Prediction prediction = live.at(at_second(10.5));
  EXPECT_LT(length(prediction.state.pose.position() - report.state.pose.position()), 1);
}

TEST(LiveRobot, DoesNotBelieveAResponseThatIsWrong) {
  robot::Description robot = make_hall_robot();
  LiveRobot plain = std::move(*make_live_robot(make_hall(), robot));
  respond::Model wrong = HandDrive::learned();
  for (auto* response : {&wrong.response, &wrong.delays}) {
    for (auto* axis : {&response->forward, &response->turn}) *axis = {1.5, 3, 5};
  }
  robot.response = respond::to_bytes(wrong);
  LiveRobot fooled = std::move(*make_live_robot(make_hall(), robot));
  EXPECT_LT(HandDrive::error(fooled, true), 1.3 * HandDrive::error(plain, true));
}

}  // namespace
}  // namespace forerun::predict
