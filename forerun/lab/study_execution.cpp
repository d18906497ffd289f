// `forerun study execution`: missions driven by the robot alone, with departures that it must notice (DEC-10).
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "forerun/atlas/setting.hpp"
#include "forerun/cli/arguments.hpp"
#include "forerun/cli/output.hpp"
#include "forerun/cli/terminal.hpp"
#include "forerun/lab/study_command.hpp"
#include "forerun/study/execution_study.hpp"

namespace forerun::lab {
namespace {

struct ExecutionOptions {
  std::string world = "bonn-office", robot = "turtle", reality = "noisy";
  std::string json;
  study::ExecutionParams study;
};

void print(const study::ExecutionResult& result) {
  for (const study::ExecutionRun& run : result.runs) {
    if (!run.handed_back()) continue;
    std::printf("%-17s %s%s\n", mission::to_string(run.fault.kind), run.trial.why.c_str(),
                run.is_false_alarm() ? "   (false alarm)" : "");
  }
  const auto figures = study::to_json(result);
  for (const auto& [name, value] : figures.items()) {
    std::printf("%-22s %s\n", name.c_str(), value.dump().c_str());
  }
}

int run_execution(const ExecutionOptions& options) {
  const auto setting = atlas::load_setting("office-delivery", options.reality, {options.world, options.robot});
  if (!setting) return cli::complain(setting.error());
  auto output = cli::open_pending(options.json);
  if (!output) return cli::complain(output.error());
  cli::catch_interrupts();
  cli::Progress progress("execution, " + options.reality);
  const auto result = study::run_execution_study(*setting, options.study, [&](double share) {
    progress.update(share);
    return !cli::interrupted();
  });
  if (cli::interrupted()) return cli::kInterrupted;
  if (!result) return cli::complain(result.error());
  if (options.json.empty()) {
    print(*result);
    return cli::kDone;
  }
  const auto written = cli::write_json(options.json, std::move(*output), study::to_json(*result));
  return written ? cli::kDone : cli::complain(written.error());
}

}  // namespace

Study add_execution_study(CLI::App& app) {
  const auto options = std::make_shared<ExecutionOptions>();
  CLI::App* study = app.add_subcommand(
      "execution",
      "Missions are tried out by the planner, trimmed, rehearsed, and driven by the robot alone; in every second one "
      "something is planted that it must notice: an obstacle, a jump of localization, a wheel that slips, a sensor "
      "that fails.");
  study->add_option("--world", options->world, "where: a file, or a bare name")->capture_default_str();
  study->add_option("--robot", options->robot, "which robot: a file, or a bare name")->capture_default_str();
  study->add_option("--reality", options->reality, "how far it departs from its copy: " + atlas::reality_names())
      ->capture_default_str();
  cli::add_param_option(*study, "--missions", options->study, "missions");
  cli::add_param_option(*study, "--seed", options->study, "seed");
  study->add_option("--json", options->json, "write the figures as JSON (- for standard output)");
  study->footer("Example:\n  forerun study execution --reality mismatched --json -");
  return {study, [options] { return run_execution(*options); }};
}

}  // namespace forerun::lab
