// `forerun study NAME`: experiments with figures that anybody can check.
#include "forerun/lab/study_command.hpp"

#include <CLI/CLI.hpp>

#include "forerun/cli/arguments.hpp"
#include "forerun/lab/commands.hpp"

namespace forerun::lab {

int run_study(cli::Arguments arguments) {
  CLI::App app("Run an experiment and print its figures.", "study");
  app.require_subcommand(1);
  app.footer(
      "Examples:\n"
      "  forerun study link --profile severe --seed 7 --json -\n"
      "  forerun study office --reality noisy --runs 2\n"
      "  forerun sim --scenario office-delivery --log drive.csv\n"
      "  forerun study log drive.csv --world bonn-office --robot rhino --runs 2\n"
      "  forerun study sending --reality mismatched --runs 2\n"
      "  forerun study calibration --runs 2\n"
      "  forerun study sensitivity\n"
      "  forerun study mission --seed 1 --report mission.html\n"
      "  forerun study execution --reality mismatched --json -\n"
      "  forerun study latency --report latency.html\n"
      "  forerun study changes --runs 10 --json -\n"
      "  forerun study driving --runs 1 --task docking --delay-s 1 --report driving.html\n"
      "  forerun study all --quick --report papers");
  const Study studies[] = {add_link_study(app),    add_office_study(app),      add_log_study(app),
                           add_sending_study(app), add_calibration_study(app), add_sensitivity_study(app),
                           add_mission_study(app), add_execution_study(app),   add_latency_study(app),
                           add_changes_study(app), add_driving_study(app),     add_kenaf_study(app),
                           add_all_studies(app)};
  if (const auto code = cli::parse_or_exit(app, arguments)) return *code;
  for (const Study& study : studies) {
    if (study.app->parsed()) return study.run();
  }
  return cli::kBadInput;
}

}  // namespace forerun::lab
