// The pictures of a prediction report: trajectories over the plan, the gap enlarged, the image sequence, and the curves
// (PSS-14 a to e).
#pragma once

#include <string>

#include "forerun/study/prediction_page.hpp"

namespace forerun::study {

// Each is what stands under its section's heading.
[[nodiscard]] std::string draw_trajectories(const ReportInput& input);  // (a)
[[nodiscard]] std::string draw_gaps(const ReportInput& input);          // (b)
[[nodiscard]] std::string draw_sequence(const ReportInput& input);      // (c)
[[nodiscard]] std::string draw_by_gap(const ReportInput& input);        // (d)
[[nodiscard]] std::string draw_by_distance(const ReportInput& input);   // (e)
[[nodiscard]] std::string draw_coverage(const ReportInput& input);      // (f)

}  // namespace forerun::study
