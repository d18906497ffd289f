// Every ready-made robot delivers in the office, with noise and without.
#include <gtest/gtest.h>

#include <filesystem>

#include "forerun/atlas/world_file.hpp"
#include "forerun/io/file.hpp"
#include "forerun/io/robot_file.hpp"
#include "forerun/io/scenario_file.hpp"
#include "forerun/navigate/navigator.hpp"
#include "forerun/sim/loop.hpp"
#include "tests/support/source_path.hpp"

namespace forerun::sim {
namespace {

class EveryRobot : public testing::TestWithParam<const char*> {};

void deliver(const world::World& world, const robot::Description& robot, const Scenario& scenario,
             const Reality& reality, std::uint64_t seed = 11) {
  const auto model = make_model({world, robot, scenario, reality}, seed);
  ASSERT_TRUE(model.ok()) << model.error().message;
  navigate::Navigator navigator(model->planning, model->robot);
  Loop loop(*model, navigator);
  while (!loop.finished() && to_seconds(loop.time()) < scenario.time_limit) loop.step();
  EXPECT_EQ(loop.executive().n_reached(), scenario.goals.size()) << robot.name << " " << reality.name << " " << seed;
  EXPECT_EQ(loop.statistics().collisions, 0) << robot.name << " " << reality.name << " " << seed;
}

TEST_P(EveryRobot, DeliversToFiveOffices) {
  const auto scenario = io::load_scenario(*io::find_file(io::FileKind::scenario, "office-delivery"));
  const auto world = atlas::load_world(scenario->world);
  const auto robot = io::load_robot(*io::find_file(io::FileKind::robot, GetParam()));
  for (const Reality& reality : {kExact, kNoisy, kMismatched}) deliver(*world, *robot, *scenario, reality);
}

TEST_P(EveryRobot, DrivesWithOtherAccelerationsAndPeriods) {
  const auto scenario = io::load_scenario(*io::find_file(io::FileKind::scenario, "office-delivery"));
  const auto world = atlas::load_world(scenario->world);
  robot::Description robot = *io::load_robot(*io::find_file(io::FileKind::robot, GetParam()));
  Scenario short_way = *scenario;
  short_way.goals.resize(1);
  robot.limits.acceleration = 0.15;
  deliver(*world, robot, short_way, kNoisy);
  robot.limits.acceleration = 0.5;
  robot.control.period = 0.1;
  deliver(*world, robot, short_way, kNoisy);
}

// `make soak` drives fifty seeds of each.
TEST_P(EveryRobot, DeliversAmongPeopleAndBoxesWithoutTouchingAnything) {
  const auto scenario = io::load_scenario(*io::find_file(io::FileKind::scenario, "office-delivery"));
  const auto world = atlas::load_world(scenario->world);
  const auto robot = io::load_robot(*io::find_file(io::FileKind::robot, GetParam()));
  for (std::uint64_t seed = 1; seed <= 4; ++seed) deliver(*world, *robot, *scenario, kCrowded, seed);
}

TEST(NarrowCorridor, SixPeopleDoNotHoldTheRobotForEver) {
  const auto scenario = io::load_scenario(*io::find_file(io::FileKind::scenario, "narrow-corridor"));
  const auto world = atlas::load_world(scenario->world);
  const auto robot = io::load_robot(scenario->robot);
  for (std::uint64_t seed = 1; seed <= 4; ++seed) deliver(*world, *robot, *scenario, kCrowded, seed);
}

TEST(RealCorridor, IsDrivenFromEndToEnd) {
  const std::string map = test::source_path("../shared/data/maps/levine_slam.yaml");
  if (!std::filesystem::exists(map)) GTEST_SKIP() << "recordings are not here: " << map;
  const auto world = atlas::load_world(map);
  ASSERT_TRUE(world.ok()) << world.error().message;
  const auto robot = io::load_robot(*io::find_file(io::FileKind::robot, "turtle"));
  Scenario scenario;
  scenario.name = "round the corridor";
  scenario.start = {-20.9, 1.5, 1.57};
  scenario.goals = {{"", {-15, 8.75}, 0}, {"", {2.4, 8.75}, 0}, {"", {2.7, -2.6}, 0}, {"", {-20.8, -2.9}, 0}};
  scenario.time_limit = 600;
  for (const Reality& reality : {kExact, kNoisy, kMismatched}) deliver(*world, *robot, scenario, reality);
}

INSTANTIATE_TEST_SUITE_P(Robots, EveryRobot, testing::Values("rhino", "create", "turtle", "ssl"),
                         [](const auto& robot) { return std::string(robot.param); });

}  // namespace
}  // namespace forerun::sim
