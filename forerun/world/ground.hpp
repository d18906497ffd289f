// How high a rough terrain is: the surface that something rests on.
#pragma once

#include <vector>

#include "forerun/geom/vec.hpp"
#include "forerun/world/terrain.hpp"

namespace forerun::world {

// The part of a terrain that is near a place, to be asked many times. The terrain must outlive it.
class Ground {
 public:
  Ground(const Terrain& terrain, Vec2 middle, double radius);

  // The highest surface at this point that is not above the ceiling [m]; minus infinity: there is none. A level floor
  // is at 0 everywhere.
  [[nodiscard]] double height(Vec2 point, double ceiling) const noexcept;

 private:
  struct Near {
    Vec3 center, half;
    Rotation axes;
  };
  const Terrain& terrain_;
  std::vector<Near> blocks_;
};

}  // namespace forerun::world
