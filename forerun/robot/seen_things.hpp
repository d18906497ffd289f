// What a robot sees that is not as its world's model says: what stands where nothing should, doors that stand
// otherwise, and what moves (PSS-15). Reports carry a few of each.
#pragma once

#include <cstddef>
#include <cstdint>

#include "forerun/base/fixed_vector.hpp"
#include "forerun/geom/pose.hpp"

namespace forerun::robot {

// Something stands where the model has nothing, or a door stands otherwise than the model has it.
struct Change {
  enum class Kind : std::uint8_t { box, door };
  static constexpr std::uint8_t kKinds = 2;

  std::uint16_t number = 0;  // its own for as long as it is so
  Kind kind = Kind::box;
  Pose2 pose;              // box: middle and heading
  double half_length = 0;  // box: along the heading [m]
  double half_width = 0;   // box: across [m]
  std::uint16_t door = 0;  // door: which of the world's
  double opening = 0;      // door: 0 closed … 1 open
  bool operator==(const Change&) const noexcept = default;
};

// Somebody or something that moves.
struct MovingThing {
  Vec2 position;
  Vec2 velocity;      // over ground [m/s]
  double radius = 0;  // [m]
  bool operator==(const MovingThing&) const noexcept = default;
};

struct SeenThings {
  // All changes with numbers from `first` to `last` that hold are in the list: one that is not there is gone. `last`
  // before `first`: the list says nothing of those that are not in it.
  std::uint16_t first = 0;
  std::uint16_t last = 0xffff;
  FixedVector<Change, 12> changes;     // in the order of their numbers
  FixedVector<MovingThing, 8> moving;  // at the report's time, the nearest; those of before count no more
  bool operator==(const SeenThings&) const noexcept = default;
};

}  // namespace forerun::robot
