// `forerun train` and `forerun evaluate`: learned models of a robot's response to its commands (LAT-5).
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
#include "forerun/io/text.hpp"
#include "forerun/lab/commands.hpp"
#include "forerun/latency/response_report.hpp"
#include "forerun/learn/train_response.hpp"
#include "forerun/mission/mission.hpp"

namespace forerun::lab {
namespace {

struct TrainOptions {
  std::vector<std::string> logs;
  std::string robot, output, json;
  learn::TrainParams params;
};

nlohmann::ordered_json to_json(const respond::AxisResponse& axis) {
  return {{"delay_s", axis.delay}, {"lag_s", axis.lag}, {"gain", axis.gain}};
}

nlohmann::ordered_json to_json(const learn::LearnedModel& model) {
  return {{"robot", model.robot},
          {"samples", model.n_samples},
          {"duration_s", model.duration_s},
          {"period_s", model.best.period},
          {"frames", model.frames},
          {"forward", to_json(model.best.response.forward)},
          {"turn", to_json(model.best.response.turn)}};
}

void print(const learn::LearnedModel& model, const TrainOptions& options) {
  const auto& r = model.best.response;
  std::printf("%zu samples of %.0f s, %.3g frames a second\n", model.n_samples, model.duration_s,
              1 / model.best.period);
  std::printf("of the response model, forward: delay %.0f ms, lag %.0f ms, gain %.3f\n", 1000 * r.forward.delay,
              1000 * r.forward.lag, r.forward.gain);
  std::printf("of the response model, turning: delay %.0f ms, lag %.0f ms, gain %.3f\n", 1000 * r.turn.delay,
              1000 * r.turn.lag, r.turn.gain);
  std::printf("(numbers that predict best together; what is dead time, `forerun latency` measures)\n");
  std::printf("written to %s\n", options.output.c_str());
}

Result<void> check_horizons(const std::vector<double>& horizons) {
  if (horizons.size() > respond::kMostHorizons) {
    return Error{"--horizons names " + std::to_string(horizons.size()) + " horizons, but at most " +
                 std::to_string(respond::kMostHorizons) + " are allowed"};
  }
  double before = 0;
  for (const double horizon : horizons) {
    if (!(horizon > before) || !(horizon >= 0.01 && horizon <= 5)) {
      return Error{"--horizons must rise, from at least 0.01 to at most 5 s"};
    }
    before = horizon;
  }
  return {};
}

Result<void> name_robot(const std::string& name, learn::LearnedModel& model) {
  if (name.empty()) return {};
  const auto path = io::find_file(io::FileKind::robot, name);
  if (!path) return path.error();
  const auto robot = io::load_robot(*path);
  if (!robot) return robot.error();
  if (model.best.sideways && !robot->drive.can_strafe()) {
    return Error{"the recordings have commands to drive sideways, but the robot " + io::quote(robot->name) + " cannot"};
  }
  model.robot = robot->name;
  model.fingerprint = mission::fingerprint_of(*robot);
  return {};
}

int train(const TrainOptions& options) {
  if (options.output.empty()) return cli::complain(Error{"--output must name a file"});
  if (auto checked = check_horizons(options.params.horizons_s); !checked) return cli::complain(checked.error());
  if (auto kept = cli::keep_inputs(options.logs, {options.output, options.json}); !kept)
    return cli::complain(kept.error());
  if (auto apart = cli::keep_apart({{"--output", options.output}, {"--json", options.json}}); !apart) {
    return cli::complain(apart.error());
  }
  learn::LearnedModel unused;
  if (auto known = name_robot(options.robot, unused); !known) return cli::complain(known.error());
  const auto drives = learn::load_commanded_drives(options.logs);
  if (!drives) return cli::complain(drives.error());
  cli::catch_interrupts();
  auto file = cli::open_pending(options.output);
  if (!file) return cli::complain(file.error());
  auto json = cli::open_pending(options.json);
  if (!json) return cli::complain(json.error());
  cli::Progress progress("training on " + std::to_string(drives->size()) + " drives");
  auto model = learn::train_response(*drives, options.params, [&](const char*, double done) {
    progress.update(done);
    return !cli::interrupted();
  });
  if (cli::interrupted()) return cli::kInterrupted;
  if (!model) return cli::complain(model.error());
  if (auto named = name_robot(options.robot, *model); !named) return cli::complain(named.error());
  if (auto done = cli::write_text(options.output, std::move(*file), learn::write_model(*model)); !done) {
    return cli::complain(done.error());
  }
  if (!options.json.empty()) {
    const auto done = cli::write_json(options.json, std::move(*json), to_json(*model));
    return done ? cli::kDone : cli::complain(done.error());
  }
  if (options.output != "-") print(*model, options);
  return cli::kDone;
}

struct EvaluateOptions {
  std::string model, robot, json, html;
  std::vector<std::string> logs;
};

Result<void> check_robot(const EvaluateOptions& options, const learn::LearnedModel& model) {
  if (options.robot.empty()) return {};
  learn::LearnedModel wanted;
  if (auto named = name_robot(options.robot, wanted); !named) return named;
  if (model.fingerprint == wanted.fingerprint) return {};
  if (model.robot.empty()) return Error{options.model + ": the model names no robot: train it with --robot"};
  return Error{options.model + ": the model is for the robot " + io::quote(model.robot) + ", but not for " +
               io::quote(wanted.robot) + " as it is described"};
}

void print(const std::vector<learn::HorizonErrors>& errors) {
  std::printf("%-18s", "rms error");
  for (const char* name : learn::kMethodNames) std::printf("%10s", name);
  std::printf("\n");
  for (const learn::HorizonErrors& one : errors) {
    std::printf("%5.2f s ahead [mm] ", one.horizon);
    for (const auto& method : one.methods) std::printf("%10.2f", 1000 * method.place_rms());
    std::printf("\n%18s", "[mrad] ");
    for (const auto& method : one.methods) std::printf("%10.2f", 1000 * method.heading_rms());
    std::printf("\n");
  }
}

int evaluate(const EvaluateOptions& options) {
  std::vector<std::string> inputs = options.logs;
  inputs.push_back(options.model);
  if (auto kept = cli::keep_inputs(inputs, {options.json, options.html}); !kept) return cli::complain(kept.error());
  if (auto apart = cli::keep_apart({{"--json", options.json}, {"--html", options.html}}); !apart) {
    return cli::complain(apart.error());
  }
  const auto model = learn::load_model(options.model);
  if (!model) return cli::complain(model.error());
  if (auto fits = check_robot(options, *model); !fits) return cli::complain(fits.error());
  const auto drives = learn::load_commanded_drives(options.logs);
  if (!drives) return cli::complain(drives.error());
  cli::catch_interrupts();
  auto json = cli::open_pending(options.json);
  if (!json) return cli::complain(json.error());
  auto html = cli::open_pending(options.html);
  if (!html) return cli::complain(html.error());
  const auto errors = learn::evaluate_response(*model, *drives);
  if (cli::interrupted()) return cli::kInterrupted;
  if (!errors) return cli::complain(errors.error());
  if (!options.html.empty()) {
    const auto page = latency::evaluation_page(*errors, *model);
    if (auto done = cli::write_text(options.html, std::move(*html), page); !done) return cli::complain(done.error());
  }
  if (options.json.empty()) {
    if (options.html != "-") print(*errors);
    return cli::kDone;
  }
  const auto done = cli::write_json(options.json, std::move(*json), latency::to_json(*errors));
  return done ? cli::kDone : cli::complain(done.error());
}

}  // namespace

int run_train(cli::Arguments arguments) {
  TrainOptions options;
  CLI::App app(
      "Learns from recorded drives with commands and poses how a robot answers its commands: delay, lag and gain, "
      "the papers' linear model and network, and a model of our own. `forerun evaluate` says how good they are.",
      "train");
  app.add_option("logs", options.logs, "recorded drives (drive logs, may be packed with gzip)")->required();
  app.add_option("-o,--output", options.output, "write the model to this file; -: standard output")->required();
  app.add_option("--robot", options.robot, "whose drives these are: a file, or a bare name; the model is for it alone");
  app.add_option("--horizons", options.params.horizons_s, "how far ahead it shall predict, at most six times [s]")
      ->delimiter(',')
      ->capture_default_str();
  cli::add_param_option(app, "--rate-hz", options.params, "rate_hz");
  cli::add_param_option(app, "--frames", options.params, "frames");
  cli::add_param_option(app, "--penalty", options.params, "penalty");
  cli::add_param_option(app, "--hidden", options.params.network, "hidden");
  cli::add_param_option(app, "--epochs", options.params.network, "epochs");
  cli::add_param_option(app, "--seed", options.params.network, "seed");
  app.add_option("--json", options.json, "write what was found as JSON to this file; -: standard output");
  app.footer(
      "Examples:\n"
      "  forerun latency --drive --robot ssl --log drive.csv\n"
      "  forerun train drive.csv -o model.json\n"
      "  forerun train drive.csv -o model.json --robot ssl --horizons 0.1333,0.5 --hidden 20");
  if (const auto code = cli::parse_or_exit(app, arguments)) return *code;
  return train(options);
}

int run_evaluate(cli::Arguments arguments) {
  EvaluateOptions options;
  CLI::App app(
      "How far off a learned model is on recorded drives, beside simpler ways of predicting. Every one of them knows "
      "the poses up to a moment, and the commands up to the moment predicted.",
      "evaluate");
  app.add_option("model", options.model, "as written by forerun train")->required();
  app.add_option("logs", options.logs, "recorded drives that it did not learn from")->required();
  app.add_option("--robot", options.robot, "whose drives these are: a model for another robot is refused");
  app.add_option("--json", options.json, "write the errors as JSON to this file; -: standard output");
  app.add_option("--html", options.html, "write a page with the papers' histograms");
  app.footer(
      "hold: it stays. velocity: as in the last two frames. commands: they come about after the best delay. response:\n"
      "after delay and lag, times a gain. linear, network: the papers' models. best: ours.\n"
      "Examples:\n"
      "  forerun latency --drive --robot ssl --log drive.csv --seed 1\n"
      "  forerun latency --drive --robot ssl --log other.csv --seed 2\n"
      "  forerun train drive.csv -o model.json\n"
      "  forerun evaluate model.json other.csv --json - --html errors.html");
  if (const auto code = cli::parse_or_exit(app, arguments)) return *code;
  return evaluate(options);
}

}  // namespace forerun::lab
