// The drive seen from above, as `forerun sim --svg` draws it.
#pragma once

#include <span>
#include <string>

#include "forerun/base/result.hpp"
#include "forerun/sim/loop.hpp"
#include "forerun/sim/scenario.hpp"
#include "forerun/world/world.hpp"

namespace forerun::app {

struct SimPicture {
  const world::World& world;  // with all its doors
  const sim::Model& model;
  const sim::Scenario& scenario;
  std::span<const Vec2> trail;
  const sim::Loop& loop;  // at the end
};

[[nodiscard]] Result<void> write_picture(const SimPicture& picture, const std::string& path);

}  // namespace forerun::app
