#include "forerun/mobility/robustness.hpp"

namespace forerun::mobility {
namespace {

constexpr double kLittle = 0.03;
constexpr int kSeeds = 20;

std::vector<TrialParams> variations(const TrialParams& params) {
  std::vector<TrialParams> all;
  for (double TrialParams::*value : {&TrialParams::mass_factor, &TrialParams::friction_factor, &TrialParams::speed}) {
    for (const double factor : {1 - kLittle, 1 + kLittle}) {
      TrialParams varied = params;
      varied.*value *= factor;
      all.push_back(varied);
    }
  }
  return all;
}

std::vector<TrialParams> starts(const TrialParams& params) {
  std::vector<TrialParams> all(kSeeds, params);
  for (std::size_t i = 0; i < all.size(); ++i) all[i].seed = params.seed + i + 1;
  return all;
}

}  // namespace

Result<Robustness> find_robustness(const robot::Crawler& robot, std::span<const Trial> trials,
                                   const std::vector<bool>& outcomes, const TrialParams& params,
                                   const std::function<bool(double)>& go_on) {
  const std::vector<TrialParams> varied = variations(params), started = starts(params);
  Robustness found{static_cast<int>(varied.size()), kSeeds, std::vector<int>(trials.size()),
                   std::vector<int>(trials.size())};
  double done = 0;
  const double all = static_cast<double>(trials.size() * (varied.size() + started.size()));
  for (std::size_t i = 0; i < trials.size(); ++i) {
    for (const auto* runs : {&varied, &started}) {
      for (const TrialParams& one : *runs) {
        if (!go_on(done++ / all)) return found;
        const auto result = run_trial(robot, trials[i], one);
        if (!result) return result.error();
        auto& unchanged = runs == &varied ? found.unchanged_variations : found.unchanged_seeds;
        if (result->passed == outcomes[i]) ++unchanged[i];
      }
    }
  }
  return found;
}

}  // namespace forerun::mobility
