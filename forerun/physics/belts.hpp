// Belts: surfaces that a motor moves around a row of wheels. A contact's first tangent is laid along the belt, which
// holds and slides there otherwise than across; and the speed of the motor's axis becomes part of the contact's own, so
// that the motor feels the ground and the engine solves both together.
#pragma once

#include <span>
#include <vector>

#include "forerun/physics/engine.hpp"
#include "forerun/robot/crawler.hpp"

namespace forerun::physics {

class Belts {
 public:
  Belts() = default;
  // Of the robots in this model (scene_text.hpp).
  Belts(const mjModel_& model, std::span<const robot::Crawler> robots);

  // After contacts were found, before constraints are made.
  void lay(const mjModel_& model, mjData_& data) const noexcept;
  // After constraints were made, before velocities are used.
  void couple(const mjModel_& model, mjData_& data) const noexcept;

 private:
  struct Belt {
    int body = -1;  // whose left axis it turns about; −1: no belt
    int motor = 0;  // degree of freedom
    double radius = 0.1;
    double friction = 1;
    double side_friction = 1;
  };
  [[nodiscard]] const Belt& of_geom(int geom) const noexcept { return belts_[static_cast<std::size_t>(geom)]; }

  std::vector<Belt> belts_;  // one for each geom of the model
};

}  // namespace forerun::physics
