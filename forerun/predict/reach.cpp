#include "forerun/predict/reach.hpp"

#include <algorithm>
#include <array>

#include "forerun/base/math.hpp"

namespace forerun::predict {

Reach::Reach(const Grid<float>& clearance) : clearance_(clearance), arrival_(clearance.frame(), kNever) {
  seen_.reserve(clearance.size());
}

void Reach::take(Cell cell) noexcept {
  if (!clearance_.frame().contains(cell)) return;
  const std::size_t i = clearance_.frame().index(cell);
  if (arrival_[i] != kNever || !(clearance_[i] > 0)) return;
  arrival_[i] = n_steps_;
  seen_.push_back(static_cast<std::uint32_t>(i));
}

void Reach::start(Vec2 from) noexcept {
  for (const std::uint32_t i : seen_) arrival_[i] = kNever;
  seen_.clear();
  first_of_last_ = 0;
  n_steps_ = 0;
  from_ = from;
  take(clearance_.frame().cell_of(from));
}

// One more than it takes: the robot may start from any edge of its cell.
Reach::Steps Reach::steps_of(double way) const noexcept {
  return static_cast<Steps>(std::min(way / clearance_.frame().cell_size + 2, double{kNever - 1}));
}

// To four and to eight neighbours in turn: after many steps that is an octagon that holds the disc of as many cells,
// and at most an eighth more each way.
void Reach::step() noexcept {
  constexpr std::array<Cell, 8> kNeighbours{{{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}}};
  ++n_steps_;
  const std::size_t n_neighbours = n_steps_ % 2 == 1 ? 8 : 4;
  const std::size_t end = seen_.size();
  for (std::size_t i = first_of_last_; i < end; ++i) {
    const Cell at = clearance_.frame().cell_at(seen_[i]);
    for (std::size_t k = 0; k < n_neighbours; ++k) take({at.x + kNeighbours[k].x, at.y + kNeighbours[k].y});
  }
  first_of_last_ = end;
}

void Reach::extend(double way) noexcept {
  const Steps until = steps_of(way);
  while (n_steps_ < until && first_of_last_ < seen_.size()) step();
  n_steps_ = std::max(n_steps_, until);
}

bool Reach::contains(Vec2 place, double way) const noexcept {
  if (distance(place, from_) > way) return false;
  if (seen_.empty()) return true;
  const Cell cell = clearance_.frame().cell_of(place);
  return clearance_.frame().contains(cell) && arrival_[cell] <= steps_of(way);
}

bool Reach::contains_disc(Vec2 centre, double radius, double way) const noexcept {
  const double slack = 2 * clearance_.frame().cell_size;
  if (distance(centre, from_) + radius > way || !contains(centre, way - radius)) return false;
  return static_cast<double>(clearance_[clearance_.frame().cell_of(centre)]) > radius + slack;
}

void Reach::mark(FloorMask& mask, double way) const noexcept {
  const GridFrame& frame = clearance_.frame();
  const Steps steps = steps_of(way);
  std::array<int, FloorMask::kSize> columns{};
  std::array<double, FloorMask::kSize> across{};  // squared
  for (std::size_t x = 0; x < columns.size(); ++x) {
    const Vec2 place = mask.centre_of(x, 0);
    columns[x] = frame.cell_of(place).x;
    across[x] = square(place.x - from_.x);
  }
  for (std::size_t y = 0; y < columns.size(); ++y) {
    const Vec2 place = mask.centre_of(0, y);
    const int row = frame.cell_of(place).y;
    const double rest = square(way) - square(place.y - from_.y);
    if (row < 0 || row >= frame.height || rest < 0) continue;
    const Steps* arrival = arrival_.data() + frame.index({0, row});
    std::uint64_t bits = 0;
    for (std::size_t x = 0; x < columns.size(); ++x) {
      if (columns[x] < 0 || columns[x] >= frame.width) continue;
      bits |= std::uint64_t{across[x] <= rest && arrival[columns[x]] <= steps} << x;
    }
    mask.rows[y] = bits;
  }
}

}  // namespace forerun::predict
