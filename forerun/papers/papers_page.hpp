// The page of `study all`: the five papers' figures and tables, each beside ours.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "forerun/papers/paper_exhibits.hpp"
#include "forerun/papers/paper_runs.hpp"

namespace forerun::papers {

// What became of a run.
struct FinishedRun {
  const PaperRun* run = nullptr;
  std::vector<std::string> arguments;  // without the files it wrote
  bool chosen = true;                  // false: it was left out on purpose
  int exit_code = 0;
  double duration_s = 0;
  std::string complaint;           // a sentence; empty: none
  nlohmann::ordered_json figures;  // null: it has none
  std::string picture;             // its page or plan; empty: it has none

  [[nodiscard]] bool failed() const { return chosen && exit_code != 0; }
};

struct PapersReport {
  std::string version;
  PaperRunChoice params;
  double duration_s = 0;
  std::vector<FinishedRun> runs;
};

// A figure of ours held to the paper's.
struct Verdict {
  std::string ours;   // with its unit; empty: it was not measured here
  std::string words;  // "as printed"; empty: there is nothing to hold it to
  bool good = true;
};
[[nodiscard]] Verdict judge(const PaperFigure& figure, const PapersReport& report);

[[nodiscard]] std::string write_papers_page(const PapersReport& report);
// The same in some lines for a terminal.
[[nodiscard]] std::string describe(const PapersReport& report);
// Everything: each run with its command, exit code, duration and figures, and what stands on the page.
[[nodiscard]] nlohmann::ordered_json to_json(const PapersReport& report);

}  // namespace forerun::papers
