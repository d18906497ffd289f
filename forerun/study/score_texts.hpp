// Scores of predictions as JSON and CSV for programs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "forerun/study/scoring.hpp"

namespace forerun::study {

// The same samples measured in two ways.
struct ScoreView {
  const Scores& main;
  const Scores& other;
  std::string other_name;  // "relative", "absolute": names of its figures end so
};

// Bins, ratios, from where on prediction is significantly better, coverage. Null: there is no such figure. Names of a
// method's figures begin with the method's; only what prediction alone has had from the beginning has no such name.
[[nodiscard]] nlohmann::ordered_json to_json(const ScoreView& view);
// One row a bin, those by gap first.
[[nodiscard]] std::string to_csv(const ScoreView& view);

}  // namespace forerun::study
