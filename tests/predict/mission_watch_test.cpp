// A robot on a mission whose path is known.
#include "forerun/predict/mission_watch.hpp"

#include <gtest/gtest.h>

#include "forerun/mission/drive_loop.hpp"
#include "forerun/navigate/control_systems.hpp"
#include "forerun/predict/live_robot.hpp"
#include "forerun/sim/report.hpp"
#include "tests/mission/hall_mission.hpp"
#include "tests/support/allocation_counter.hpp"

namespace forerun::predict {
namespace {

constexpr std::uint64_t kNumber = 9;

// Straight on at 0.5 m/s for a minute.
std::shared_ptr<const robot::TimedPath> straight() {
  robot::TimedPath path;
  for (int i = 0; i <= 600; ++i) path.push_back({0.1 * i, {0.05 * i, 0, 0}, {0.5, 0, 0}});
  return std::make_shared<const robot::TimedPath>(path);
}

robot::Report on_path(double time, double path_time) {
  robot::Report report;
  report.time = RobotTime{} + from_seconds(time);
  report.task = robot::TaskState::driving;
  report.state.pose = {0.5 * path_time, 0.1, 0};
  report.mission = robot::MissionStatus{kNumber, robot::MissionState::running, robot::Departure::none, path_time};
  return report;
}

TEST(MissionWatch, GoesAlongThePathAndComesBackToIt) {
  MissionWatch watch;
  watch.set(kNumber, straight());
  const robot::Report report = on_path(10, 10);
  const auto course = watch.course(report, report.state.pose, 0);
  ASSERT_TRUE(course);
  EXPECT_NEAR(course->state_after(0).pose.y, 0.1, 1e-9) << "it begins where the robot is";
  EXPECT_NEAR(course->state_after(30).pose.x, 20, 1e-6);
  EXPECT_NEAR(course->state_after(30).pose.y, 0, 1e-3);
  EXPECT_EQ(course->state_after(30).velocity.vx, 0.5);
  EXPECT_EQ(course->state_after(300).velocity.vx, 0) << "after the end it stands";
  EXPECT_TRUE(course->is_over(300));
  EXPECT_NEAR(watch.course(report, report.state.pose, 5)->state_after(15).pose.x, 12.5, 1e-6)
      << "a robot that waits because its path says so is not held up";
  watch.take_in(on_path(4, 10), report);
  EXPECT_NEAR(watch.course(report, report.state.pose, 5)->state_after(15).pose.x, 10, 1e-6) << "its clock stood";
}

TEST(MissionWatch, HasNothingToSayOfOtherMissionsOrOfOneThatDoesNotRun) {
  MissionWatch watch;
  robot::Report report = on_path(10, 10);
  EXPECT_FALSE(watch.course(report, report.state.pose, 0));
  watch.set(kNumber + 1, straight());
  EXPECT_FALSE(watch.course(report, report.state.pose, 0));
  watch.set(kNumber, straight());
  report.mission->state = robot::MissionState::handed_back;
  EXPECT_FALSE(watch.course(report, report.state.pose, 0));
  report.mission.reset();
  EXPECT_FALSE(watch.course(report, report.state.pose, 0));
}

TEST(MissionWatch, LearnsThatThePathsClockGoesSlower) {
  MissionWatch watch;
  watch.set(kNumber, straight());
  robot::Report before = on_path(0, 0);
  for (int i = 1; i <= 20; ++i) {
    const robot::Report report = on_path(3.0 * i, 2.7 * i);
    watch.take_in(before, report);
    before = report;
  }
  EXPECT_NEAR(watch.pace(), 0.9, 0.01);
  watch.take_in(before, on_path(70, before.mission->time));
  EXPECT_NEAR(watch.pace(), 0.9, 0.01) << "a clock that stands says nothing of its pace";
}

// The whole: a real executor in a reality that departs from the model, and a viewer that knows the mission.
struct Watched {
  explicit Watched(const sim::Reality& reality) {
    sim::Scenario scenario;
    scenario.start = mission.path.front().pose;
    model = *sim::make_model({world, robot, scenario, reality}, 3);
    control = navigate::make_own_control_system(model->planning, model->robot);
    loop.emplace(*model, *control);
    EXPECT_EQ(pilot.give(kNumber, mission).state, robot::Reply::State::accepted);
    EXPECT_EQ(mission::start_on(*loop, {.kind = robot::CommandKind::start, .mission = kNumber}, pilot).state,
              robot::Reply::State::accepted);
  }
  robot::Report report_after(double seconds) {
    const RobotTime end = loop->time() + from_seconds(seconds);
    while (loop->time() < end) loop->step();
    robot::Report report = sim::make_report(*loop, {.sequence = ++sequence});
    pilot.apply(report);
    return report;
  }

