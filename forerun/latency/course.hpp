// Where the robot should be: a loop round the four free-kick points, targets, and play (LAT-4).
#pragma once

#include <vector>

#include "forerun/base/random.hpp"
#include "forerun/geom/vec.hpp"
#include "forerun/robot/description.hpp"

namespace forerun::latency {

// Where the robot should be at a time, and how it should move then.
struct Wish {
  Vec2 place;
  Vec2 velocity;  // in the world
  double heading = 0;
  double turn_rate = 0;
};

// Straight lines and quarter circles round four points, driven at one speed, looking at the middle.
class FreeKickLoop {
 public:
  static constexpr double kHalfLength = 1.1, kHalfWidth = 0.7;  // of the rectangle of the points [m]
  static constexpr double kRadius = 0.35;                       // at which it drives round them [m]

  explicit FreeKickLoop(double speed) : speed_(speed) {}

  [[nodiscard]] Wish at(double time) const;
  [[nodiscard]] static double length();
  // How far a place is off the line.
  [[nodiscard]] static double distance(Vec2 place);

 private:
  [[nodiscard]] static Vec2 place_at(double along);

  double speed_;
};

// The velocity for a robot that is at `pose` by the best of its knowledge, in its own frame: as wished, and towards
// where it should be.
[[nodiscard]] robot::Twist steer(const Pose2& pose, const Wish& wish, const robot::Limits& limits);

// Towards a target where it shall stop, as fast as it can brake.
[[nodiscard]] robot::Twist approach_target(const Pose2& pose, Vec2 target, double heading, const robot::Limits& limits);

}  // namespace forerun::latency
