#include "forerun/localize/kld.hpp"

#include <algorithm>
#include <cmath>

namespace forerun::localize {
namespace {

// Twenty bits each; what is farther off than half a million bins falls in with others.
std::uint64_t bin_of(double value, double size) noexcept {
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(std::floor(value / size)) + (1 << 19)) & 0xfffff;
}

std::size_t power_of_two_above(std::size_t n) {
  std::size_t size = 16;
  while (size < n) size *= 2;
  return size;
}

}  // namespace

double kld_count(std::size_t n_bins, const KldParams& params) noexcept {
  if (n_bins < 2) return 1;
  // Wilson and Hilferty's approximation of the quantile of χ² with k − 1 degrees of freedom
  const double k = static_cast<double>(n_bins) - 1, b = 2 / (9 * k);
  const double root = 1 - b + sqrt(b) * params.quantile;
  return std::ceil(k / (2 * params.error) * root * root * root);
}

BinCounter::BinCounter(std::size_t capacity) : slots_(power_of_two_above(2 * capacity)), capacity_(capacity) {}

void BinCounter::clear() noexcept {
  std::fill(slots_.begin(), slots_.end(), 0);
  n_bins_ = 0;
}

bool BinCounter::add(const Pose2& pose, const KldParams& params) noexcept {
  if (n_bins_ == capacity_) return false;
  const std::uint64_t bin = 1 + (bin_of(pose.x, params.bin_m) << 40 | bin_of(pose.y, params.bin_m) << 20 |
                                 bin_of(normalize_angle(pose.theta), params.bin_rad));
  // Fibonacci hashing, then the next free slot
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = static_cast<std::size_t>((bin * 0x9e3779b97f4a7c15u) >> 32) & mask;
  while (slots_[slot] != 0 && slots_[slot] != bin) slot = (slot + 1) & mask;
  if (slots_[slot] == bin) return false;
  slots_[slot] = bin;
  ++n_bins_;
  return true;
}

}  // namespace forerun::localize
