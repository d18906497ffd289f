// How much faster than real time a tracked robot runs in the physics engine.
#include <algorithm>
#include <cstdio>
#include <ctime>

#include "bench/ratios.hpp"
#include "forerun/mobility/trial.hpp"

namespace forerun::bench {

void report_physics_rates() {
  double best = 0;
  bool passed = true;
  for (int i = 0; i < 5; ++i) {
    const std::clock_t start = std::clock();
    const auto climb = mobility::run_trial(robot::Crawler{}, {mobility::TrialKind::step_flippers, 0.2});
    passed = passed && climb && climb->passed;
    best = std::max(best, climb->duration * CLOCKS_PER_SEC / static_cast<double>(std::clock() - start));
  }
  std::printf("physics, climb of 200 mm with flippers: %.0f simulated seconds per second on one core%s\n", best,
              passed ? "" : ", BUT IT DOES NOT GET UP");
}

}  // namespace forerun::bench
