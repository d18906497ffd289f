#include "forerun/localize/likelihood_field.hpp"

#include <algorithm>
#include <cmath>

#include "forerun/world/plan_grid.hpp"

namespace forerun::localize {
namespace {

constexpr double kUnitsPerMetre = 100;

// With so much room around it that the grid's end is no wall.
GridFrame with_margin(GridFrame frame, int cells) {
  frame.origin = frame.origin - Vec2{cells * frame.cell_size, cells * frame.cell_size};
  frame.width += 2 * cells;
  frame.height += 2 * cells;
  return frame;
}

}  // namespace

EchoTable::EchoTable(const EchoModel& model) noexcept {
  for (std::size_t i = 0; i < explained_.size(); ++i) {
    const double d = static_cast<double>(i) / kUnitsPerMetre / model.sigma_m;
    const double explained = exp(-0.5 * d * d);
    explained_[i] = static_cast<float>(explained);
    log_likelihood_[i] = static_cast<float>(log(explained * (1 - model.outlier_share) + model.outlier_share));
  }
}

LikelihoodField::LikelihoodField(const OccupancyMap& map) {
  const int margin = static_cast<int>(std::ceil(kFarFromWalls / map.frame().cell_size));
  // the outermost half of the margin is nearer to the grid's end than to anything else, and is cut off again
  world::FreeGrid open(with_margin(map.frame(), 2 * margin), 1);
  for (std::size_t i = 0; i < map.size(); ++i) {
    if (map[i] != Occupancy::occupied) continue;
    const Cell cell = map.frame().cell_at(i);
    open[Cell{cell.x + 2 * margin, cell.y + 2 * margin}] = 0;
  }
  const Grid<float> room = world::clearance(open);
  frame_ = with_margin(map.frame(), margin);
  cells_per_metre_ = 1 / frame_.cell_size;
  distances_ = Grid<std::uint8_t>(frame_);
  for (std::size_t i = 0; i < distances_.size(); ++i) {
    const Cell cell = frame_.cell_at(i);
    const double units = static_cast<double>(room[Cell{cell.x + margin, cell.y + margin}]) * kUnitsPerMetre;
    distances_[i] = static_cast<std::uint8_t>(std::min(std::floor(units + 0.5), 255.0));
  }
}

}  // namespace forerun::localize
