// Every scenario reaches the state it always reached, to the last bit. After an intended change: make golden
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "forerun/io/file.hpp"
#include "forerun/io/robot_file.hpp"
#include "forerun/io/scenario_file.hpp"
#include "forerun/io/world_file.hpp"
#include "forerun/navigate/navigator.hpp"
#include "forerun/sim/loop.hpp"

namespace forerun::sim {
namespace {

constexpr const char* kGolden = FORERUN_SOURCE_DIR "/tests/golden/drives.csv";

// One line of the table: what the drive came to.
std::string drive(const std::string& name, const Reality& reality) {
  const auto scenario = io::load_scenario(*io::find_file(io::FileKind::scenario, name));
  const auto world = io::load_world(scenario->world);
  const auto robot = io::load_robot(scenario->robot);
  const auto model = make_model({*world, *robot, *scenario, reality, 1});
  navigate::Navigator navigator(model->planning, model->robot);
  Loop loop(*model, navigator);
  while (!loop.finished() && to_seconds(loop.time()) < scenario->time_limit) loop.step();
  char line[200];
  std::snprintf(line, sizeof line, "%s,%s,1,%zu,%d,%.3f,%.3f,%016llx\n", name.c_str(), reality.name,
                loop.executive().n_reached(), loop.statistics().collisions, loop.plant().path_length(),
                to_seconds(loop.time()), static_cast<unsigned long long>(loop.state_hash()));
  return line;
}

TEST(Golden, DrivesReachTheStateTheyAlwaysReached) {
  std::string table = "scenario,reality,seed,goals_reached,collisions,path_length_m,duration_s,state_hash\n";
  for (const char* name : {"office-delivery", "museum-tour"}) {
    for (const Reality& reality : kRealities) table += drive(name, reality);
  }
  if (std::getenv("FORERUN_WRITE_GOLDEN") != nullptr) {
    ASSERT_TRUE(io::write_file(kGolden, table).ok());
    return;
  }
  std::ifstream file(kGolden);
  std::stringstream golden;
  golden << file.rdbuf();
  EXPECT_EQ(table, golden.str()) << "after an intended change: make golden, and look at the difference";
}

}  // namespace
}  // namespace forerun::sim
