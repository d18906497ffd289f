// What a robot's lasers saw at a moment, beam by beam in the world, and what the world's model has there.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "forerun/base/time.hpp"
#include "forerun/geom/pose.hpp"
#include "forerun/localize/echoes.hpp"
#include "forerun/robot/description.hpp"
#include "forerun/sense/readings.hpp"
#include "forerun/world/ray_caster.hpp"

namespace forerun::estimate {

struct Beam {
  Vec2 direction;     // unit vector
  double range = 0;   // to the echo; without one, as far as the sensor sees [m]
  double wall = 0;    // where a wall of the model would stop it; doors are none [m]
  bool echo = false;  // something stopped it
  bool valid = true;  // not: it says nothing
};

// One laser's beams, counter-clockwise.
struct Fan {
  Vec2 from;
  double first_angle = 0;  // [rad]
  double step = 0;         // [rad]
  double height = 0;       // [m]
  std::span<const Beam> beams{};

  [[nodiscard]] Vec2 at(const Beam& beam) const noexcept { return from + beam.direction * beam.range; }
  // The number of the beam that goes nearest to a place; nothing where none of them goes.
  [[nodiscard]] std::optional<std::size_t> towards(Vec2 place) const noexcept;
};

// The lasers of a robot in a world. Sized once.
class Eyes {
 public:
  Eyes(const world::World& world, const robot::Description& robot);

  [[nodiscard]] bool empty() const noexcept { return eyes_.empty(); }
  // Height of the first laser [m]; others see much the same.
  [[nodiscard]] double height() const noexcept { return eyes_.empty() ? 0 : eyes_.front().laser.height; }

  // Takes the newest readings; false when none is newer than the last ones.
  [[nodiscard]] bool take(const sense::Readings& readings) noexcept;
  [[nodiscard]] RobotTime time() const noexcept { return newest_; }
  // Of these readings, in the robot's frame.
  void collect(localize::Echoes& echoes) const noexcept;
  // Of these readings, seen from `pose`. Holds until the next call.
  [[nodiscard]] std::span<const Fan> look_from(const Pose2& pose) noexcept;

 private:
  struct Eye {
    std::size_t number;  // in the robot's list
    robot::Laser laser;
    world::Slice slice;  // of the world without its doors
    const sense::Reading* reading = nullptr;
    std::vector<Beam> beams;
    std::vector<double> walls;
  };

  std::vector<Eye> eyes_;
  std::vector<Fan> fans_;  // room for one of each eye
  RobotTime newest_{-1};
};

}  // namespace forerun::estimate
