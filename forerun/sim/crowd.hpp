// Draws what nobody put on the map: people who walk and boxes that stand along the robot's route (PSS-7, `crowded`).
#pragma once

#include <span>
#include <vector>

#include "forerun/base/random.hpp"
#include "forerun/navigate/planning_model.hpp"
#include "forerun/sim/reality.hpp"
#include "forerun/sim/surroundings.hpp"

namespace forerun::sim {

struct CrowdSetup {
  const navigate::PlanningModel& planning;  // without the crowd
  const Reality& reality;
  std::span<const Vec2> route;       // the robot's whole way, closely spaced
  std::span<const Vec2> keep_clear;  // start and goals: no box stands here
};

// Boxes that leave `reality.passage` to get by. Fewer than asked for where the route has no more room.
[[nodiscard]] std::vector<world::Mover> place_boxes(const CrowdSetup& setup, Random& random);

// People who walk between places on the route, around the boxes.
[[nodiscard]] std::vector<Person> place_people(const CrowdSetup& setup, std::span<const world::Mover> boxes,
                                               Random& random);

}  // namespace forerun::sim
