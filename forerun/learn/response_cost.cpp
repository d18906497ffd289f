#include "forerun/learn/response_cost.hpp"

#include <algorithm>
#include <cmath>

#include "forerun/base/math.hpp"

namespace forerun::learn {
namespace {

constexpr double kLagStep = 1e-3;  // for the slope [s]

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

ResponseCost::ResponseCost(std::span<const AxisSignal> signals) : signals_(signals) {
  for (const AxisSignal& signal : signals) {
    n_poses_ += signal.times.size();
    n_ += signal.times.size() - 1;
  }
  set_straying(1);
  allow_tail(false);
}

void ResponseCost::set_straying(double ratio) {
  weights_.clear();
  tail_delay_ = kInfinity;
  log_scale_ = 0;
  std::vector<double> seen;
  for (const AxisSignal& signal : signals_) {
    double variance = 1;  // of the level, in variances of a pose
    weights_.push_back({});
    for (std::size_t i = 1; i < signal.times.size(); ++i) {
      const double expected = variance + ratio * (signal.times[i] - signal.times[i - 1]);
      variance = expected / (expected + 1);
      weights_.push_back({variance, 1 / sqrt(expected + 1)});
      log_scale_ += log(expected + 1);
    }
    seen.insert(seen.end(), signal.travelled.begin(), signal.travelled.end());
  }
  whiten(seen, seen_);
}

void ResponseCost::allow_tail(bool allowed) {
  tail_allowed_ = allowed;
  tail_delay_ = kInfinity;
  tail_.assign(n_, 0);
}

void ResponseCost::whiten(const std::vector<double>& values, std::vector<double>& errors) const {
  errors.clear();
  errors.reserve(n_);
  std::size_t i = 0;
  for (const AxisSignal& signal : signals_) {
    double level = values[i];
    const std::size_t end = i + signal.times.size();
    for (++i; i < end; ++i) {
      const double error = values[i] - level;
      level += weights_[i].gain * error;
      errors.push_back(error * weights_[i].scale);
    }
  }
}

void ResponseCost::roll_out(double delay, double lag, Motions& motions) const {
  motions.travelled.clear();
  motions.speed.clear();
  for (const AxisSignal& signal : signals_) {
    LaggedCommand command(signal.commands, lag);
    for (const double time : signal.times) {
      const LaggedCommand::Motion motion = command.at(time - delay);
      motions.travelled.push_back(motion.travelled);
      motions.speed.push_back(motion.speed);
    }
  }
}

double ResponseCost::fit_gain(Response& response) {
  roll_out(response.delay, response.lag, motions_);
  whiten(motions_.travelled, travelled_);
  // searches for the lag ask for the same tail again and again
  if (tail_allowed_ && response.delay != tail_delay_) {
    roll_out(response.delay, kTailLag, motions_);
    whiten(motions_.travelled, tail_);
    tail_delay_ = response.delay;
  }
  const double gg = dot(travelled_, travelled_) + gain_weight_, g = dot(travelled_, seen_) + gain_weight_;
  const double tt = dot(tail_, tail_) + gain_weight_, t = dot(tail_, seen_) + gain_weight_;
  const double gt = dot(travelled_, tail_) + gain_weight_, determinant = gg * tt - gt * gt;
  const bool both = tail_allowed_ && determinant > 1e-9 * gg * tt;
  response.gain = both ? (tt * g - gt * t) / determinant : (gg > 0 ? g / gg : 1);
  response.tail = both ? (gg * t - gt * g) / determinant : 0;
  double sum = gain_weight_ * square(response.gain + response.tail - 1);
  for (std::size_t i = 0; i < n_; ++i) {
    sum += square(seen_[i] - response.gain * travelled_[i] - response.tail * tail_[i]);
  }
  return sum;
}

double ResponseCost::surprise(Response response) {
  const double n = static_cast<double>(n_);
  return n * log(std::max(fit_gain(response), 1e-300) / n) + log_scale_;
}

ResponseCost::Slopes ResponseCost::slopes(const Response& response) {
  Slopes slopes;
  Motions tail, later;
  roll_out(response.delay, response.lag, motions_);
  roll_out(response.delay, kTailLag, tail);
  whiten(motions_.travelled, slopes.by_gain);
  whiten(tail.travelled, slopes.by_tail);
  slopes.error.resize(n_);
  for (std::size_t i = 0; i < n_; ++i) {
    slopes.error[i] = seen_[i] - response.gain * slopes.by_gain[i] - response.tail * slopes.by_tail[i];
  }
  if (!tail_allowed_) slopes.by_tail.assign(n_, 0);
  roll_out(response.delay, response.lag + kLagStep, later);
  for (std::size_t i = 0; i < n_poses_; ++i) {
    tail.speed[i] = -response.gain * motions_.speed[i] - response.tail * tail.speed[i];
    later.travelled[i] = (later.travelled[i] - motions_.travelled[i]) * response.gain / kLagStep;
  }
  whiten(tail.speed, slopes.by_delay);
  whiten(later.travelled, slopes.by_lag);
  return slopes;
}

std::vector<std::size_t> ResponseCost::parts(double seconds) const {
  std::vector<std::size_t> parts;
  parts.reserve(n_);
  std::size_t part = 0;
  for (const AxisSignal& signal : signals_) {
    double begin = signal.times.front();
    for (std::size_t i = 1; i < signal.times.size(); ++i) {
      if (signal.times[i] - begin > seconds) {
        begin = signal.times[i];
        ++part;
      }
      parts.push_back(part);
    }
    ++part;
  }
  return parts;
}

}  // namespace forerun::learn
