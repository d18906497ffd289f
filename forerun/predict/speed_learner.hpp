// How fast this robot is, against what its description says: nothing hurts a prediction more than to be wrong about it.
#pragma once

#include "forerun/base/fields.hpp"

namespace forerun::predict {

struct SpeedParams {
  double first_sigma = 0.1;  // how far the description may be off, as a share
  double drift = 0.005;      // how much that changes from report to report
  double noise = 0.015;      // of one observation at top speed
  double slow_noise = 0.3;   // the same, of a robot that hardly drove
};

template <class Visit>
void visit_fields(SpeedParams& p, Visit&& visit) {
  visit("first_sigma", p.first_sigma, Field{0, 1, "how far the description may be off, as a share"});
  visit("drift", p.drift, Field{0, 1, "how much that changes from report to report"});
  visit("noise", p.noise, Field{0, 1, "of one observation at top speed"});
  visit("slow_noise", p.slow_noise, Field{0, 10, "of one observation of a robot that hardly drove"});
}

class SpeedLearner {
 public:
  explicit SpeedLearner(const SpeedParams& params = {}) noexcept
      : params_(params), variance_(params.first_sigma * params.first_sigma) {}

  // The robot came `seen` metres far where the replica, at the scale so far, expected `expected`, and would have come
  // `farthest` at its top speed. `variance` is that of `seen` [m²].
  void observe(double seen, double expected, double farthest, double variance) noexcept;

  [[nodiscard]] double scale() const noexcept { return scale_; }  // of speeds and accelerations
  [[nodiscard]] double variance() const noexcept { return variance_; }

 private:
  SpeedParams params_;
  double scale_ = 1;
  double variance_;
};

}  // namespace forerun::predict
