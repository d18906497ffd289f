// Scores of predictions as a table for people, and the files that they go to.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "forerun/base/result.hpp"
#include "forerun/cli/arguments.hpp"
#include "forerun/io/file.hpp"
#include "forerun/study/scoring.hpp"

namespace forerun::lab {

void print_table(const study::Scores& scores);

// Where the figures go; empty: nowhere, "-": standard output.
struct ScoreDestinations {
  std::string json;
  std::string csv;
  std::string report;

  [[nodiscard]] bool use_standard_output() const { return json == "-" || csv == "-" || report == "-"; }
};

// `--json`, `--csv` and `--report`.
void add_score_options(CLI::App& app, ScoreDestinations& destinations);

// `--interval-s`, `--loss`, `--runs` and `--seed`.
template <class Params>
void add_interval_options(CLI::App& app, Params& params) {
  cli::add_param_option(app, "--interval-s", params, "interval_s");
  cli::add_param_option(app, "--loss", params, "loss");
  cli::add_param_option(app, "--runs", params, "runs");
  cli::add_param_option(app, "--seed", params, "seed");
}

// What goes there.
struct ScoreTexts {
  nlohmann::ordered_json json;
  std::string csv;
  std::string report;
};

// Files that are opened before the work begins, so that what cannot be written shows at once.
class ScoreFiles {
 public:
  static Result<ScoreFiles> open(const ScoreDestinations& destinations);
  [[nodiscard]] Result<void> write(const ScoreTexts& texts);

 private:
  ScoreDestinations destinations_;
  std::optional<io::PendingFile> json_, csv_, report_;
};

}  // namespace forerun::lab
