// Where a robot may drive and what it costs there: the model that value functions are computed on (PSS-5).
// Several value functions, one for each goal, share one grid.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "forerun/geom/grid.hpp"
#include "forerun/world/plan_grid.hpp"

namespace forerun::navigate {

inline constexpr double kSqrt2 = 1.4142135623730951;
inline constexpr float kMaxFactor = 40;  // dearest cell allowed; bounds the number of buckets that planning needs

// The eight neighbours, counter-clockwise from +x. Even directions are straight, odd ones diagonal.
inline constexpr int kDirections = 8;
inline constexpr std::array<Cell, kDirections> kSteps{
    {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}}};
constexpr bool is_diagonal(unsigned direction) noexcept { return direction % 2 == 1; }
constexpr unsigned opposite(unsigned direction) noexcept { return direction ^ 4; }
constexpr double step_length(unsigned direction) noexcept { return is_diagonal(direction) ? kSqrt2 : 1.0; }
constexpr Cell neighbour(Cell cell, unsigned direction) noexcept {
  return {cell.x + kSteps[direction].x, cell.y + kSteps[direction].y};
}

// One bit for each direction.
using DirectionSet = std::uint8_t;
constexpr DirectionSet only(unsigned direction) noexcept { return static_cast<DirectionSet>(1U << (direction % 8)); }
constexpr bool contains(DirectionSet set, unsigned direction) noexcept { return (set & only(direction)) != 0; }

// The moves out of a cell whose free neighbours are given: a diagonal one only where both cells beside it are free.
constexpr DirectionSet allowed_moves(DirectionSet free_neighbours) noexcept {
  constexpr unsigned kStraight = 0x55;
  // turned by one place, the bits of the two neighbours stand where the diagonal between them has its own
  const unsigned next = free_neighbours >> 1 | free_neighbours << 7,
                 previous = free_neighbours << 1 | free_neighbours >> 7;
  return static_cast<DirectionSet>(free_neighbours & (kStraight | (next & previous)));
}

// A cell's place in arrays that have a border of taken cells all around, so that every cell has eight neighbours.
using Node = std::uint32_t;

// The free neighbours in the low eight bits. Bit 8 marks rough ground, where a neighbour is so much dearer that the
// cheapest way may swerve; see value_function.cpp.
using Surroundings = std::uint16_t;
inline constexpr Surroundings kAllFree = 0xff;
inline constexpr Surroundings kRough = 0x100;
inline constexpr std::size_t kSurroundings = 0x200;  // how many there are
constexpr DirectionSet free_neighbours(Surroundings s) noexcept { return static_cast<DirectionSet>(s & kAllFree); }

class PlanningGrid {
 public:
  // A step costs its length, in cells, times the factor of the cell that it enters. Factors lie in [1, kMaxFactor];
  // without them all are 1.
  explicit PlanningGrid(const world::FreeGrid& free, const Grid<float>* factors = nullptr);

  [[nodiscard]] const GridFrame& frame() const noexcept { return frame_; }
  // Cells outside are not free.
  [[nodiscard]] bool is_free(Cell cell) const noexcept { return frame_.contains(cell) && is_free(node(cell)); }
  [[nodiscard]] double factor(Cell cell) const noexcept { return factor(node(cell)); }

  // The world has changed here. Allocates nothing; cells outside are ignored. Value functions need a `repair`.
  void set_free(std::span<const Cell> cells, bool free) noexcept;
  // Only on a grid that was made with factors.
  void set_factor(Cell cell, float factor) noexcept;

  // What value functions work on: nodes instead of cells.
  [[nodiscard]] std::size_t n_nodes() const noexcept { return free_.size(); }
  [[nodiscard]] Node node(Cell cell) const noexcept {
    return static_cast<Node>(cell.y + 1) * stride_ + static_cast<Node>(cell.x + 1);
  }
  // What to add to a node, modulo 2³², to get its neighbours.
  [[nodiscard]] const std::array<Node, kDirections>& offsets() const noexcept { return offsets_; }
  [[nodiscard]] bool is_free(Node node) const noexcept { return free_[node] != 0; }
  [[nodiscard]] std::span<const Surroundings> surroundings() const noexcept { return surroundings_; }
  [[nodiscard]] DirectionSet moves(Node node) const noexcept {
    return allowed_moves(free_neighbours(surroundings_[node]));
  }
  [[nodiscard]] bool has_factors() const noexcept { return !factors_.empty(); }
  [[nodiscard]] std::span<const float> factors() const noexcept { return factors_; }
  [[nodiscard]] double factor(Node node) const noexcept { return has_factors() ? factors_[node] : 1.0F; }

 private:
  void set_free(Node node, bool free) noexcept;
  void judge_roughness(Node node) noexcept;

  GridFrame frame_;
  Node stride_ = 0;
  std::array<Node, kDirections> offsets_{};
  std::vector<std::uint8_t> free_;
  std::vector<Surroundings> surroundings_;
  std::vector<float> factors_;  // empty: all 1
};

struct ClearanceCost {
  double distance = 0.5;  // nearer to obstacles than this costs more [m]; 0: no such cost
  double extra = 2.0;     // how much more, at the obstacle (1: twice)
};

// Factors that fall linearly from 1 + extra, at the obstacle, to 1.
[[nodiscard]] Grid<float> clearance_factors(const Grid<float>& clearance, const ClearanceCost& cost);

}  // namespace forerun::navigate
