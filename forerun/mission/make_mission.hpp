// From what is left of a try-out to a mission that has been driven in the simulator once.
#pragma once

#include <string>

#include "forerun/base/result.hpp"
#include "forerun/mission/rehearsal.hpp"
#include "forerun/mission/trim.hpp"

namespace forerun::mission {

struct RehearsedMission {
  Mission mission;
  Trial trial;
};

// An error, and no mission, where no control can be found for the path, or the phantom does not get to its end
// without touching anything.
[[nodiscard]] Result<RehearsedMission> make_mission(const std::string& name, const TrimmedPath& path,
                                                    const world::World& world, const robot::Description& robot);

}  // namespace forerun::mission
