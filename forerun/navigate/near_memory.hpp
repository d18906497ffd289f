// What a robot without lasers has seen or felt a moment ago. Its few short beams lose an obstacle as soon as the robot
// turns: what is on no map is remembered for a while, where dead reckoning says it is, until a beam passes through.
#pragma once

#include <cstdint>
#include <span>

#include "forerun/base/fixed_vector.hpp"
#include "forerun/base/time.hpp"
#include "forerun/navigate/planning_model.hpp"
#include "forerun/robot/description.hpp"
#include "forerun/sense/readings.hpp"

namespace forerun::navigate {

class NearMemory {
 public:
  static constexpr std::size_t kMost = 512;

  // Takes the newest readings of rings of beams and of bumpers. Allocates nothing.
  void update(const robot::Description& robot, const PlanningModel& model, const sense::Readings& readings,
              const Pose2& odometry, const Transform2& world_from_robot, RobotTime now) noexcept;
  void forget() noexcept;

  // Where something was, as seen from where the robot is now.
  [[nodiscard]] std::span<const Vec2> points_in_robot() const noexcept { return {points_.data(), points_.size()}; }

 private:
  enum class Kind : std::uint8_t {
    unmapped,   // on no map
    suspected,  // not seen: may be there, between two beams
    known,      // part of what is on the map; matters to a robot that had to leave its planned way
  };
  struct Trace {
    Vec2 place;       // in the odometry's frame
    RobotTime first;  // seen there
    RobotTime last;
    Kind kind = Kind::unmapped;
  };
  // Readings are looked at one by one, with this in mind.
  struct View {
    const PlanningModel& model;
    const Transform2& world_from_robot;
    Transform2 robot_from_then;     // where the robot was when the reading was taken
    Transform2 odometry_from_then;  // likewise
    RobotTime time;
    double rim;  // radius of the footprint [m]
  };
  // Straight beams from a ring, evenly all round.
  struct Beams {
    double first_bearing = 0;  // [rad]
    double ring_radius = 0;    // [m]
    double max_range = 0;      // [m]
  };
  void look(const Beams& ring, std::span<const float> ranges, const View& view) noexcept;
  void feel(const robot::BumperRing& ring, std::span<const float> pressed, const View& view) noexcept;
  void suspect(Vec2 first_in_then, Vec2 second_in_then, const View& view) noexcept;
  void remember(Vec2 point_in_then, const View& view, Kind kind) noexcept;
  void clear_along(Vec2 from_in_then, Vec2 to_in_then, const View& view) noexcept;
  void fade(RobotTime now) noexcept;

  RobotTime met_unmapped_{INT64_MIN / 2};
  FixedVector<Trace, kMost> traces_;
  FixedVector<Vec2, kMost> points_;
};

}  // namespace forerun::navigate
