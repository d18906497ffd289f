// `forerun study mission`: a wall follower's try-out, trimmed and driven again (DEC-9).
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "forerun/app/arguments.hpp"
#include "forerun/app/output.hpp"
#include "forerun/app/study_command.hpp"
#include "forerun/app/terminal.hpp"
#include "forerun/study/mission_study.hpp"

namespace forerun::app {
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
  if (auto apart = keep_apart({{"--json", options.json}, {"--report", options.report}}); !apart) {
    return complain(apart.error());
  }
  auto json = open_pending(options.json);
  if (!json) return complain(json.error());
  auto report = open_pending(options.report);
  if (!report) return complain(report.error());
  const auto result = study::run_mission_study(options.study);
  if (!result) return complain(result.error());
  const std::string page = options.report.empty() ? "" : study::mission_page(*result, options.study);
  if (auto done = write_text(options.report, std::move(*report), page); !done) return complain(done.error());
  if (auto done = write_json(options.json, std::move(*json), study::to_json(*result)); !done) {
    return complain(done.error());
  }
  if (options.json != "-" && options.report != "-") print(*result);
  return kDone;
}

}  // namespace

Study add_mission_study(CLI::App& app) {
  const auto options = std::make_shared<MissionStudyOptions>();
  CLI::App* study = app.add_subcommand(
      "mission",
      "From a try-out to an upload: a robot with one range sensor and one bumper follows a right-angled wall, bumps "
      "and backs up; what is redundant is cut, and the rest is driven again within all limits.");
  add_param_option(*study, "--seed", options->study, "seed");
  add_param_option(*study, "--duration-s", options->study, "duration_s");
  study->add_option("--json", options->json, "write the figures as JSON (- for standard output)");
  study->add_option("--report", options->report, "write a page with pictures (- for standard output)");
  study->footer("Example:\n  forerun study mission --seed 1 --json - --report mission.html");
  return {study, [options] { return run_mission(*options); }};
}

}  // namespace forerun::app
