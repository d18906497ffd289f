#include "forerun/navigate/changed_grid.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace forerun::navigate {
namespace {

using robot::Change;

constexpr double kPlace = 1.0;     // floor of less than this is no place to go to or to leave [m²]
constexpr double kNear = 1.0;      // a way round so near is found by what is seen [m]
constexpr double kFarthest = 1e6;  // from the origin [m]; larger numbers are none
constexpr double kLargest = 1e3;   // half of a box [m]

bool is_sound(const Change& box) noexcept {
  return std::fabs(box.pose.x) < kFarthest && std::fabs(box.pose.y) < kFarthest && std::isfinite(box.pose.theta) &&
         box.half_length >= 0 && box.half_length < kLargest && box.half_width >= 0 && box.half_width < kLargest;
}

// Nothing where it is no thing of this world.
std::optional<world::Mover> shape_of(const Change& change, std::span<const world::Door> doors) noexcept {
  if (change.kind == Change::Kind::box) {
    if (!is_sound(change)) return std::nullopt;
    return world::make_box(change.pose, {2 * change.half_length, 2 * change.half_width}, 1, 0);
  }
  if (change.door >= doors.size() || !(change.opening >= 0 && change.opening <= 1)) return std::nullopt;
  return world::make_leaf(doors[change.door], change.opening);
}

// Columns or rows whose cells may have their centre between two coordinates.
struct Range {
  int first = 0, last = -1;
};
Range cells_between(double low, double high, int n_cells) noexcept {
  const double end = n_cells;
  return {static_cast<int>(clamp(std::floor(low), 0.0, end)), static_cast<int>(clamp(std::floor(high), -1.0, end - 1))};
}

}  // namespace

ChangedGrid::ChangedGrid(const PlanningModel& model)
    : model_(model),
      grid_(model.grid),
      floor_(model.grid),
      taken_(floor_.most_closed()),
      differing_(2 * taken_.capacity()) {}

bool ChangedGrid::set(std::span<const Change> changes) noexcept {
  changes = changes.first(std::min(changes.size(), kMostChanges));
  if (std::equal(changes.begin(), changes.end(), changes_.begin(), changes_.end())) return false;
  changes_.clear();
  for (const Change& change : changes) changes_.push_back(change);
  // from the model on, so that nothing depends on what was before
  floor_.clear();
  for (const Change& change : changes_) {
    if (const auto thing = shape_of(change, model_.doors)) cover(*thing);
  }
  const double cell = grid_.frame().cell_size;
  floor_.close({.place = static_cast<std::size_t>(kPlace / square(cell)), .near = static_cast<int>(kNear / cell)});
  change_grid();
  if (differing_.size() == 0) return false;
  ++version_;
  return true;
}

// The open cells where a robot would touch it.
void ChangedGrid::cover(const world::Mover& thing) noexcept {
  const GridFrame& frame = grid_.frame();
  const Transform2 world_from_thing(thing.pose);
  const double cos = std::fabs(world_from_thing.rotation.cos), sin = std::fabs(world_from_thing.rotation.sin);
  const Vec2 half{thing.half_length * cos + thing.half_width * sin + model_.radius,
                  thing.half_length * sin + thing.half_width * cos + model_.radius};
  const Vec2 low = (thing.pose.position() - half - frame.origin) * (1 / frame.cell_size);
  const Vec2 high = (thing.pose.position() + half - frame.origin) * (1 / frame.cell_size);
  const Range columns = cells_between(low.x - 0.5, high.x, frame.width);
  const Range rows = cells_between(low.y - 0.5, high.y, frame.height);
  const double reach2 = square(model_.radius);
  for (int y = rows.first; y <= rows.last; ++y) {
    for (int x = columns.first; x <= columns.last; ++x) {
      const Vec2 at = world_from_thing.to_local(frame.center({x, y}));
      const Vec2 beyond{std::max(std::fabs(at.x) - thing.half_length, 0.0),
                        std::max(std::fabs(at.y) - thing.half_width, 0.0)};
      if (dot(beyond, beyond) < reach2 && !floor_.cover(grid_.node({x, y}))) return;
    }
  }
}

Cell ChangedGrid::cell_of(Node node) const noexcept {
  const auto stride = static_cast<Node>(grid_.frame().width + 2);
  return {static_cast<int>(node % stride) - 1, static_cast<int>(node / stride) - 1};
}

// There is room for all: the list has twice as much as either has entries.
void ChangedGrid::change_grid() noexcept {
  differing_.shrink(0);
  for (const Node node : taken_) {
    if (floor_.is_open(node)) (void)differing_.push_back(cell_of(node));
  }
  const std::size_t n_free = differing_.size();
  taken_.shrink(0);
  for (const Node node : floor_.closed()) {
    (void)taken_.push_back(node);
    if (grid_.is_free(node)) (void)differing_.push_back(cell_of(node));
  }
  grid_.set_free(differing().first(n_free), true);
  grid_.set_free(differing().subspan(n_free), false);
}

}  // namespace forerun::navigate
