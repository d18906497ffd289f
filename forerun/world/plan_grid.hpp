// The plan view of a world as a grid: where a robot of a given height finds floor and nothing in the way (PSS-5).
#pragma once

#include <cstdint>
#include <span>

#include "forerun/base/fields.hpp"
#include "forerun/geom/grid.hpp"
#include "forerun/world/mover.hpp"
#include "forerun/world/world.hpp"

namespace forerun::world {

inline constexpr double kMaxPlanCells = 50e6;  // more than this asks for a coarser grid

struct ProjectionParams {
  double cell_size = 0.05;    // edge of a cell [m]
  double robot_height = 1.2;  // what begins above this does not matter [m]
  double step_height = 0.02;  // what ends below this is driven over [m]
};

template <class Visit>
void visit_fields(ProjectionParams& p, Visit&& visit) {
  visit("cell_size_m", p.cell_size, Field{0.001, 1, "edge of a cell [m]"});
  visit("robot_height_m", p.robot_height, Field{0.01, 100, "what begins above this does not matter [m]"});
  visit("step_height_m", p.step_height, Field{0, 10, "what ends below this is driven over [m]"});
}

// 1 where there is floor and nothing stands between step height and robot height, 0 elsewhere.
using FreeGrid = Grid<std::uint8_t>;

// The cells that cover the world. Their borders lie at multiples of the cell size, so grids of equal cell size fit on
// each other. At most kMaxPlanCells.
[[nodiscard]] GridFrame plan_frame(const World& world, double cell_size);

// Projects triangles and movers (door leaves, boxes) that stand in the robot's way. A cell that is touched is taken;
// but what reaches into it by less than a thousandth of its edge does not count, and a face that lies on the border
// of two cells takes the one behind it. So walls that stand on borders leave gaps their true width.
// A cell has floor where its centre has.
[[nodiscard]] FreeGrid project(const World& world, std::span<const Mover> movers, const ProjectionParams& params);

// Distance from each cell's centre to the nearest edge of a taken cell, 0 in taken cells [m]. Outside counts as taken.
// Exact, rounded down to a float.
[[nodiscard]] Grid<float> clearance(const FreeGrid& free);

// Free cells whose clearance is at least `radius`.
[[nodiscard]] FreeGrid inflate(const FreeGrid& free, double radius);

}  // namespace forerun::world
