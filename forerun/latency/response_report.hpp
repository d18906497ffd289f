// What an evaluation found: for programs, and as a page with the papers' histograms.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "forerun/learn/evaluate_response.hpp"

namespace forerun::latency {

[[nodiscard]] nlohmann::ordered_json to_json(std::span<const learn::HorizonErrors> errors);

// How often errors of each size are, one line for each method (LAT-4).
[[nodiscard]] std::string draw_histograms(const learn::HorizonErrors& errors);

[[nodiscard]] std::string evaluation_page(std::span<const learn::HorizonErrors> errors,
                                          const learn::LearnedModel& model);

}  // namespace forerun::latency
