#include "forerun/navigate/planning_grid.hpp"

#include <algorithm>

namespace forerun::navigate {

PlanningGrid::PlanningGrid(const world::FreeGrid& free, const Grid<float>* factors)
    : frame_(free.frame()), stride_(static_cast<Node>(frame_.width + 2)) {
  const std::size_t n_nodes = static_cast<std::size_t>(stride_) * static_cast<std::size_t>(frame_.height + 2);
  FORERUN_CHECK(n_nodes < (std::size_t{1} << 29));  // so that the queue's entries, five a node, have 32-bit numbers
  for (unsigned d = 0; d < kDirections; ++d) {
    offsets_[d] = static_cast<Node>(kSteps[d].y) * stride_ + static_cast<Node>(kSteps[d].x);
  }
  free_.assign(n_nodes, 0);
  surroundings_.assign(n_nodes, 0);
  for (std::size_t i = 0; i < free.size(); ++i) {
    if (free[i] != 0) set_free(node(frame_.cell_at(i)), true);
  }
  if (factors == nullptr) return;

  FORERUN_CHECK(factors->frame() == frame_);
  factors_.assign(n_nodes, 1.0F);
  for (std::size_t i = 0; i < factors->size(); ++i) {
    FORERUN_CHECK((*factors)[i] >= 1 && (*factors)[i] <= kMaxFactor);
    factors_[node(frame_.cell_at(i))] = (*factors)[i];
  }
  for (std::size_t i = 0; i < factors->size(); ++i) judge_roughness(node(frame_.cell_at(i)));
}

void PlanningGrid::set_free(std::span<const Cell> cells, bool free) noexcept {
  for (const Cell cell : cells) {
    if (frame_.contains(cell)) set_free(node(cell), free);
  }
}

void PlanningGrid::set_free(Node node, bool free) noexcept {
  free_[node] = free ? 1 : 0;
  for (unsigned d = 0; d < kDirections; ++d) {
    Surroundings& seen = surroundings_[node + offsets_[d]];
    const Surroundings bit = only(opposite(d));
    seen = static_cast<Surroundings>(free ? seen | bit : seen & ~bit);
  }
}

void PlanningGrid::set_factor(Cell cell, float factor) noexcept {
  FORERUN_CHECK(has_factors() && frame_.contains(cell) && factor >= 1 && factor <= kMaxFactor);
  factors_[node(cell)] = factor;
  judge_roughness(node(cell));
  for (unsigned d = 0; d < kDirections; ++d) {
    if (frame_.contains(neighbour(cell, d))) judge_roughness(node(neighbour(cell, d)));
  }
}

void PlanningGrid::judge_roughness(Node node) noexcept {
  // below √2, with room for rounding: then every way that value_function.cpp leaves out is strictly dearer
  constexpr float kSmooth = 1.4F;
  const float limit = kSmooth * factors_[node];
  const bool rough =
      std::any_of(offsets_.begin(), offsets_.end(), [&](Node offset) { return factors_[node + offset] > limit; });
  surroundings_[node] = static_cast<Surroundings>(rough ? surroundings_[node] | kRough : surroundings_[node] & ~kRough);
}

Grid<float> clearance_factors(const Grid<float>& clearance, const ClearanceCost& cost) {
  Grid<float> factors(clearance.frame(), 1.0F);
  if (!(cost.distance > 0)) return factors;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    const double nearness = std::max(0.0, 1 - static_cast<double>(clearance[i]) / cost.distance);
    factors[i] = std::min(kMaxFactor, static_cast<float>(1 + cost.extra * nearness));
  }
  return factors;
}

}  // namespace forerun::navigate
