// `forerun study mission`: a wall follower's try-out, trimmed and driven again (DEC-9).
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "forerun/cli/arguments.hpp"
#include "forerun/cli/output.hpp"
#include "forerun/cli/terminal.hpp"
#include "forerun/lab/study_command.hpp"
#include "forerun/study/mission_study.hpp"

namespace forerun::lab {
namespace {

struct MissionStudyOptions {
  std::string json, report;
  study::MissionParams study;
};

void print(const study::MissionResult& result) {
  const auto figures = study::to_json(result);
  for (const mission::Cut& cut : result.trim.cuts) {
    std::printf("cut: %s\n", mission::describe(cut, result.recorded).c_str());
  }
  std::printf("bumps %d -> %d, %.2f m -> %.2f m, %.1f s -> %.1f s, nearest to a wall %.3f m\n",
              figures["bumps_before"].get<int>(), figures["bumps_after"].get<int>(),
              figures["length_before_m"].get<double>(), figures["length_after_m"].get<double>(),
              figures["duration_before_s"].get<double>(), figures["duration_after_s"].get<double>(),
              figures["min_clearance_m"].get<double>());
  if (!result.trial.why.empty()) std::printf("%s\n", result.trial.why.c_str());
}

int run_mission(const MissionStudyOptions& options) {
  if (auto apart = cli::keep_apart({{"--json", options.json}, {"--report", options.report}}); !apart) {
    return cli::complain(apart.error());
  }
  auto json = cli::open_pending(options.json);
  if (!json) return cli::complain(json.error());
  auto report = cli::open_pending(options.report);
  if (!report) return cli::complain(report.error());
  const auto result = study::run_mission_study(options.study);
  if (!result) return cli::complain(result.error());
  const std::string page = options.report.empty() ? "" : study::mission_page(*result, options.study);
  if (auto done = cli::write_text(options.report, std::move(*report), page); !done) return cli::complain(done.error());
  if (auto done = cli::write_json(options.json, std::move(*json), study::to_json(*result)); !done) {
    return cli::complain(done.error());
  }
  if (options.json != "-" && options.report != "-") print(*result);
  return cli::kDone;
}

}  // namespace

Study add_mission_study(CLI::App& app) {
  const auto options = std::make_shared<MissionStudyOptions>();
  CLI::App* study = app.add_subcommand(
      "mission",
      "From a try-out to an upload: a robot with one range sensor and one bumper follows a right-angled wall, bumps "
      "and backs up; what is redundant is cut, and the rest is driven again within all limits.");
  cli::add_param_option(*study, "--seed", options->study, "seed");
  cli::add_param_option(*study, "--duration-s", options->study, "duration_s");
  study->add_option("--json", options->json, "write the figures as JSON (- for standard output)");
  study->add_option("--report", options->report, "write a page with pictures (- for standard output)");
  study->footer("Example:\n  forerun study mission --seed 1 --json - --report mission.html");
  return {study, [options] { return run_mission(*options); }};
}

}  // namespace forerun::lab
