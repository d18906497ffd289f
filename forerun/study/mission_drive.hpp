// The drives of `study office --mission`: the scenario's tour as a mission that both sides know, executed in reality.
#pragma once

#include <cstdint>

#include "forerun/base/result.hpp"
#include "forerun/learn/drive.hpp"
#include "forerun/mission/mission.hpp"
#include "forerun/sim/model.hpp"

namespace forerun::study {

// Tried out by the planner where nothing departs from the model, trimmed, and given wheel velocities. An error where
// the robot cannot drive that.
[[nodiscard]] Result<mission::Mission> rehearse_tour(const sim::Setting& inputs);

// From its start until it is done or hands back; `seed` decides all of its chance.
[[nodiscard]] Result<learn::Drive> simulate_mission(const sim::Setting& inputs, const mission::Mission& mission,
                                                    double interval_s, std::uint64_t seed);

}  // namespace forerun::study
