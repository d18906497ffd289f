// From a try-out to an upload, in pictures like the figures 4 to 9 of paper 5.
#pragma once

#include <cstdint>
#include <string>

#include "forerun/mission/control.hpp"
#include "forerun/mission/trial.hpp"
#include "forerun/mission/trim.hpp"
#include "forerun/robot/description.hpp"
#include "forerun/world/world.hpp"

namespace forerun::draw {

// Of a robot with a left and a right wheel, whose first sensor measures the distance to a wall.
struct MissionPicture {
  const world::World& world;
  const robot::Description& robot;
  const mission::RecordedPath& recorded;
  const mission::Trim& trim;
  const mission::TimedPath& spiky;  // the trimmed path as it is
  const mission::TimedPath& timed;  // within the limits
  const mission::Trial& trial;      // driven again
  std::uint64_t seed = 1;
};

// A whole page.
[[nodiscard]] std::string mission_page(const MissionPicture& picture);

}  // namespace forerun::draw
