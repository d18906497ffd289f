// `forerun study office`: how well the robot's position is predicted, against going on straight (PSS-14).
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "forerun/atlas/setting.hpp"
#include "forerun/cli/terminal.hpp"
#include "forerun/lab/study_command.hpp"
#include "forerun/lab/study_scores.hpp"
#include "forerun/study/office_study.hpp"
#include "forerun/study/score_texts.hpp"
#include "forerun/study/study_pages.hpp"

namespace forerun::lab {
namespace {

struct OfficeOptions {
  std::string scenario = "office-delivery";
  std::string reality = "noisy";
  atlas::InputOverrides overrides;
  ScoreDestinations destinations;
  study::OfficeParams study;
};

int write_result(const OfficeOptions& options, const sim::Setting& inputs, const study::OfficeResult& result,
                 ScoreFiles& files) {
  const study::ScoreView view{result.absolute, result.relative, "relative"};
  ScoreTexts texts{to_json(view), to_csv(view), ""};
  texts.json["max_shown_step_m"] = result.max_shown_step_m;
  texts.json["path_length_m"] = result.path_length_m;
  texts.json["duration_s"] = result.duration_s;
  if (!options.destinations.report.empty()) {
    auto page = study::office_page(inputs, options.study, result);
    if (cli::interrupted()) return cli::kInterrupted;
    if (!page) return cli::complain(page.error());
    texts.report = std::move(*page);
  }
  if (const auto written = files.write(texts); !written) return cli::complain(written.error());
  if (options.destinations.use_standard_output()) return cli::kDone;
  print_table(result.absolute);
  std::printf("mean of the runs: %.1f m in %.0f s\n", result.path_length_m, result.duration_s);
  return cli::kDone;
}

int run_office(const OfficeOptions& options) {
  const auto inputs = atlas::load_setting(options.scenario, options.reality, options.overrides);
  if (!inputs) return cli::complain(inputs.error());
  auto files = ScoreFiles::open(options.destinations);
  if (!files) return cli::complain(files.error());
  cli::catch_interrupts();
  cli::Progress progress("office, " + options.reality);
  const sim::Setting studied{inputs->world, inputs->robot, inputs->scenario, inputs->reality};
  const auto result = study::run_office_study(studied, options.study, [&](double share) {
    progress.update(share);
    return !cli::interrupted();
  });
  if (cli::interrupted()) return cli::kInterrupted;
  if (!result) return cli::complain({options.scenario + ": " + result.error().message, result.error().kind});
  return write_result(options, studied, *result, *files);
}

}  // namespace

Study add_office_study(CLI::App& app) {
  const auto options = std::make_shared<OfficeOptions>();
  CLI::App* office = app.add_subcommand(
      "office",
      "A robot drives, its reports are cut out, and each is scored at every gap up to 18 s: extrapolated at "
      "its velocities, and predicted by the replica.");
  office->add_option("--scenario", options->scenario, "what it drives")->capture_default_str();
  office->add_option("--world", options->overrides.world,
                     "another world than the scenario's, whose schedule then counts for the doors that are there");
  office->add_option("--robot", options->overrides.robot, "another robot than the scenario's");
  office->add_option("--reality", options->reality, "how far it departs from its copy: " + atlas::reality_names())
      ->capture_default_str();
  auto* localize = office->add_flag("--localize", options->study.localize,
                                    "it drives by its own localization instead of by the truth with the level's error");
  office->add_flag_callback(
      "--no-changes", [options] { options->study.changes = false; },
      "its reports do not tell where the world is not as its model says, nor does its plan follow");
  office
      ->add_flag("--mission", options->study.mission,
                 "the robot drives the scenario as a mission that both sides know; gaps go up to a minute")
      ->excludes(localize);
  add_interval_options(*office, options->study);
  add_score_options(*office, options->destinations);
  office->footer("Example:\n  forerun study office --reality noisy --runs 2 --json - --report office.html");
  return {office, [options] { return run_office(*options); }};
}

}  // namespace forerun::lab
