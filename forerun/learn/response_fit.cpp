#include "forerun/learn/response_fit.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "forerun/base/math.hpp"
#include "forerun/geom/matrix.hpp"

namespace forerun::learn {
namespace {

constexpr Interval kDelays{-0.3, kLongestDelay};  // that are looked at [s]
constexpr Interval kLags{0, 1.5};                 // [s]
constexpr double kGainSigma = 0.1;                // how far robots are from doing what they are told
constexpr double kSure = 6;                       // squared standard deviations by which a tail must show
constexpr double kSimpler = 2.4;                  // a lag must show with three standard deviations, not with two
constexpr double kFloor = 2.5e-3;                 // no stamps and no steps are known better [s]
constexpr double kPartLength = 4;                 // errors farther apart do not know each other [s]

struct Least {
  double at = 0, value = 0;
};

// The least value between two bounds, by golden sections.
Least minimize(const std::function<double(double)>& cost, Interval range, double tolerance) {
  constexpr double kGolden = 0.6180339887498949;
  double a = range.high - kGolden * range.width(), b = range.low + kGolden * range.width();
  double cost_a = cost(a), cost_b = cost(b);
  while (range.width() > tolerance) {
    if (cost_a < cost_b) {
      range.high = b;
      b = a;
      cost_b = cost_a;
      a = range.high - kGolden * range.width();
      cost_a = cost(a);
    } else {
      range.low = a;
      a = b;
      cost_a = cost_b;
      b = range.low + kGolden * range.width();
      cost_b = cost(b);
    }
  }
  return cost_a < cost_b ? Least{a, cost_a} : Least{b, cost_b};
}

Response clamped(Response r) {
  return {clamp(r.delay, kDelays.low, kDelays.high), clamp(r.lag, kLags.low, kLags.high), r.gain};
}

struct Normal {
  Matrix<4, 4> information;  // slopes · slopes
  Vector<4> pull;            // slopes · errors
};

Normal make_normal(const ResponseCost::Slopes& slopes) {
  Normal normal;
  const std::vector<double>* columns[] = {&slopes.by_delay, &slopes.by_lag, &slopes.by_gain, &slopes.by_tail};
  for (std::size_t k = 0; k < slopes.error.size(); ++k) {
    for (std::size_t i = 0; i < 4; ++i) {
      const double slope = (*columns[i])[k];
      normal.pull[i] += slope * slopes.error[k];
      for (std::size_t j = 0; j < 4; ++j) normal.information(i, j) += slope * (*columns[j])[k];
    }
  }
  // without a tail
  if (normal.information(3, 3) == 0) normal.information(3, 3) = 1;
  return normal;
}

struct Tried {
  Response response;
  double cost = kInfinity;
};

// Levenberg and Marquardt from here to the nearest least cost.
Tried descend(ResponseCost& cost, const Response& start) {
  Tried best{clamped(start)};
  best.cost = cost.fit_gain(best.response);
  double damping = 1e-3;
  for (int round = 0; round < 30; ++round) {
    const Normal normal = make_normal(cost.slopes(best.response));
    bool better = false;
    for (int attempt = 0; attempt < 6 && !better; ++attempt) {
      Matrix<4, 4> damped = normal.information;
      for (std::size_t i = 0; i < 4; ++i) damped(i, i) *= 1 + damping;
      const auto step = solve_symmetric(damped, normal.pull);
      if (!step) return best;
      Tried next{clamped({best.response.delay + (*step)[0], best.response.lag + (*step)[1], best.response.gain})};
      next.cost = cost.fit_gain(next.response);
      better = next.cost < best.cost;
      damping = better ? damping / 10 : damping * 10;
      if (!better) continue;
      const bool settled = best.cost - next.cost < 1e-9 * best.cost;
      best = next;
      if (settled) return best;
    }
    if (!better) return best;
  }
  return best;
}

Tried descend_from_many(ResponseCost& cost, double sum) {
  Tried best;
  for (const double lag : {0.01, 0.05, 0.15, 0.35}) {
    const Tried tried = descend(cost, {sum - lag, lag, 1});
    if (tried.cost < best.cost) best = tried;
  }
  return best;
}

// The best lag for this delay …
Tried with_delay(ResponseCost& cost, double delay) {
  Response response{delay, 0, 1};
  // fine near zero
  const Least least = minimize(
      [&](double root) {
        response.lag = square(root);
        return cost.fit_gain(response);
      },
      {0, sqrt(kLags.high)}, 2e-3);
  Tried none{{delay, 0, 1}};
  none.cost = cost.fit_gain(none.response);
  Tried some{{delay, square(least.at), 1}};
  some.cost = cost.fit_gain(some.response);
  return some.cost < none.cost ? some : none;
}

// … and the best delay for this lag.
Tried with_lag(ResponseCost& cost, double lag, double near) {
  Response response{near, lag, 1};
  const Interval range{std::max(kDelays.low, near - 0.25), std::min(kDelays.high, near + 0.25)};
  const Least least = minimize(
      [&](double delay) {
        response.delay = delay;
        return cost.fit_gain(response);
      },
      range, 1e-4);
  Tried tried{{least.at, lag, 1}};
  tried.cost = cost.fit_gain(tried.response);
  return tried;
}

// The straying that makes what was seen most likely.
double fit_straying(ResponseCost& cost, const Response& response) {
  const Least least = minimize(
      [&](double exponent) {
        cost.set_straying(exp(exponent));
        return cost.surprise(response);
      },
      {log(1e-4), log(1e5)}, 0.1);
  cost.set_straying(exp(least.at));
  return exp(least.at);
}

// How much less sure the estimates are than if all errors were by chance: errors of a part of the drive may belong
// together.
struct Spread {
  double factor = 1;  // of variances, at least 1
  double student = 1.96;
};

double student_factor(double n_free) { return 1.96 + 2.4 / n_free + 3.0 / square(n_free); }

// From how much the parts of the drives waver: what each of them adds to the delay.
Spread find_spread(const std::vector<double>& adds, const std::vector<std::size_t>& parts, double variance) {
  std::vector<double> sums(parts.empty() ? 1 : parts.back() + 1);
  for (std::size_t k = 0; k < parts.size(); ++k) sums[parts[k]] += adds[k];
  double second = 0, fourth = 0;
  for (const double sum : sums) {
    second += square(sum);
    fourth += square(square(sum));
  }
  // parts that hardly add do not count
  const double n_parts = fourth > 0 ? std::min(3 * square(second) / fourth, static_cast<double>(sums.size())) : 1;
  if (n_parts < 3) return {};
  return {std::max(1.0, second / variance), student_factor(n_parts - 1)};
}

// Errors of some seconds may belong together, and so may those of a whole drive; the larger spread counts.
Spread find_spread(ResponseCost& cost, const Response& response, double variance) {
  // without lag, a little of it would look just like a little delay
  const ResponseCost::Slopes s =
      cost.slopes({response.delay, std::max(response.lag, 0.02), response.gain, response.tail});
  const auto inverse = inverse_symmetric(make_normal(s).information);
  if (!inverse) return {};
  const Matrix<4, 4>& levers = *inverse;
  std::vector<double> adds(s.error.size());
  for (std::size_t k = 0; k < adds.size(); ++k) {
    adds[k] = s.error[k] * (levers(0, 0) * s.by_delay[k] + levers(0, 1) * s.by_lag[k] + levers(0, 2) * s.by_gain[k] +
                            levers(0, 3) * s.by_tail[k]);
  }
  const double by_chance = variance * levers(0, 0);
  const Spread short_parts = find_spread(adds, cost.parts(kPartLength), by_chance);
  const Spread whole = find_spread(adds, cost.parts(kInfinity), by_chance);
  return whole.student * sqrt(whole.factor) > short_parts.student * sqrt(short_parts.factor) ? whole : short_parts;
}

// From the best value outward to where the cost has risen by `rise`. It is about a parabola, so a few tries do.
double find_edge(const std::function<double(double)>& cost, Least best, double bound, double rise) {
  double offset = bound > best.at ? 0.01 : -0.01;
  const double farthest = std::fabs(bound - best.at);
  for (int attempt = 0; attempt < 12; ++attempt) {
    const bool at_bound = std::fabs(offset) >= farthest;
    if (at_bound) offset = bound - best.at;
    const double risen = std::max(cost(best.at + offset) - best.value, 1e-6 * rise);
    if (at_bound && risen < rise) return bound;
    const double before = offset;
    offset *= clamp(sqrt(rise / risen), 0.1, 5.0);
    if (std::fabs(offset - before) < 1e-4 + 0.01 * std::fabs(offset)) break;
  }
  return std::fabs(offset) < farthest ? best.at + offset : bound;
}

Interval find_edges(const std::function<double(double)>& cost, Least best, Interval bounds, double rise) {
  return {find_edge(cost, best, bounds.low, rise), find_edge(cost, best, bounds.high, rise)};
}

void find_intervals(ResponseCost& cost, const Tried& best, double rise, ResponseFit& fit) {
  const Response& r = best.response;
  fit.delay_ci95 =
      find_edges([&](double delay) { return with_delay(cost, delay).cost; }, {r.delay, best.cost}, kDelays, rise);
  fit.lag_ci95 = find_edges([&](double lag) { return with_lag(cost, lag, r.delay + r.lag - lag).cost; },
                            {r.lag, best.cost}, kLags, rise);
}

// The robot without lag, where nothing speaks against it. The interval of the delay keeps room for a lag.
void prefer_no_lag(ResponseCost& cost, const Tried& best, double rise, ResponseFit& fit) {
  const Tried plain = with_lag(cost, 0, best.response.delay + best.response.lag);
  if (plain.cost > best.cost + kSimpler * rise) return;
  const auto by_delay = [&](double delay) {
    Response response{delay, 0};
    return cost.fit_gain(response);
  };
  const Interval own = find_edges(by_delay, {plain.response.delay, plain.cost}, kDelays, rise);
  fit.delay_ci95 = {std::min(fit.delay_ci95.low, own.low), std::max(fit.delay_ci95.high, own.high)};
  fit.lag_ci95.low = 0;
  fit.response = plain.response;
}

Interval with_floor(const Interval& interval, double value) {
  return {value - sqrt(square(value - interval.low) + square(kFloor)),
          value + sqrt(square(interval.high - value) + square(kFloor))};
}

// What is known of the noise follows from the best response, and the other way round.
struct Settled {
  Tried best;
  double variance = 0;  // of a pose
  double straying = 0;
};

Settled settle(ResponseCost& cost, const Response& start, int n_rounds) {
  Settled settled{{start}};
  const double n_free = std::max(1.0, static_cast<double>(cost.size()) - 4);
  for (int round = 0; round < n_rounds; ++round) {
    settled.straying = fit_straying(cost, settled.best.response);
    settled.variance = cost.fit_gain(settled.best.response) / n_free;
    cost.set_gain_weight(settled.variance / square(kGainSigma));
    settled.best = descend(cost, settled.best.response);
  }
  return settled;
}

}  // namespace

ResponseFit fit_response(std::span<const AxisSignal> signals, double start) {
  ResponseCost cost(signals);
  Settled settled = settle(cost, descend_from_many(cost, start).response, 2);
  Spread spread = find_spread(cost, settled.best.response, settled.variance);
  // robots that are slow to settle have a tail, if it shows for sure
  cost.allow_tail(true);
  const Tried tailed = descend_from_many(cost, settled.best.response.delay + settled.best.response.lag);
  const bool has_tail = tailed.cost < settled.best.cost - kSure * spread.factor * settled.variance;
  cost.allow_tail(has_tail);
  if (has_tail) {
    settled = settle(cost, tailed.response, 1);
    spread = find_spread(cost, settled.best.response, settled.variance);
  }
  ResponseFit fit;
  fit.response = settled.best.response;
  const double rise = square(spread.student) * spread.factor * settled.variance;
  find_intervals(cost, settled.best, rise, fit);
  prefer_no_lag(cost, settled.best, rise, fit);
  fit.delay_ci95 = with_floor(fit.delay_ci95, fit.response.delay);
  fit.pose_noise = sqrt(settled.variance);
  fit.straying = settled.straying;
  fit.n_poses = cost.size();
  return fit;
}

}  // namespace forerun::learn
