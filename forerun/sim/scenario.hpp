// What a run is about: which world and robot, where it starts, where it goes. Plain data, as read from
// scenarios/*.yaml.
#pragma once

#include <string>
#include <vector>

#include "forerun/geom/pose.hpp"

namespace forerun::sim {

struct Goal {
  std::string name;
  Vec2 position;
  double wait = 0;  // stays this long after arriving [s]
};

// A door that is closed for a while: it begins to move at these times. It never moves against a robot or a person.
struct DoorSchedule {
  std::string door;     // name in the world
  double close_at = 0;  // [s]
  double open_at = 0;   // [s]
};

struct Scenario {
  std::string name;
  std::string world;  // file or bare name
  std::string robot;  // file or bare name
  Pose2 start;
  std::vector<Goal> goals;
  std::vector<DoorSchedule> doors;
  double time_limit = 3600;  // the run ends here at the latest [s]
};

}  // namespace forerun::sim
