// Circles as the wheels have them, with hand-measured and with calibrated values, beside the truth (DEC-2, table 1).
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "forerun/base/fields.hpp"
#include "forerun/base/result.hpp"
#include "forerun/learn/calibration.hpp"
#include "forerun/learn/ellipse.hpp"
#include "forerun/study/workers.hpp"

namespace forerun::study {

struct CalibrationStudyParams {
  int runs = 5;
  std::uint64_t seed = 1;
};

template <class Visit>
void visit_fields(CalibrationStudyParams& p, Visit&& visit) {
  visit("runs", p.runs, Field{1, 10000, "robots, each measured by hand and calibrated"});
  visit("seed", p.seed, Field{.about = "of the first robot"});
}

// A robot whose wheels are not as they were measured by hand.
struct CircleRun {
  robot::DifferentialGeometry truth, nominal;
  learn::Calibration calibration;
  std::vector<Vec2> tracked, by_nominal, by_calibrated;  // ways of the circle that was kept for the test
  learn::Ellipse tracked_ellipse, nominal_ellipse, calibrated_ellipse;
};

struct CalibrationStudyResult {
  std::vector<CircleRun> runs;
  double nominal_error_m = 0;  // of the major axis against what was tracked: mean of the runs
  double calibrated_error_m = 0;
};

// An error where `on_progress` ended it early, or where a way is no ellipse.
[[nodiscard]] Result<CalibrationStudyResult> run_calibration_study(const CalibrationStudyParams& params,
                                                                   const OnProgress& on_progress = {});
[[nodiscard]] nlohmann::ordered_json to_json(const CalibrationStudyResult& result);
[[nodiscard]] std::string calibration_study_page(const CalibrationStudyResult& result);

}  // namespace forerun::study
