// Where a robot meets what is known to stand there: the walls of the model, its doors, and what the robot has told of.
#pragma once

#include <span>
#include <vector>

#include "forerun/geom/grid.hpp"
#include "forerun/robot/description.hpp"
#include "forerun/sense/seen_world.hpp"
#include "forerun/world/world.hpp"

namespace forerun::ahead {

class KnownFloor {
 public:
  // `clearance`: distance to the nearest obstacle [m], doors open; it must outlive the floor.
  KnownFloor(const Grid<float>& clearance, const robot::Footprint& footprint, std::span<const world::Door> doors);

  // How far the body is from what is known, less than 0: within it [m]. Where there is much room, only that there is.
  [[nodiscard]] double room(const Pose2& pose, const sense::SeenWorld* seen) const noexcept;
  // It goes from where it is into something, or deeper into it. `slack`: as far as poses are off, nobody knows [m].
  [[nodiscard]] bool stops(const Pose2& from, const Pose2& to, const sense::SeenWorld* seen,
                           double slack) const noexcept;
  // What is round turns wherever it stands.
  [[nodiscard]] bool is_round() const noexcept { return outline_.empty(); }

 private:
  [[nodiscard]] double clearance_at(Vec2 place) const noexcept;
  [[nodiscard]] double room_before(const world::Mover& thing, const Pose2& pose) const noexcept;

  const Grid<float>& clearance_;
  double radius_;
  std::vector<Vec2> outline_;  // points of it, near each other; none: a disc
  std::vector<world::Door> doors_;
};

}  // namespace forerun::ahead
