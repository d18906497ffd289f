// Small statistics for studies.
#pragma once

#include <vector>

namespace forerun::study {

[[nodiscard]] double mean(const std::vector<double>& values);  // 0 of nothing
// The value below which `percent` of all lie, between neighbours by their distance; 0 of nothing.
[[nodiscard]] double percentile(std::vector<double> values, double percent);

}  // namespace forerun::study
