// The drive seen from above, as `forerun sim --svg` draws it.
#pragma once

#include <span>
#include <string>

#include "forerun/sim/loop.hpp"
#include "forerun/sim/scenario.hpp"
#include "forerun/world/world.hpp"

namespace forerun::draw {

struct SimPicture {
  const world::World& world;  // with all its doors
  const sim::Model& model;
  const sim::Scenario& scenario;
  std::span<const Vec2> trail;
  const sim::Loop& loop;  // at the end
};

// As SVG.
[[nodiscard]] std::string draw(const SimPicture& picture);

}  // namespace forerun::draw
