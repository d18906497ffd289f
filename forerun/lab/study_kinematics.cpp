// `forerun study calibration` and `study sensitivity`: what wheels that are not as believed do to dead reckoning.
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
#include "forerun/study/calibration_study.hpp"
#include "forerun/study/sensitivity_study.hpp"

namespace forerun::lab {
namespace {

template <class Params>
struct KinematicsOptions {
  Params study;
  std::string json, report;
};

template <class Params>
void add_outputs(CLI::App& app, KinematicsOptions<Params>& options) {
  app.add_option("--json", options.json, "write the figures as JSON (- for standard output)");
  app.add_option("--report", options.report, "write a page with pictures");
}

// Runs the study and writes what was asked for; prints a table where nothing else goes to standard output.
template <class Params, class Run, class Page, class Print>
int run_and_write(const KinematicsOptions<Params>& options, const Run& run, const Page& page, const Print& print) {
  if (auto apart = cli::keep_apart({{"--json", options.json}, {"--report", options.report}}); !apart) {
    return cli::complain(apart.error());
  }
  auto json = cli::open_pending(options.json);
  if (!json) return cli::complain(json.error());
  auto report = cli::open_pending(options.report);
  if (!report) return cli::complain(report.error());
  const auto result = run();
  if (cli::interrupted()) return cli::kInterrupted;
  if (!result) return cli::complain(result.error());
  if (!options.report.empty()) {
    auto written = cli::write_text(options.report, std::move(*report), page(*result));
    if (!written) return cli::complain(written.error());
  }
  if (!options.json.empty()) {
    auto written = cli::write_json(options.json, std::move(*json), study::to_json(*result));
    if (!written) return cli::complain(written.error());
  }
  if (options.json != "-" && options.report != "-") print(*result);
  return cli::kDone;
}

void print_circles(const study::CalibrationStudyResult& result) {
  const study::CircleRun& run = result.runs.front();
  const auto row = [](const char* name, const learn::Ellipse& e) {
    std::printf("%-32s %8.3f x %8.3f cm\n", name, 100 * e.major, 100 * e.minor);
  };
  row("tracked", run.tracked_ellipse);
  row("dead reckoning, by hand", run.nominal_ellipse);
  row("dead reckoning, calibrated", run.calibrated_ellipse);
  std::printf("major axis off over %zu robots: %.3f cm by hand, %.3f cm calibrated\n", result.runs.size(),
              100 * result.nominal_error_m, 100 * result.calibrated_error_m);
}

void print_ways(const study::SensitivityResult& result) {
  std::printf("a way of %.2f m along a wall, base %.3f m\n", result.length_m, result.base_m);
  for (const study::WrongWay& way : result.wrong) {
    std::printf("base off by %+.1f %%: mean squared error %.4f m2, mean %.3f m, at the end %.3f m\n",
                100 * way.base_off, way.mean_squared_m2, way.mean_m, way.final_error_m);
  }
}

}  // namespace

Study add_calibration_study(CLI::App& app) {
  const auto options = std::make_shared<KinematicsOptions<study::CalibrationStudyParams>>();
  CLI::App* command = app.add_subcommand("calibration",
                                         "Circles as the wheels have them, with values measured by hand and with "
                                         "calibrated ones, beside what was tracked: "
                                         "ellipses fitted to each (paper 5, table 1).");
  cli::add_param_option(*command, "--runs", options->study, "runs");
  cli::add_param_option(*command, "--seed", options->study, "seed");
  add_outputs(*command, *options);
  command->footer("Example:\n  forerun study calibration --seed 1 --json - --report circles.html");
  return {command, [options] {
            cli::catch_interrupts();
            cli::Progress progress("calibration");
            const auto run = [&] {
              return study::run_calibration_study(options->study, [&](double share) {
                progress.update(share);
                return !cli::interrupted();
              });
            };
            return run_and_write(*options, run, study::calibration_study_page, print_circles);
          }};
}

Study add_sensitivity_study(CLI::App& app) {
  const auto options = std::make_shared<KinematicsOptions<study::SensitivityParams>>();
  CLI::App* command = app.add_subcommand(
      "sensitivity", "What a wrong wheel base does to the way that the same wheel speeds make (paper 5, figure 10).");
  cli::add_param_option(*command, "--seed", options->study, "seed");
  cli::add_param_option(*command, "--base-off", options->study, "base_off");
  add_outputs(*command, *options);
  command->footer("Example:\n  forerun study sensitivity --base-off 0.04 --json - --report base.html");
  return {command, [options] {
            const auto run = [&] {
              return Result<study::SensitivityResult>(study::run_sensitivity_study(options->study));
            };
            return run_and_write(*options, run, study::sensitivity_page, print_ways);
          }};
}

}  // namespace forerun::lab
