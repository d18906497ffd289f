// How well the robot's position is predicted (PSS-14): a simulated robot drives, its reports are cut out, and every
// report is scored at every gap as if all later ones were lost.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "forerun/base/result.hpp"
#include "forerun/robot/description.hpp"
#include "forerun/sim/reality.hpp"
#include "forerun/sim/scenario.hpp"
#include "forerun/world/world.hpp"

namespace forerun::study {

struct OfficeInputs {
  const world::World& world;
  const robot::Description& robot;  // as the copy believes it to be
  const sim::Scenario& scenario;
  sim::Reality reality;
};

struct OfficeParams {
  double interval_s = 6;  // between two reports [s]
  int runs = 20;
  std::uint64_t seed = 1;
};

// Mean errors of all samples with one gap, or one distance travelled since the report.
struct ErrorBin {
  double at = 0;  // gap [s], or distance [m]
  std::size_t n = 0;
  double extrapolation = 0;  // [m]
  double extrapolation_ci95[2] = {0, 0};
  double prediction = 0;  // [m]
  double prediction_ci95[2] = {0, 0};
};

struct OfficeResult {
  std::vector<ErrorBin> gap_bins;       // of at least 30 samples
  std::vector<ErrorBin> distance_bins;  // likewise
  double significant_from_gap_s = 0;    // from here on prediction is better beyond both intervals; 0: nowhere
  double significant_from_distance_m = 0;
  double path_length_m = 0;  // mean of the runs
  double duration_s = 0;     // mean of the runs
};

// `on_progress` is told the share done, and ends the study early by giving false.
[[nodiscard]] Result<OfficeResult> run_office_study(const OfficeInputs& inputs, const OfficeParams& params,
                                                    const std::function<bool(double)>& on_progress = {});

// Prediction error ÷ extrapolation error at a gap; 0 where there is no such bin.
[[nodiscard]] double ratio_at(const OfficeResult& result, double gap_s) noexcept;

}  // namespace forerun::study
