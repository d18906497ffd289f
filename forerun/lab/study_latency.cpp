// `forerun study latency`: control latency predicted away (LAT-4).
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "forerun/cli/arguments.hpp"
#include "forerun/cli/output.hpp"
#include "forerun/cli/terminal.hpp"
#include "forerun/io/robot_file.hpp"
#include "forerun/lab/study_command.hpp"
#include "forerun/latency/latency_study.hpp"

namespace forerun::lab {
namespace {

struct LatencyOptions {
  latency::LatencyParams study;
  std::string robot = "ssl", json, report;
};

void print(const nlohmann::ordered_json& json) {
  std::printf("four frames ahead     position   heading\n");
  for (const char* name : {"velocity", "linear", "network", "best"}) {
    std::printf("%-20s %6.2f cm  %5.3f rad\n", name, json[name]["position_cm"].get<double>(),
                json[name]["heading_rad"].get<double>());
  }
  const auto centimetres = [&](const char* name) { return 100 * json[name].get<double>(); };
  std::printf("                       without      with prediction\n");
  std::printf("off the loop         %6.2f cm %6.2f cm\n", centimetres("loop_error_without_m"),
              centimetres("loop_error_with_m"));
  std::printf("beyond a target      %6.2f cm %6.2f cm\n", centimetres("target_overshoot_without_m"),
              centimetres("target_overshoot_with_m"));
  std::printf("off the loop, dead time 50 %% longer %.2f cm, shorter %.2f cm\n",
              centimetres("loop_error_dead_time_longer_m"), centimetres("loop_error_dead_time_shorter_m"));
}

int run_latency(const LatencyOptions& options) {
  if (auto apart = cli::keep_apart({{"--json", options.json}, {"--report", options.report}}); !apart) {
    return cli::complain(apart.error());
  }
  const auto path = io::find_file(io::FileKind::robot, options.robot);
  if (!path) return cli::complain(path.error());
  const auto robot = io::load_robot(*path);
  if (!robot) return cli::complain(robot.error());
  auto json = cli::open_pending(options.json);
  if (!json) return cli::complain(json.error());
  auto report = cli::open_pending(options.report);
  if (!report) return cli::complain(report.error());
  cli::catch_interrupts();
  cli::Progress progress("driving and learning");
  const auto result = latency::run_latency_study(*robot, options.study, [&](double done) {
    progress.update(done);
    return !cli::interrupted();
  });
  if (cli::interrupted()) return cli::kInterrupted;
  if (!result) return cli::complain(result.error());
  if (!options.report.empty()) {
    const auto done = cli::write_text(options.report, std::move(*report), latency::latency_study_page(*result));
    if (!done) return cli::complain(done.error());
  }
  const auto figures = latency::to_json(*result);
  if (!options.json.empty()) {
    if (auto done = cli::write_json(options.json, std::move(*json), figures); !done) return cli::complain(done.error());
  }
  if (options.json != "-" && options.report != "-") print(figures);
  return cli::kDone;
}

}  // namespace

Study add_latency_study(CLI::App& app) {
  const auto options = std::make_shared<LatencyOptions>();
  CLI::App* study = app.add_subcommand(
      "latency",
      "Control latency predicted away: a small omnidirectional robot with a dead time, under a camera, is learned from "
      "play, predicted four frames ahead, and driven round the free-kick points and to targets with and without "
      "prediction.");
  study->add_option("--robot", options->robot, "one that drives sideways: a file, or a bare name (ssl)");
  cli::add_param_options(*study, options->study, {"seed", "drives", "drive_s", "laps", "targets", "speed_mps"});
  cli::add_param_options(*study, options->study.rig,
                         {"dead_time_s", "lag_s", "slip", "rate_hz", "noise_m", "noise_rad", "dropped"});
  study->add_option("--json", options->json, "write the figures as JSON (- for standard output)");
  study->add_option("--report", options->report, "write a page with pictures (- for standard output)");
  study->footer("Example:\n  forerun study latency --seed 1 --json - --report latency.html");
  return {study, [options] { return run_latency(*options); }};
}

}  // namespace forerun::lab
