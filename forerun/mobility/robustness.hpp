// Whether outcomes of trials stay what they are when little changes: masses, friction, speed and start.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "forerun/mobility/trial.hpp"

namespace forerun::mobility {

struct Robustness {
  int variations = 0;                       // of mass, friction and speed, each 3 % up and down
  int seeds = 0;                            // of the start
  std::vector<int> unchanged_variations{};  // of them, for each trial
  std::vector<int> unchanged_seeds{};
};

// `outcomes`: what each trial came to as it is. `go_on` is told the share done, and ends the work by false.
[[nodiscard]] Result<Robustness> find_robustness(const robot::Crawler& robot, std::span<const Trial> trials,
                                                 const std::vector<bool>& outcomes, const TrialParams& params,
                                                 const std::function<bool(double)>& go_on);

}  // namespace forerun::mobility
