// `forerun fit`: limits, weights and lag of a robot's control system from recorded drives (BEY-5).
#include <CLI/CLI.hpp>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "forerun/cli/arguments.hpp"
#include "forerun/cli/output.hpp"
#include "forerun/cli/terminal.hpp"
#include "forerun/io/file.hpp"
#include "forerun/io/robot_file.hpp"
#include "forerun/io/robot_writer.hpp"
#include "forerun/lab/commands.hpp"
#include "forerun/learn/fit.hpp"
#include "forerun/study/robot_fit.hpp"

namespace forerun::lab {
namespace {

struct FitOptions {
  study::FitInputs inputs;
  std::string robot, output, json;
};

nlohmann::ordered_json to_json(const study::FitResult& result, const FitOptions& options) {
  nlohmann::ordered_json parameters;
  for (std::size_t i = 0; i < learn::fitted_names().size(); ++i) {
    parameters[learn::fitted_names()[i]] = learn::fitted_value(result.fit.robot, i);
  }
  return {{"drives", options.inputs.logs.size()},
          {"test_drives", options.inputs.tests.size()},
          {"error_6s_before_m", result.before},
          {"error_6s_after_m", result.after},
          {"parameters", parameters}};
}

void print(const study::FitResult& result, const FitOptions& options, const robot::Description& before) {
  for (std::size_t i = 0; i < learn::fitted_names().size(); ++i) {
    std::printf("%-26s %8.4g -> %8.4g\n", learn::fitted_names()[i], learn::fitted_value(before, i),
                learn::fitted_value(result.fit.robot, i));
  }
  const std::string where = options.inputs.tests.empty()
                                ? "the last third of each drive, which was not fitted to"
                                : std::to_string(options.inputs.tests.size()) + " other drives";
  std::printf("error after 6 s on %s: %.3f m before, %.3f m with the fitted robot\n", where.c_str(), result.before,
              result.after);
  std::printf("robot: %s\n", options.output.c_str());
}

std::optional<study::FitResult> run(const predict::ReplicaModel& model, const robot::Description& robot,
                                    const study::FitMaterial& material) {
  cli::Progress progress("fitting to " + std::to_string(material.training.size()) + " reports");
  return study::run_fit(model, robot, material, [&](double share) {
    progress.update(share);
    return !cli::interrupted();
  });
}

// No file is read and written, and no two results go to the same.
Result<void> check_outputs(const FitOptions& options) {
  std::vector<std::string> inputs = options.inputs.logs;
  inputs.insert(inputs.end(), options.inputs.tests.begin(), options.inputs.tests.end());
  if (auto kept = cli::keep_inputs(inputs, {options.output, options.json}); !kept) return kept.error();
  if (options.output != options.json) return {};
  return Error{options.output + " is named for the robot and for the JSON, but holds only one of them"};
}

void warn_if_worse(const study::FitResult& result) {
  if (result.after > result.before) {
    std::fprintf(stderr,
                 "forerun: the fitted robot is predicted worse than the given one on the drives that it was tested on; "
                 "fit it to longer drives, with turns and stops\n");
  }
}

int fit(const FitOptions& options) {
  // everything that may be wrong is found before the work begins
  const auto path = io::find_file(io::FileKind::robot, options.robot);
  if (!path) return cli::complain(path.error());
  const auto text = io::read_file(*path, io::kLargestText);
  if (!text) return cli::complain(text.error());
  const auto robot = io::parse_robot(*text, *path);
  if (!robot) return cli::complain(robot.error());
  if (auto apart = check_outputs(options); !apart) return cli::complain(apart.error());
  auto output = io::PendingFile::open(options.output);
  if (!output) return cli::complain(output.error());
  auto json = cli::open_pending(options.json);
  if (!json) return cli::complain(json.error());
  const auto material = study::make_fit_material(options.inputs, *robot);
  if (!material) return cli::complain(material.error());
  const auto model = study::make_fit_model(options.inputs, *robot, *material);
  if (!model) return cli::complain(model.error());

  cli::catch_interrupts();
  const auto result = run(*model, *robot, *material);
  if (!result) return cli::kInterrupted;
  const auto fitted =
      io::rewrite_robot(*text, *path, result->fit.robot, "Limits and weights fitted to recorded drives.");
  if (!fitted) return cli::complain(fitted.error());
  warn_if_worse(*result);
  output->write(*fitted);
  if (auto written = output->commit(); !written) return cli::complain(written.error());
  if (options.json.empty()) {
    print(*result, options, *robot);
    return cli::kDone;
  }
  const auto written = cli::write_json(options.json, std::move(*json), to_json(*result, options));
  return written ? cli::kDone : cli::complain(written.error());
}

}  // namespace

int run_fit(cli::Arguments arguments) {
  FitOptions options;
  CLI::App app(
      "Makes the copy of a robot drive like the robot: estimates top speeds, accelerations, weights and motor lag from "
      "recorded drives of it, and says how much better it is then predicted on drives that it did not see.",
      "fit");
  app.add_option("logs", options.inputs.logs, "recorded drives of one robot (drive logs, may be packed with gzip)")
      ->required();
  app.add_option("--robot", options.robot, "the robot as it is believed to be: a file, or a bare name")->required();
  app.add_option(
      "--world", options.inputs.world,
      std::string("where it was driven: a file, or a bare name; ") + study::kUsualFitWorld + " if it lies in that");
  app.add_option("-o,--output", options.output, "robot file to write, with all that was not fitted as it was")
      ->required();
  app.add_option("--test", options.inputs.tests,
                 "other drives to test on; none: the last third of each drive is kept for that");
  app.add_option("--seed", options.inputs.seed, "of the moments at which reports are cut from the drives")
      ->capture_default_str();
  app.add_option("--json", options.json, "write the result as JSON to this file; -: standard output");
  app.footer(
      "Examples:\n"
      "  forerun sim --scenario office-delivery --reality mismatched --seed 1 --log drive.csv\n"
      "  forerun fit drive.csv --robot rhino -o fitted.yaml");
  if (const auto code = cli::parse_or_exit(app, arguments)) return *code;
  return fit(options);
}

}  // namespace forerun::lab
