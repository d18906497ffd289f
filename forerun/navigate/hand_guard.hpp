// What an operator's hand may ask of the robot: only velocities from which it still stops before it touches anything,
// also when it first goes on for one period. That is the rule of the dynamic window (PSS-4), worked out along the way
// that the motors really take. It needs to know nothing but obstacles: the robot side takes them from sensors, a
// replica from the world that it knows.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "forerun/base/fixed_vector.hpp"
#include "forerun/navigate/obstacles.hpp"
#include "forerun/robot/description.hpp"
#include "forerun/robot/drive.hpp"
#include "forerun/world/outline.hpp"

namespace forerun::navigate {

// How the robot goes when the hand asks.
struct HandGoing {
  robot::Twist velocity;   // measured
  robot::Twist commanded;  // allowed the last time: still on its way through the motors
};

struct AllowedHand {
  robot::Twist velocity;
  double held_back = 0;  // share of what was asked for, 0 … 1
  // of what it was held back for; 0 where nothing was
  double distance = 0;  // from the footprint [m]
  double bearing = 0;   // in the robot's frame [rad]
};

// Points of the walls that are known around a robot, close together, in its frame. A replica's guard goes by them:
// `for_each_known(outline, pose, guard.reach(), …)` into KnownPoints, and those into an ObstacleField.
using KnownPoints = FixedVector<Vec2, 2048>;
template <class Visit>
void for_each_known(const world::Outline& known, const Transform2& world_from_robot, double reach, Visit&& visit) {
  constexpr double kSpacing = 0.03;  // [m]
  known.for_each_near(world_from_robot.translation, reach, [&](const Segment2& wall) {
    const Vec2 from = world_from_robot.to_local(wall.a), way = world_from_robot.to_local(wall.b) - from;
    const double size = length(way);
    if (size <= 0) return;
    // only the piece within reach, at places that do not depend on where the robot is
    const double foot = -dot(from, way) / size;
    const double first = clamp(std::floor((foot - reach) / kSpacing) * kSpacing, 0.0, size);
    for (double at = first; at < std::min(size, foot + reach) + kSpacing; at += kSpacing) {
      const Vec2 p = from + way * (std::min(at, size) / size);
      if (dot(p, p) <= reach * reach) visit(p);
    }
  });
}

// Whether it has anything to look with: a ring or a laser. What climbs over things is not kept from them.
[[nodiscard]] bool can_guard_hand(const robot::Description& robot) noexcept;

class HandGuard {
 public:
  explicit HandGuard(const robot::Description& robot) noexcept;

  // As much of `wanted` as is safe: slower at first, then along the wall where the hand leads mostly along it, else
  // nothing. Never faster than wanted; only along a wall it may turn, away from that. Allocates nothing.
  [[nodiscard]] AllowedHand allow(const HandGoing& going, const robot::Twist& wanted,
                                  const ObstacleField& obstacles) noexcept;

  // Obstacles farther from the robot's middle than this never matter [m].
  [[nodiscard]] double reach() const noexcept { return reach_; }

 private:
  static constexpr std::size_t kSectors = 16;
  static constexpr std::size_t kMostPoints = 1024;
  struct Point {
    Vec2 place;
    double gap = 0;  // to the footprint as it stands; negative inside
  };
  // Where a motion would touch first.
  struct Touch {
    const Point* point = nullptr;  // null: nowhere
    Vec2 away;                     // from the robot's middle there to what it touches, unit length
  };
  void look(const ObstacleField& obstacles) noexcept;
  [[nodiscard]] Touch first_touch(const HandGoing& going, const robot::Twist& command) const noexcept;
  [[nodiscard]] Touch first_touch(const HandGoing& going, const robot::Twist& command, double lag) const noexcept;
  [[nodiscard]] Touch touch_at(const Pose2& pose, double margin) const noexcept;
  [[nodiscard]] Vec2 facing(Vec2 middle, Vec2 off) const noexcept;
  [[nodiscard]] double room_toward(Vec2 direction) const noexcept;
  [[nodiscard]] double gap_to(Vec2 point_in_robot) const noexcept;
  [[nodiscard]] bool is_safe(const HandGoing& going, const robot::Twist& command) const noexcept;
  [[nodiscard]] double safe_share(const HandGoing& going, const robot::Twist& command) const noexcept;
  [[nodiscard]] robot::Twist slowed(const HandGoing& going, const robot::Twist& wanted) const noexcept;
  [[nodiscard]] robot::Twist slid(const HandGoing& going, const robot::Twist& wanted,
                                  const Touch& touch) const noexcept;

  robot::Footprint footprint_;
  robot::Drive drive_;
  robot::Limits limits_;  // as braking may count on them
  double reaction_;       // until something else can be decided [s]
  double lag_;            // of the motors [s]
  double reach_;
  FixedVector<Point, kMostPoints> points_;  // nearest first
  std::array<double, kSectors> room_{};     // that there is in each direction [m]
};

}  // namespace forerun::navigate
