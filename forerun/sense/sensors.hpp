// A robot's sensors in a world: sonar, lasers, infrared and bumpers by ray tracing (PSS-3). Built once, then read.
#pragma once

#include <span>
#include <vector>

#include "forerun/base/random.hpp"
#include "forerun/robot/description.hpp"
#include "forerun/sense/readings.hpp"
#include "forerun/world/mover.hpp"
#include "forerun/world/outline.hpp"
#include "forerun/world/ray_caster.hpp"
#include "forerun/world/world.hpp"

namespace forerun::sense {

// A moment to be sensed: where the robot truly is, and what has moved.
struct Moment {
  Pose2 pose;
  std::span<const world::Mover> movers;
};

class Sensors {
 public:
  // Keeps copies of what it needs; `world` may go away.
  Sensors(const world::World& world, const robot::Description& robot);

  // Each fills `ranges.values` and allocates nothing. The random stream is the sensor's own.
  void read_laser(std::size_t i, const Moment& moment, Random& random, Ranges& ranges) const noexcept;
  void read_sonar(const Moment& moment, Random& random, Ranges& ranges) const noexcept;
  void read_infrared(const Moment& moment, Random& random, Ranges& ranges) const noexcept;
  // Bit i is set when something touches switch i.
  [[nodiscard]] std::uint64_t read_bumper(const Moment& moment) const noexcept;

  [[nodiscard]] const robot::Description& robot() const noexcept { return robot_; }

 private:
  struct ConeRay {
    Vec3 origin_in_robot;
    Vec3 direction_in_robot;
  };
  [[nodiscard]] double echo(std::size_t sonar, const Transform2& world_from_robot, const Moment& moment,
                            Random& random) const noexcept;

  robot::Description robot_;
  std::vector<world::Material> materials_;
  world::RayCaster rays_;
  std::vector<world::Slice> laser_slices_;     // one a laser
  std::vector<world::Slice> infrared_slices_;  // one, or none without infrared
  world::Outline bumper_outline_;
  std::vector<ConeRay> cone_rays_;  // of all sonars, `sonar.rays` each
};

// Directions of the rays that stand for a cone about +x: the axis first, the others spread evenly up to the rim.
[[nodiscard]] std::vector<Vec3> cone_directions(double cone_angle, int rays);

}  // namespace forerun::sense
