// All that stays the same during a run: the world, the robot as it truly is, and who else is about.
#pragma once

#include <cstdint>
#include <vector>

#include "forerun/base/result.hpp"
#include "forerun/navigate/executive.hpp"
#include "forerun/navigate/planning_model.hpp"
#include "forerun/robot/description.hpp"
#include "forerun/sense/sensors.hpp"
#include "forerun/sim/reality.hpp"
#include "forerun/sim/scenario.hpp"
#include "forerun/sim/surroundings.hpp"
#include "forerun/world/outline.hpp"
#include "forerun/world/world.hpp"

namespace forerun::sim {

struct Model {
  world::World world;        // doors that never move are part of it
  robot::Description robot;  // as it truly is
  robot::Limits believed;    // how fast it is, as its copy believes
  Reality reality;
  std::uint64_t seed = 1;
  Pose2 start;
  std::vector<navigate::Task> tasks;
  sense::Sensors sensors;
  world::Outline outline;            // what the body can bump into
  navigate::PlanningModel planning;  // what the robot's planner knows
  Cast cast;                         // what it does not know
};

// What a run is made of, but for its chance.
struct Setting {
  world::World world;
  robot::Description robot;  // as its copy believes it to be
  Scenario scenario;
  Reality reality;
};

// Checks that the robot can stand at its start and at every goal (else bad input) and can reach them one after the
// other (else impossible), and draws from the seed what the reality level leaves to chance.
[[nodiscard]] Result<Model> make_model(const Setting& setting, std::uint64_t seed);

// Numbers of the random streams of one seed.
enum class Stream : std::uint64_t { robot = 1, plant, control, pose, crowd, sensors = 1000 };
[[nodiscard]] inline Random stream(std::uint64_t seed, Stream which, std::uint64_t number = 0) noexcept {
  return Random(seed, static_cast<std::uint64_t>(which) + number);
}

}  // namespace forerun::sim
