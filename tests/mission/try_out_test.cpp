#include "forerun/mission/try_out.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "forerun/mission/make_mission.hpp"
#include "tests/support/outings.hpp"

namespace forerun::mission {
namespace {

std::unique_ptr<TryOut> make(const robot::Description& robot = make_hall_robot()) {
  auto made = TryOut::make(make_hall(), robot, {1.5, 1.5, 0});
  EXPECT_TRUE(made) << made.error().message;
  return std::move(*made);
}

void drive(TryOut& phantom, const robot::Twist& wanted, double duration_s) {
  for (double t = 0; t < duration_s; t += 0.1) ASSERT_TRUE(phantom.drive(wanted, 0.1));
  for (int i = 0; i < 100 && !*phantom.drive({}, 0.1); ++i) continue;
}

void go_to(TryOut& phantom, const navigate::Task& waypoint) {
  const auto sent = phantom.send_to(waypoint);
  ASSERT_TRUE(sent) << sent.error().message;
  for (int i = 0; i < 600; ++i) {
    const auto there = phantom.run(0.5);
    ASSERT_TRUE(there) << there.error().message;
    if (*there) return;
  }
  FAIL() << "never arrives";
}

TEST(TryOut, TimesAndPlacesGoOnFromStretchToStretch) {
  const auto phantom = make();
  drive(*phantom, {0.3, 0, 0}, 3);
  go_to(*phantom, {{3, 3}, 0});
  drive(*phantom, {0, 0, 0.5}, 1);
  EXPECT_EQ(phantom->n_stretches(), 3u);
  const RecordedPath& path = phantom->path();
  for (std::size_t i = 1; i < path.size(); ++i) {
    EXPECT_NEAR(path[i].time - path[i - 1].time, kTryOutPeriod, 1e-9);
    EXPECT_LT(distance(path[i].pose.position(), path[i - 1].pose.position()), 0.05);
    for (int k = 0; k < 2; ++k) EXPECT_LT(std::abs(path[i].ticks[k] - path[i - 1].ticks[k]), 100);
  }
  EXPECT_EQ(phantom->state().velocity, robot::Twist{});
}

TEST(TryOut, WhileTheOperatorThinksTimeStands) {
  const auto phantom = make();
  drive(*phantom, {0.3, 0, 0}, 2);
  const std::size_t n = phantom->path().size();
  EXPECT_TRUE(*phantom->drive({}, 20));
  EXPECT_TRUE(*phantom->run(20));
  EXPECT_EQ(phantom->path().size(), n);
}

TEST(TryOut, WaitsAtWaypointsAreKept) {
  const auto phantom = make();
  go_to(*phantom, {{3, 1.5}, 7});
  double waited = 0;
  for (const PathPoint& point : phantom->path()) waited += point.waypoint ? kTryOutPeriod : 0;
  EXPECT_NEAR(waited, 7, 0.3);
}

// What is taken back is as if it had never been: the same again gives the same, to the last bit.
TEST(TryOut, StretchesAreTakenBack) {
  const auto phantom = make();
  drive(*phantom, {0.3, 0, 0}, 2);
  const auto go_on = [&] {
    drive(*phantom, {0.2, 0, 0.3}, 2);
    go_to(*phantom, {{4, 4}, 1});
    return phantom->path();
  };
  const RecordedPath first = go_on();
  phantom->keep(1);
  EXPECT_LT(phantom->path().size(), first.size());
  EXPECT_EQ(phantom->state().pose, phantom->path().back().pose);
  const RecordedPath second = go_on();
  ASSERT_EQ(first.size(), second.size());
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_EQ(first[i].pose, second[i].pose);
  phantom->keep(0);
  ASSERT_EQ(phantom->path().size(), 1u);
  EXPECT_EQ(phantom->state().pose, (Pose2{1.5, 1.5, 0}));
}

TEST(TryOut, RefusesWhatCannotBeDriven) {
  const auto phantom = make();
  EXPECT_FALSE(phantom->drive({kInfinity, 0, 0}, 0.1));
  EXPECT_FALSE(phantom->drive({0.1, 0, 0}, kInfinity));
  EXPECT_FALSE(phantom->send_to({{kInfinity, 0}, 0}));
  EXPECT_FALSE(phantom->send_to({{3, 3}, -1}));
  const auto in_wall = phantom->send_to({{-5, 2}, 0});
  ASSERT_FALSE(in_wall);
  EXPECT_NE(in_wall.error().message.find("the waypoint at"), std::string::npos);
  EXPECT_EQ(phantom->n_stretches(), 0u);
  EXPECT_FALSE(TryOut::make(make_hall(), make_hall_robot(), {-5, 2, 0}));
}

TEST(TryOut, EndsAfterHalfAnHour) {
  const auto phantom = make();
  ASSERT_TRUE(phantom->drive({0, 0, 0.2}, 1800));
  const auto more = phantom->drive({0, 0, 0.2}, 1);
  ASSERT_FALSE(more);
  EXPECT_NE(more.error().message.find("at most 30 minutes"), std::string::npos);
  EXPECT_TRUE(phantom->drive({}, 5)) << "it still comes to rest";
}

TEST(TryOut, BecomesAMission) {
  const auto phantom = make();
  go_to(*phantom, {{8.5, 4}, 2});
  drive(*phantom, {-0.2, 0, 0}, 2);
  drive(*phantom, {0.2, 0, 0}, 2);
  const Trim trim = find_cuts(phantom->path(), {});
  const auto made = make_mission("tried", apply_cuts(phantom->path(), trim.cuts), make_hall(), make_hall_robot());
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->mission.name, "tried");
  EXPECT_EQ(made->trial.state, MissionState::done);
  EXPECT_LT(distance(made->mission.path.back().pose.position(), {8.5, 4}), 0.5);
}

TEST(TryOut, AnActionIsDoneWhereTheStretchEnds) {
  const auto phantom = make();
  ASSERT_TRUE(phantom->send_to({{3, 1.5}, 0}, "photo"));
  ASSERT_TRUE(*phantom->run(300));
  EXPECT_EQ(phantom->path().back().action, "photo");
  EXPECT_EQ(phantom->state().velocity, robot::Twist{});
  go_to(*phantom, {{5, 1.5}, 0});
  drive(*phantom, {-0.3, 0, 0}, 6);  // back past it: redundant, but for what is done there
  drive(*phantom, {0.3, 0, 0}, 6);
  Trim trim = find_cuts(phantom->path(), {.loop_m = 20});
  const TrimmedPath left = apply_cuts(phantom->path(), trim.cuts);
  const auto acts = [](const PathPoint& point) { return point.action == "photo"; };
  EXPECT_EQ(std::count_if(left.points.begin(), left.points.end(), acts), 1);
  const auto made = make_mission("tried", left, make_hall(), make_hall_robot());
  ASSERT_TRUE(made) << made.error().message;
  ASSERT_EQ(made->mission.actions.size(), 1u);
  EXPECT_EQ(made->trial.state, MissionState::done);
  phantom->keep(0);
  EXPECT_FALSE(phantom->send_to({{3, 1.5}, 0}, "two words"));
  EXPECT_EQ(phantom->n_stretches(), 0u);
}

// Whoever takes over on the way has not been there.
TEST(TryOut, AnActionThatWasNotReachedIsNone) {
  const auto phantom = make();
  ASSERT_TRUE(phantom->send_to({{8.5, 4}, 0}, "photo"));
  ASSERT_FALSE(*phantom->run(2));
  drive(*phantom, {0, 0, 0.2}, 1);
  for (const PathPoint& point : phantom->path()) EXPECT_TRUE(point.action.empty());
}

TEST(TryOut, ContactsAreKnownByTheirPlaces) {
  const auto phantom = make();
  drive(*phantom, {0.3, 0, 0}, 1);
  EXPECT_TRUE(phantom->contacts().empty());
  drive(*phantom, {-0.3, 0, 0}, 8);
  ASSERT_EQ(phantom->contacts().size(), 1u);
  EXPECT_EQ(phantom->collisions(), 1);
  EXPECT_LT(phantom->path()[phantom->contacts()[0]].pose.x, 0.6);
  phantom->keep(1);
  EXPECT_TRUE(phantom->contacts().empty());
}

// One that only stood has no way to drive.
TEST(TryOut, AMissionNeedsAWay) {
  const auto phantom = make();
  EXPECT_FALSE(make_mission("none", apply_cuts(phantom->path(), {}), make_hall(), make_hall_robot()));
}

}  // namespace
}  // namespace forerun::mission
