// The pictures of a study page: trajectories over the plan, the gap enlarged, the image sequence, and the curves
// (PSS-14 a to e).
#pragma once

#include <string>

#include "forerun/study/prediction_page.hpp"

namespace forerun::study {

// Each is what stands under its section's heading.
[[nodiscard]] std::string draw_trajectories(const StudyPage& input);  // (a)
[[nodiscard]] std::string draw_gaps(const StudyPage& input);          // (b)
[[nodiscard]] std::string draw_sequence(const StudyPage& input);      // (c)
[[nodiscard]] std::string draw_by_gap(const StudyPage& input);        // (d)
[[nodiscard]] std::string draw_by_distance(const StudyPage& input);   // (e)
[[nodiscard]] std::string draw_coverage(const StudyPage& input);
[[nodiscard]] std::string draw_experts(const StudyPage& input);  // (f)

}  // namespace forerun::study
