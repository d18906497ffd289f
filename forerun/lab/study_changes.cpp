// `forerun study changes`: how well a robot finds where its world has changed, and what telling that brings (PSS-15).
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <variant>

#include "forerun/atlas/setting.hpp"
#include "forerun/changing/changes_study.hpp"
#include "forerun/cli/arguments.hpp"
#include "forerun/cli/output.hpp"
#include "forerun/cli/terminal.hpp"
#include "forerun/lab/study_command.hpp"

namespace forerun::lab {
namespace {

struct ChangesOptions {
  std::string scenario = "office-delivery", reality = "mismatched";
  atlas::InputOverrides overrides;
  std::string json;
  changing::ChangesParams study;
};

void print(const changing::ChangesResult& result) {
  const auto figures = changing::to_json(result);
  for (const auto& [name, value] : figures.items()) {
    std::printf("%-32s %s\n", name.c_str(), value.dump().c_str());
  }
}

int run_changes(const ChangesOptions& options) {
  const auto inputs = atlas::load_setting(options.scenario, options.reality, options.overrides);
  if (!inputs) return cli::complain(inputs.error());
  const auto& sensors = inputs->robot.sensors;
  const auto is_laser = [](const robot::Sensor& sensor) { return std::holds_alternative<robot::Laser>(sensor); };
  if (std::none_of(sensors.begin(), sensors.end(), is_laser)) {
    return cli::complain(Error{inputs->robot.name + " has no laser: it finds nothing that has changed"});
  }
  auto output = cli::open_pending(options.json);
  if (!output) return cli::complain(output.error());
  cli::catch_interrupts();
  cli::Progress progress("changes, " + options.reality);
  const sim::Setting setting{inputs->world, inputs->robot, inputs->scenario, inputs->reality};
  const auto result = changing::run_changes_study(setting, options.study, [&](double share) {
    progress.update(share);
    return !cli::interrupted();
  });
  if (cli::interrupted()) return cli::kInterrupted;
  if (!result) return cli::complain({options.scenario + ": " + result.error().message, result.error().kind});
  if (options.json.empty()) {
    print(*result);
    return cli::kDone;
  }
  const auto written = cli::write_json(options.json, std::move(*output), changing::to_json(*result));
  return written ? cli::kDone : cli::complain(written.error());
}

}  // namespace

Study add_changes_study(CLI::App& app) {
  const auto options = std::make_shared<ChangesOptions>();
  CLI::App* study = app.add_subcommand(
      "changes",
      "Boxes are put down along a robot's route and taken away again, doors close and open: what it finds of that with "
      "its lasers, how soon, and what it finds where nothing has changed. Then it drives among people, with what it "
      "finds told in its reports and without, and each report is scored as in `study office`.");
  study->add_option("--scenario", options->scenario, "what it drives")->capture_default_str();
  study->add_option("--world", options->overrides.world, "another world than the scenario's");
  study->add_option("--robot", options->overrides.robot, "another robot than the scenario's");
  study
      ->add_option("--reality", options->reality,
                   "how far it departs from its copy, but for people: " + atlas::reality_names())
      ->capture_default_str();
  cli::add_param_option(*study, "--runs", options->study, "runs");
  cli::add_param_option(*study, "--crowded-runs", options->study, "crowded_runs");
  cli::add_param_option(*study, "--seed", options->study, "seed");
  study->add_option("--json", options->json, "write the figures as JSON (- for standard output)");
  study->footer("Example:\n  forerun study changes --runs 10 --json -");
  return {study, [options] { return run_changes(*options); }};
}

}  // namespace forerun::lab
