#include "tests/sim/golden_drives.hpp"

#include <cstdio>

#include "forerun/atlas/world_file.hpp"
#include "forerun/io/file.hpp"
#include "forerun/io/robot_file.hpp"
#include "forerun/io/scenario_file.hpp"
#include "forerun/navigate/navigator.hpp"
#include "forerun/sim/loop.hpp"

namespace forerun::test {
namespace {

// One line of the table: what the drive came to.
std::string drive(const std::string& name, const sim::Reality& reality) {
  const auto scenario = io::load_scenario(*io::find_file(io::FileKind::scenario, name));
  const auto world = atlas::load_world(scenario->world);
  const auto robot = io::load_robot(scenario->robot);
  const auto model = sim::make_model({*world, *robot, *scenario, reality}, 1);
  navigate::Navigator navigator(model->planning, model->robot);
  sim::Loop loop(*model, navigator);
  while (!loop.finished() && to_seconds(loop.time()) < scenario->time_limit) loop.step();
  char line[200];
  std::snprintf(line, sizeof line, "%s,%s,1,%zu,%d,%.3f,%.3f,%016llx\n", name.c_str(), reality.name,
                loop.executive().n_reached(), loop.statistics().collisions, loop.plant().path_length(),
                to_seconds(loop.time()), static_cast<unsigned long long>(loop.state_hash()));
  return line;
}

}  // namespace

std::string drive_golden_table() {
  std::string table = "scenario,reality,seed,goals_reached,collisions,path_length_m,duration_s,state_hash\n";
  for (const char* name : {"office-delivery", "museum-tour"}) {
    for (const sim::Reality& reality : sim::kRealities) table += drive(name, reality);
  }
  return table;
}

}  // namespace forerun::test
