// A random process that remembers: first-order Gauss–Markov with unit variance.
#pragma once

#include "forerun/base/hash.hpp"
#include "forerun/base/math.hpp"
#include "forerun/base/random.hpp"

namespace forerun::sim {

class GaussMarkov {
 public:
  // Starts in its stationary distribution.
  GaussMarkov(double correlation_time, Random& random) noexcept
      : correlation_time_(correlation_time), value_(random.normal()) {}

  void step(double dt, Random& random) noexcept {
    if (dt != last_dt_) {
      last_dt_ = dt;
      keep_ = exp(-dt / correlation_time_);
      renew_ = sqrt(1 - keep_ * keep_);
    }
    value_ = keep_ * value_ + renew_ * random.normal();
  }

  [[nodiscard]] double value() const noexcept { return value_; }

 private:
  double correlation_time_;
  double value_;
  double last_dt_ = 0;
  double keep_ = 1;
  double renew_ = 0;
};

}  // namespace forerun::sim
