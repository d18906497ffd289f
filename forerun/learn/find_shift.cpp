#include <algorithm>
#include <cmath>
#include <vector>

#include "forerun/base/math.hpp"
#include "forerun/learn/response_fit.hpp"

namespace forerun::learn {
namespace {

constexpr double kEarliest = -0.3;  // stamps may be off [s]
constexpr double kStep = 0.01;      // [s]
constexpr double kWindow = 0.2;     // over which distances are compared [s]

// Sums of two rows of distances.
struct Sums {
  double aa = 0, ab = 0, bb = 0;
};

void add(const AxisSignal& signal, double shift, Sums& sums) {
  LaggedCommand command(signal.commands, 0);
  std::vector<double> commanded;
  commanded.reserve(signal.times.size());
  for (const double time : signal.times) commanded.push_back(command.at(time - shift).travelled);
  std::size_t from = 0;
  for (std::size_t i = 0; i < signal.times.size(); ++i) {
    while (signal.times[i] - signal.times[from] > kWindow + 1e-9) ++from;
    if (signal.times[i] - signal.times[from] < kWindow / 2) continue;
    const double a = commanded[i] - commanded[from], b = signal.travelled[i] - signal.travelled[from];
    sums.aa += a * a;
    sums.ab += a * b;
    sums.bb += b * b;
  }
}

double correlation(std::span<const AxisSignal> signals, double shift) {
  Sums sums;
  for (const AxisSignal& signal : signals) add(signal, shift, sums);
  return sums.aa > 0 && sums.bb > 0 ? sums.ab / sqrt(sums.aa * sums.bb) : 0;
}

}  // namespace

Shift find_shift(std::span<const AxisSignal> signals) {
  std::vector<double> values;
  for (double shift = kEarliest; shift <= kLongestDelay; shift += kStep) values.push_back(correlation(signals, shift));
  const auto best = static_cast<std::size_t>(std::max_element(values.begin(), values.end()) - values.begin());
  Shift found{kEarliest + static_cast<double>(best) * kStep, values[best]};
  if (best == 0 || best + 1 == values.size()) return found;
  // the top of the parabola through the three
  const double left = values[best - 1], right = values[best + 1], bend = left - 2 * values[best] + right;
  if (bend < 0) found.time += kStep * clamp(0.5 * (left - right) / bend, -0.5, 0.5);
  return found;
}

}  // namespace forerun::learn
