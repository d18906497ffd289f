#include "forerun/mapping/floor_plan.hpp"

#include <algorithm>
#include <cmath>

#include "forerun/io/text.hpp"

namespace forerun::mapping {
namespace {

using atlas::MapCell;

constexpr double kMostCells = 50e6;  // some hundred megabytes
constexpr double kMargin = 0.5;      // around all that was seen [m]
constexpr int kGapFillers = 5;       // of eight neighbours that are floor: what is unknown between beams is floor, too
constexpr int kGapRounds = 3;        // gaps of so many cells to each side
constexpr double kAlone = 0.25;      // what has no floor within this is no wall but a stray echo [m]

struct WorldSweep {
  Vec2 laser;
  std::vector<SurfacePoint> points;
};

WorldSweep see(const Sweep& sweep, const Pose2& world_from_robot, double farthest) {
  const Transform2 transform(world_from_robot);
  WorldSweep seen{transform * sweep.laser, {}};
  for (const SurfacePoint& point : sweep.points) {
    if (distance(point.at, sweep.laser) < farthest) seen.points.push_back(transform * point);
  }
  return seen;
}

// Calls `visit` with each neighbour inside the grid, up to `reach` cells off.
template <class Visit>
void visit_neighbours(const GridFrame& frame, Cell middle, int reach, Visit&& visit) {
  for (int y = -reach; y <= reach; ++y) {
    for (int x = -reach; x <= reach; ++x) {
      const Cell cell{middle.x + x, middle.y + y};
      if ((x != 0 || y != 0) && frame.contains(cell)) visit(cell);
    }
  }
}

int count_near(const Grid<MapCell>& cells, Cell middle, int reach, MapCell kind) {
  int n = 0;
  visit_neighbours(cells.frame(), middle, reach, [&](Cell cell) { n += cells[cell] == kind ? 1 : 0; });
  return n;
}

// Far off, beams lie further apart than cells.
void fill_gaps(Grid<MapCell>& cells) {
  const Grid<MapCell> before = cells;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Cell cell = cells.frame().cell_at(i);
    if (before[i] == MapCell::unknown && count_near(before, cell, 1, MapCell::free) >= kGapFillers)
      cells[i] = MapCell::free;
  }
}

void drop_stray_echoes(Grid<MapCell>& cells) {
  const int reach = static_cast<int>(std::ceil(kAlone / cells.frame().cell_size));
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const bool alone = count_near(cells, cells.frame().cell_at(i), reach, MapCell::free) == 0;
    if (cells[i] == MapCell::occupied && alone) cells[i] = MapCell::unknown;
  }
}

// Only as large as what is known, with a border of unknown cells.
Grid<MapCell> crop(const Grid<MapCell>& cells) {
  const GridFrame& frame = cells.frame();
  Cell low{frame.width, frame.height}, high{-1, -1};
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i] == MapCell::unknown) continue;
    const Cell cell = frame.cell_at(i);
    low = {std::min(low.x, cell.x), std::min(low.y, cell.y)};
    high = {std::max(high.x, cell.x), std::max(high.y, cell.y)};
  }
  if (high.x < 0) return cells;
  constexpr int kBorder = 2;
  const Vec2 shift{(low.x - kBorder) * frame.cell_size, (low.y - kBorder) * frame.cell_size};
  Grid<MapCell> result(
      {high.x - low.x + 1 + 2 * kBorder, high.y - low.y + 1 + 2 * kBorder, frame.cell_size, frame.origin + shift},
      MapCell::unknown);
  for (int y = low.y; y <= high.y; ++y) {
    for (int x = low.x; x <= high.x; ++x) result[Cell{x - low.x + kBorder, y - low.y + kBorder}] = cells[Cell{x, y}];
  }
  return result;
}

Grid<MapCell> classify(const Grid<Evidence>& evidence, double occupied) {
  Grid<MapCell> cells(evidence.frame(), MapCell::unknown);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const double all = evidence[i].passed + evidence[i].ended;
    if (all > 0) cells[i] = evidence[i].ended >= occupied * all ? MapCell::occupied : MapCell::free;
  }
  return cells;
}

}  // namespace

double find_wall_turn(const PlacedSweeps& placed) {
  // directions that are the same after a quarter turn: the mean of four times the angle
  Vec2 sum;
  for (std::size_t i = 0; i < placed.sweeps.size(); ++i) {
    for (const SurfacePoint& point : placed.sweeps[i].points) {
      if (point.flat) sum = sum + unit_vector(4 * (angle_of(point.normal) + placed.poses[i].theta));
    }
  }
  return -angle_of(sum) / 4;
}

Result<Grid<MapCell>> draw_floor_plan(const PlacedSweeps& placed, double turn, const FloorPlanParams& params) {
  std::vector<WorldSweep> seen;
  Box2 area;
  for (std::size_t i = 0; i < placed.sweeps.size(); ++i) {
    const WorldSweep& sweep =
        seen.emplace_back(see(placed.sweeps[i], Pose2{0, 0, turn} * placed.poses[i], params.farthest_m));
    area.include(sweep.laser);
    for (const SurfacePoint& point : sweep.points) area.include(point.at);
  }
  const double n_cells = (area.high.x - area.low.x) * (area.high.y - area.low.y) / square(params.resolution_m);
  if (n_cells > kMostCells) {
    return Error{"the map would be " + io::show(std::ceil(area.high.x - area.low.x)) + " by " +
                 io::show(std::ceil(area.high.y - area.low.y)) + " m and have " + io::show(std::ceil(n_cells / 1e6)) +
                 " million cells, but must have at most " + io::show(kMostCells / 1e6) +
                 " million: choose a coarser --resolution, or a shorter log"};
  }
  Grid<Evidence> evidence(frame_around(area, params.resolution_m, kMargin));
  for (const WorldSweep& sweep : seen) add_scan(evidence, sweep.laser, sweep.points);
  Grid<MapCell> cells = classify(evidence, params.occupied);
  for (int round = 0; round < kGapRounds; ++round) fill_gaps(cells);
  drop_stray_echoes(cells);
  return crop(cells);
}

}  // namespace forerun::mapping
