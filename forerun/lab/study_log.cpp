// `forerun study log`: how well Forerun would have predicted a robot whose drives were recorded.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "forerun/atlas/setting.hpp"
#include "forerun/cli/output.hpp"
#include "forerun/cli/terminal.hpp"
#include "forerun/lab/study_command.hpp"
#include "forerun/lab/study_scores.hpp"
#include "forerun/study/log_study.hpp"
#include "forerun/study/score_texts.hpp"
#include "forerun/study/study_pages.hpp"

namespace forerun::lab {
namespace {

struct LogOptions {
  std::vector<std::string> logs;
  std::string world;
  std::string robot;
  std::string fit;  // empty: as the robot's description has it
  bool no_plan = false;
  ScoreDestinations destinations;
  study::LogParams study;
};

// At the gap nearest to what the papers chose that these drives have.
void print_meaning(const study::LogResult& result) {
  for (const double gap : {6.0, 2.5, 1.0}) {
    const study::ErrorBin* bin = study::bin_at(result.relative, gap);
    if (bin == nullptr) continue;
    std::printf(
        "%g s after a message the motion since it is predicted with an error of %.2f m, extrapolated with %.2f m", gap,
        bin->prediction().mean, bin->extrapolation().mean);
    std::printf("; half of all predictions err by less than %.2f m\n", bin->prediction().median);
    return;
  }
}

ScoreTexts to_texts(const LogOptions& options, const study::LogResult& result) {
  const study::ScoreView view{result.relative, result.absolute, "absolute"};
  ScoreTexts texts{to_json(view), to_csv(view), ""};
  texts.json["max_shown_step_m"] = result.max_shown_step_m;
  texts.json["path_length_m"] = result.path_length_m;
  texts.json["duration_s"] = result.duration_s;
  texts.json["logs"] = options.logs.size();
  texts.json["breaks"] = result.breaks;
  texts.json["plans"] = result.plans;
  return texts;
}

Result<std::string> make_page(const LogOptions& options, const study::LogInputs& inputs,
                              const study::LogResult& result) {
  const std::string robot = inputs.robot.name + (options.fit.empty() ? "" : ", fitted (" + options.fit + ")");
  return study::log_page(inputs, options.study, result, robot);
}

void print(const LogOptions& options, const study::LogResult& result) {
  print_table(result.relative);
  print_meaning(result);
  std::printf("%zu drive%s of %.1f m in %.0f s on average", options.logs.size(), options.logs.size() == 1 ? "" : "s",
              result.path_length_m, result.duration_s);
  if (result.breaks > 0) std::printf(", with %zu break%s", result.breaks, result.breaks == 1 ? "" : "s");
  if (result.plans > 0)
    std::printf(", with %zu plan%s that the robot told", result.plans, result.plans == 1 ? "" : "s");
  std::printf("\n");
}

int run_log(const LogOptions& options) {
  const auto world = atlas::load_named_world(options.world);
  if (!world) return cli::complain(world.error());
  const auto robot = atlas::load_named_robot(options.fit.empty() ? options.robot : options.fit);
  if (!robot) return cli::complain(robot.error());
  const auto logs = study::load_logs(options.logs, options.no_plan ? study::Plans::left_out : study::Plans::taken);
  if (!logs) return cli::complain(logs.error());
  const ScoreDestinations& to = options.destinations;
  if (auto kept = cli::keep_inputs(options.logs, {to.json, to.csv, to.report}); !kept)
    return cli::complain(kept.error());
  auto files = ScoreFiles::open(options.destinations);
  if (!files) return cli::complain(files.error());
  cli::catch_interrupts();
  cli::Progress progress("recorded drives");
  const study::LogInputs inputs{*world, *robot, *logs};
  const auto result = study::run_log_study(inputs, options.study, [&](double share) {
    progress.update(share);
    return !cli::interrupted();
  });
  if (cli::interrupted()) return cli::kInterrupted;
  if (!result) return cli::complain(result.error());
  ScoreTexts texts = to_texts(options, *result);
  if (!options.destinations.report.empty()) {
    auto page = make_page(options, inputs, *result);
    if (cli::interrupted()) return cli::kInterrupted;
    if (!page) return cli::complain(page.error());
    texts.report = std::move(*page);
  }
  if (const auto written = files->write(texts); !written) return cli::complain(written.error());
  if (!options.destinations.use_standard_output()) print(options, *result);
  return cli::kDone;
}

}  // namespace

Study add_log_study(CLI::App& app) {
  const auto options = std::make_shared<LogOptions>();
  CLI::App* log = app.add_subcommand(
      "log",
      "How well would Forerun have predicted your robot? Messages are cut out of recorded drives, and each that "
      "arrives is scored at every gap up to 18 s. Scored is the motion since the message; positions are given beside "
      "it.");
  log->add_option("LOG", options->logs, "drive logs (CSV, may be packed with gzip)")->required();
  log->add_option("--world", options->world, "where it drove: a file, or a bare name such as bonn-office")->required();
  log->add_option("--robot", options->robot, "what drove: a file, or a bare name such as turtle")->required();
  log->add_option("--fit", options->fit, "the robot as `forerun fit` wrote it, used instead of --robot");
  log->add_flag("--no-plan", options->no_plan, "leave out the robot's plans, NAME.plan.csv(.gz) beside NAME.csv(.gz)");
  add_interval_options(*log, options->study);
  add_score_options(*log, options->destinations);
  log->footer(
      "Examples:\n"
      "  forerun sim --scenario office-delivery --log drive.csv\n"
      "  forerun study log drive.csv --world bonn-office --robot rhino --runs 2 --report drive.html");
  return {log, [options] { return run_log(*options); }};
}

}  // namespace forerun::lab
