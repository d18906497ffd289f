// A setting from its files: the scenario, and the world and the robot that it names.
#pragma once

#include <string>

#include "forerun/base/result.hpp"
#include "forerun/robot/description.hpp"
#include "forerun/sim/model.hpp"
#include "forerun/world/world.hpp"

namespace forerun::atlas {

// "exact, noisy, …", for help texts.
[[nodiscard]] std::string reality_names();

// Files or bare names that take the place of the scenario's own; empty: its own. Of the scenario's doors those that
// another world lacks are left out.
struct InputOverrides {
  std::string world;
  std::string robot;
};

// `scenario` is a file or a bare name, `reality` the name of a level.
[[nodiscard]] Result<sim::Setting> load_setting(const std::string& scenario, const std::string& reality,
                                                const InputOverrides& overrides = {});

// A file or a bare name each.
[[nodiscard]] Result<world::World> load_named_world(const std::string& name);
[[nodiscard]] Result<robot::Description> load_named_robot(const std::string& name);

}  // namespace forerun::atlas
