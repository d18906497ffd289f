// Worlds at random, for tests that compare two ways to the same answer.
#pragma once

#include "forerun/base/random.hpp"
#include "forerun/world/world.hpp"

namespace forerun {

// Triangles of all sizes and directions, degenerate ones among them.
[[nodiscard]] world::World random_triangles(Random& random, int count);

// A floor with upright walls and boxes at any angle, some of them on whole metres, of three materials.
[[nodiscard]] world::World random_rooms(Random& random, int count);

[[nodiscard]] Vec3 random_direction(Random& random);

// The world turned about the z axis.
[[nodiscard]] world::World turned(const world::World& world, double angle);

}  // namespace forerun
