// Scenarios from YAML. The keys are described in docs/formats.md.
#pragma once

#include <string>
#include <string_view>

#include "forerun/base/result.hpp"
#include "forerun/sim/scenario.hpp"
#include "forerun/world/world.hpp"

namespace forerun::io {

// Reads the file and replaces the names of world and robot by the files they stand for.
[[nodiscard]] Result<sim::Scenario> load_scenario(const std::string& path);

// The same from memory, with the names as they are written; `file` is the name used in messages.
[[nodiscard]] Result<sim::Scenario> parse_scenario(std::string_view text, const std::string& file);

// Every door of the schedule exists in the world; `file` is the scenario's name in messages.
[[nodiscard]] Result<void> check_doors(const sim::Scenario& scenario, const world::World& world,
                                       const std::string& file);

}  // namespace forerun::io
