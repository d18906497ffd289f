// How many particles it takes (D. Fox, Adapting the sample size in particle filters through KLD-sampling, 2003): enough
// that the particles stand for what they were drawn from, and that depends on how many places are in question.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "forerun/base/fields.hpp"
#include "forerun/geom/pose.hpp"

namespace forerun::localize {

struct KldParams {
  double bin_m = 0.2;      // places nearer than this are one place
  double bin_rad = 0.17;   // so are headings
  double error = 0.03;     // the distance allowed between the particles and what they stand for
  double quantile = 2.33;  // of the normal distribution: kept with this certainty
};

template <class Visit>
void visit_fields(KldParams& p, Visit&& visit) {
  visit("bin_m", p.bin_m, Field{0.02, 5, "places nearer than this are one place [m]"});
  visit("bin_rad", p.bin_rad, Field{0.01, 3, "headings nearer than this are one heading [rad]"});
  visit("error", p.error, Field{0.001, 1, "distance allowed between the particles and what they stand for"});
  visit("quantile", p.quantile, Field{0, 6, "of the normal distribution: how surely that is kept"});
}

// Particles that stand for `n_bins` bins well enough; 1 for a single bin.
[[nodiscard]] double kld_count(std::size_t n_bins, const KldParams& params) noexcept;

// Counts the bins that poses fall into. Sized once; counts up to its capacity.
class BinCounter {
 public:
  explicit BinCounter(std::size_t capacity);

  void clear() noexcept;
  // Whether the pose fell into a bin that was empty.
  bool add(const Pose2& pose, const KldParams& params) noexcept;
  [[nodiscard]] std::size_t n_bins() const noexcept { return n_bins_; }

 private:
  std::vector<std::uint64_t> slots_;  // the bins' numbers plus one; 0: free
  std::size_t capacity_;
  std::size_t n_bins_ = 0;
};

}  // namespace forerun::localize
