// A robot's sensors in a world, by ray tracing (PSS-3): a list, as the robot has it. Built once, then read.
#pragma once

#include <span>
#include <variant>
#include <vector>

#include "forerun/base/random.hpp"
#include "forerun/robot/description.hpp"
#include "forerun/sense/readings.hpp"
#include "forerun/world/mover.hpp"
#include "forerun/world/outline.hpp"
#include "forerun/world/ray_caster.hpp"
#include "forerun/world/world.hpp"

namespace forerun::sense {

// A scene to be sensed: where the robot truly is, and what has moved.
struct Scene {
  Pose2 pose;
  std::span<const world::Mover> movers;
  double reach = kInfinity;  // lasers need not show what is farther from the robot's centre [m]
};

// What each kind needs of the world, prepared once.
struct LaserView {
  robot::Laser laser;
  world::Slice slice;
};
struct SonarView {
  struct ConeRay {
    Vec3 origin_in_robot;
    Vec3 direction_in_robot;
  };
  robot::SonarRing ring;
  std::vector<ConeRay> cone_rays;  // of all sonars, `ring.rays` each
  SinCos half_cone;                // of half the cone's angle
};
struct InfraredView {
  robot::InfraredRing ring;
  world::Slice slice;
  std::vector<Vec2> directions_in_robot;
};
struct BumperView {
  robot::BumperRing ring;
  world::Outline outline;
};

class Sensors {
 public:
  // Keeps copies of what it needs; `world` may go away.
  Sensors(const world::World& world, const robot::Description& robot);

  // Sensor `i` of the robot's list fills `reading.values` and allocates nothing. The random stream is its own.
  void read(std::size_t i, const Scene& scene, Random& random, Reading& reading) const noexcept;

  // Adds what is in the scene's way to what laser `i` has seen without it, from the scene's pose and without noise. Of
  // other kinds of sensors nothing changes.
  void add_movers(std::size_t i, const Scene& scene, Reading& reading) const noexcept;

  [[nodiscard]] std::size_t size() const noexcept { return views_.size(); }

 private:
  using View =
      std::variant<LaserView, SonarView, InfraredView, BumperView>;  // one a kind, in the order of robot::Sensor

  void read(const LaserView& view, const Scene& scene, Random& random, std::span<float> values) const noexcept;
  void read(const SonarView& view, const Scene& scene, Random& random, std::span<float> values) const noexcept;
  void read(const InfraredView& view, const Scene& scene, Random& random, std::span<float> values) const noexcept;
  void read(const BumperView& view, const Scene& scene, Random& random, std::span<float> values) const noexcept;
  [[nodiscard]] double echo(const SonarView& view, std::size_t sonar, const Transform2& world_from_robot,
                            const Scene& scene, Random& random) const noexcept;

  robot::Footprint footprint_;
  std::vector<world::Material> materials_;
  world::RayCaster rays_;
  std::vector<View> views_;  // one a sensor
};

// Directions of the rays that stand for a cone about +x: the axis first, the others spread evenly up to the rim.
[[nodiscard]] std::vector<Vec3> cone_directions(double cone_angle, int rays);

}  // namespace forerun::sense