  world::World world = make_hall();
  robot::Description robot = make_hall_robot();
  mission::Mission mission = mission::make_hall_mission();
  mission::Pilot pilot{world, robot};
  std::optional<sim::Model> model;
  std::unique_ptr<navigate::ControlSystem> control;
  std::optional<sim::Loop> loop;
  std::uint32_t sequence = 0;
};

TEST(MissionWatch, WhoKnowsTheMissionKnowsWhereTheRobotIs) {
  Watched watched(sim::kMismatched);
  auto live = make_live_robot(watched.world, watched.robot);
  ASSERT_TRUE(live);
  live->set_mission(kNumber, std::make_shared<const robot::TimedPath>(watched.mission.path));
  for (int i = 0; i < 4; ++i) live->take(watched.report_after(1));
  const double left = watched.mission.path.back().time - 5;
  while (to_seconds(watched.loop->time()) < left) {
    watched.loop->step();
    const Prediction prediction = live->at(watched.loop->time());
    ASSERT_LT(distance(prediction.state.pose.position(), watched.loop->truth().pose.position()), 0.35)
        << to_seconds(prediction.gap);
    ASSERT_EQ(prediction.task, robot::TaskState::driving);
  }
  std::array<Pose2, 3> places;
  ASSERT_EQ(live->way_ahead(from_seconds(100), places), 3u);
  EXPECT_LT(distance(places[2].position(), watched.mission.path.back().pose.position()), 0.01);
}

TEST(MissionWatch, AMissionThatBecomesKnownLaterCountsFromTheNewestReport) {
  Watched watched(sim::kExact);
  auto live = make_live_robot(watched.world, watched.robot);
  ASSERT_TRUE(live);
  const robot::Report report = watched.report_after(3);
  live->take(report);
  (void)live->at(report.time + from_seconds(2));
  live->set_mission(kNumber, std::make_shared<const robot::TimedPath>(watched.mission.path));
  const Prediction prediction = live->at(report.time + from_seconds(6));
  const Pose2 planned = robot::point_at(watched.mission.path, report.mission->time + 6).pose;
  EXPECT_LT(distance(prediction.state.pose.position(), planned.position()), 0.1);
  live->set_mission(0, nullptr);
  EXPECT_NO_FATAL_FAILURE((void)live->at(report.time + from_seconds(7)));
}

TEST(MissionWatch, AsksForNoMemoryWhileItPredicts) {
  Watched watched(sim::kNoisy);
  auto live = make_live_robot(watched.world, watched.robot);
  ASSERT_TRUE(live);
  live->set_mission(kNumber, std::make_shared<const robot::TimedPath>(watched.mission.path));
  const robot::Report report = watched.report_after(2);
  live->take(report);
  (void)live->at(report.time + from_seconds(1));
  const AllocationCounter counter;
  for (int i = 0; i < 20; ++i) (void)live->at(report.time + from_seconds(1 + 0.1 * i));
  EXPECT_EQ(counter.count(), 0u);
}

}  // namespace
}  // namespace forerun::predict
