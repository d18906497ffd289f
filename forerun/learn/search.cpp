#include "forerun/learn/search.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace forerun::learn {
namespace {

class Search {
 public:
  Search(std::span<const Unknown> unknowns, const Cost& cost, const SearchParams& params)
      : unknowns_(unknowns), cost_(cost), params_(params), grow_first_(unknowns.size(), true) {
    for (const Unknown& unknown : unknowns) best_.values.push_back(clamped(unknown.value, unknown));
  }

  Found run() {
    const auto first = evaluate(best_.values);
    if (!first) return best_;
    best_.costs = *first;
    for (double step = params_.first_step; step >= params_.last_step && !over(); step /= 2) {
      while (sweep(step) && !over()) {
      }
    }
    return best_;
  }

 private:
  static double clamped(double value, const Unknown& unknown) { return std::clamp(value, unknown.low, unknown.high); }
  [[nodiscard]] bool over() const { return best_.stopped || best_.n_costs >= params_.most_costs; }

  std::optional<Costs> evaluate(const std::vector<double>& values) {
    ++best_.n_costs;
    auto costs = cost_(values);
    if (!costs) best_.stopped = true;
    return costs;
  }

  [[nodiscard]] bool is_better(const Costs& costs) const {
    double before = 0, after = 0;
    for (std::size_t i = 0; i < costs.size(); ++i) {
      if (costs[i] > best_.costs[i]) return false;
      before += best_.costs[i];
      after += costs[i];
    }
    return after < before * (1 - params_.least_gain);
  }

  // True when that was an improvement, which is kept.
  bool try_factor(std::size_t i, double factor) {
    std::vector<double> values = best_.values;
    values[i] = clamped(values[i] * factor, unknowns_[i]);
    if (values[i] == best_.values[i] || over()) return false;
    auto costs = evaluate(values);
    if (!costs || !is_better(*costs)) return false;
    best_.values = std::move(values);
    best_.costs = std::move(*costs);
    return true;
  }

  // Each parameter once in either direction, and on as long as that helps. True when anything did.
  bool sweep(double step) {
    bool improved = false;
    for (std::size_t i = 0; i < unknowns_.size(); ++i) {
      for (int side = 0; side < 2; ++side) {
        const bool grow = grow_first_[i] == (side == 0);
        const double factor = grow ? 1 + step : 1 / (1 + step);
        if (!try_factor(i, factor)) continue;
        while (try_factor(i, factor)) {
        }
        improved = true;
        grow_first_[i] = grow;
        break;
      }
    }
    return improved;
  }

  std::span<const Unknown> unknowns_;
  const Cost& cost_;
  SearchParams params_;
  std::vector<bool> grow_first_;  // the direction that helped last time
  Found best_;
};

}  // namespace

Found search(std::span<const Unknown> unknowns, const Cost& cost, const SearchParams& params) {
  return Search(unknowns, cost, params).run();
}

}  // namespace forerun::learn
