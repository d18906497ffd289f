// How far what was seen lies from what a delay, a lag and a gain would have made of the commands.
//
// Poses have errors of their own, and the robot strays from any such model a little more with every second. So what is
// left over is a random walk, seen with noise; the local level filter, which is best for that, turns it into errors
// that do not depend on each other. Without strayings this compares positions, with many of them velocities.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "forerun/base/math.hpp"
#include "forerun/learn/axis_signal.hpp"

namespace forerun::learn {

inline constexpr double kTailLag = 1.0;  // [s]

struct Response {
  double delay = 0;  // pure [s]
  double lag = 0;    // of first order, after it [s]
  double gain = 1;   // seen / commanded …
  double tail = 0;   // … and what comes to that later, with the lag of the tail: robots that are slow to settle
};

class ResponseCost {
 public:
  // `signals` must outlive this.
  explicit ResponseCost(std::span<const AxisSignal> signals);

  // Variance that the strayings add in a second, as a multiple of the variance of a pose [1/s].
  void set_straying(double ratio);
  void allow_tail(bool allowed);
  // How sure we are beforehand that robots do what they are told: this weight on (gain + tail − 1)².
  void set_gain_weight(double weight) { gain_weight_ = weight; }

  // Sum of squared errors at the gain and tail that are best for this delay and lag, which are written to `response`.
  [[nodiscard]] double fit_gain(Response& response);
  // −2 log likelihood with the straying that is set, but for constants.
  [[nodiscard]] double surprise(Response response);

  // Errors at `response`, and how what was expected changes with delay, lag, gain and tail.
  struct Slopes {
    std::vector<double> error, by_delay, by_lag, by_gain, by_tail;
  };
  [[nodiscard]] Slopes slopes(const Response& response);

  [[nodiscard]] std::size_t size() const { return n_; }  // errors
  // Which part of the drives each error is of: parts of at most these seconds, none across a gap.
  [[nodiscard]] std::vector<std::size_t> parts(double seconds) const;

 private:
  struct Weight {
    double gain = 0;   // of the filter
    double scale = 0;  // 1 / σ of the error
  };
  // Errors of a row of values: what the filter does not expect.
  void whiten(const std::vector<double>& values, std::vector<double>& errors) const;
  struct Motions {
    std::vector<double> travelled, speed;  // one a pose
  };
  void roll_out(double delay, double lag, Motions& motions) const;

  std::span<const AxisSignal> signals_;
  std::vector<Weight> weights_;  // one a pose
  std::vector<double> seen_;     // one an error
  Motions motions_;
  std::vector<double> travelled_, tail_;  // one an error
  double tail_delay_ = kInfinity;         // at which `tail_` is
  std::size_t n_ = 0, n_poses_ = 0;
  double log_scale_ = 0;  // sum of log variances
  double gain_weight_ = 0;
  bool tail_allowed_ = false;
};

}  // namespace forerun::learn
