// Where a hand should drive the robot: a line through a small world (BEY-10).
#pragma once

#include <string>
#include <vector>

#include "forerun/geom/pose.hpp"
#include "forerun/robot/description.hpp"
#include "forerun/world/world.hpp"

namespace forerun::driving {

struct Course {
  std::string name;
  world::World world;
  std::vector<Vec2> line;                // from the start to the end, a point each `kStep`
  bool docks = false;                    // it ends at rest, else the robot drives out over the end
  static constexpr double kStep = 0.05;  // [m]
};

// Passages are as wide for each robot as its body asks for.
[[nodiscard]] Course make_slalom(const robot::Description& robot);   // round posts, left and right in turn
[[nodiscard]] Course make_doorway(const robot::Description& robot);  // along a corridor and through a door at its side
[[nodiscard]] Course make_docking(const robot::Description& robot);  // round a corner and into a bay, up to its end

// Where on a line something is: how far along, and how far off.
struct OnLine {
  double along = 0;  // [m]
  double off = 0;    // [m], left of it positive
};
// The nearest place of the line that is not far from `near` along it [m].
[[nodiscard]] OnLine find_on_line(const Course& course, Vec2 place, double near);
[[nodiscard]] double length_of(const Course& course);
[[nodiscard]] Vec2 place_at(const Course& course, double along);
[[nodiscard]] double direction_at(const Course& course, double along);  // [rad]
[[nodiscard]] double bend_at(const Course& course, double along);       // to the left positive [1/m]
[[nodiscard]] Pose2 start_of(const Course& course);

}  // namespace forerun::driving
