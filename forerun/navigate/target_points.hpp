// Intermediate targets along the planned path: what the collision avoidance steers to, given in advance (PSS-5).
#pragma once

#include "forerun/base/fields.hpp"
#include "forerun/base/fixed_vector.hpp"
#include "forerun/geom/grid.hpp"
#include "forerun/navigate/line_of_sight.hpp"
#include "forerun/navigate/planning_grid.hpp"
#include "forerun/navigate/value_function.hpp"

namespace forerun::navigate {

struct TargetParams {
  double max_distance = 3.0;    // from one point to the next, at most [m]
  double min_distance = 0.5;    // nearer targets make the robot dither: then sight alone decides [m]
  double side_clearance = 0.6;  // wanted between the line to a target and any obstacle [m]
  double start_reach = 0.5;     // a robot too near to an obstacle looks this far for a cell to start from [m]
  std::size_t max_points = 16;  // how many are wanted
};

template <class Visit>
void visit_fields(TargetParams& p, Visit&& visit) {
  visit("max_distance_m", p.max_distance, Field{0.1, 100, "from one point to the next, at most [m]"});
  visit("min_distance_m", p.min_distance, Field{0, 100, "nearer targets make the robot dither [m]"});
  visit("side_clearance_m", p.side_clearance, Field{0, 10, "wanted between the line to a target and any obstacle [m]"});
  visit("start_reach_m", p.start_reach,
        Field{0, 10, "a robot too near to an obstacle looks this far for a cell to start from [m]"});
  visit("max_points", p.max_points, Field{1, 64, "how many are wanted"});
}

inline constexpr std::size_t kMaxTargets = 16;
using TargetPoints = FixedVector<Vec2, kMaxTargets>;

// From `position` to the goal, each point in straight sight of the one before: the farthest on the path whose line
// keeps the side clearance, or as much of it as the path itself keeps. So a doorway is crossed on its axis, towards a
// point in the open beyond it. The last point is the centre of the goal's cell unless the path needs more points than
// there is room for. Empty where there is no way. `clearance` is the distance to the nearest obstacle [m]. Allocates
// nothing.
[[nodiscard]] TargetPoints target_points(const ValueFunction& values, const PlanningGrid& grid,
                                         const Grid<float>& clearance, Vec2 position,
                                         const TargetParams& params) noexcept;

}  // namespace forerun::navigate
