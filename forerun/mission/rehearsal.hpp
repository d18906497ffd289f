// A mission driven in the simulator before it is uploaded, against a world that may have changed since it was made
// (DEC-8).
#pragma once

#include <optional>

#include "forerun/base/result.hpp"
#include "forerun/mission/mission.hpp"
#include "forerun/mission/trial.hpp"
#include "forerun/world/world.hpp"

namespace forerun::mission {

// Exactly, with nobody about. An error where the robot cannot stand at the beginning.
[[nodiscard]] Result<Trial> rehearse(const Mission& mission, const world::World& world, const robot::Description& robot,
                                     const ExecutorParams& params = {});

// Where the path, as it is planned, leads through something that the footprint touches, or out of the world; nothing:
// nowhere. Looks between the points too.
struct Obstruction {
  double time = 0;  // on the path [s]
  Vec2 place;
};
[[nodiscard]] std::optional<Obstruction> find_obstruction(const Mission& mission, const RehearsedWorld& known) noexcept;

// The first time at which the path asks for more speed than the robot has, by its velocities or from one point to the
// next; nothing: nowhere.
[[nodiscard]] std::optional<double> find_leap(const Mission& mission, const robot::Description& robot) noexcept;

}  // namespace forerun::mission
