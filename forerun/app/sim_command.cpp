// `forerun sim`: a whole scenario in virtual time, as fast as it goes or paced for watching.
#include <CLI/CLI.hpp>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "forerun/app/commands.hpp"
#include "forerun/app/record_option.hpp"
#include "forerun/atlas/setting.hpp"
#include "forerun/base/hex.hpp"
#include "forerun/cli/arguments.hpp"
#include "forerun/cli/output.hpp"
#include "forerun/cli/simulated_options.hpp"
#include "forerun/cli/terminal.hpp"
#include "forerun/draw/sim_picture.hpp"
#include "forerun/io/drive_recorder.hpp"
#include "forerun/io/file.hpp"
#include "forerun/io/text.hpp"
#include "forerun/navigate/control_systems.hpp"
#include "forerun/physics/crawler_body.hpp"
#include "forerun/record/sim_recording.hpp"
#include "forerun/serve/served_robot.hpp"
#include "forerun/sim/loop.hpp"

namespace forerun::app {
namespace {

using Clock = std::chrono::steady_clock;

struct SimOptions {
  std::string scenario;
  std::string reality = "noisy";
  std::uint64_t seed = 1;
  bool localize = false;
  double pace = 0;  // simulated seconds per second; 0: as fast as it goes
  std::string json, svg, log, scan_log, record;
};

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::string progress_text(const sim::Loop& loop, const sim::Model& model) {
  char text[160];
  const std::size_t n_goals = model.tasks.size();
  const std::size_t goal = std::min(loop.executive().current() + 1, n_goals);
  std::snprintf(text, sizeof text, "%6.1f s   goal %zu of %zu   %-8s   %6.2f m   %.2f m/s", to_seconds(loop.time()),
                goal, n_goals, robot::to_string(loop.executive().state()), loop.plant().path_length(),
                loop.truth().velocity.vx);
  return text;
}

// How far off the robot believed to be.
struct PoseErrors {
  double squares = 0, n = 0, max = 0;  // [m]

  void take(const sim::Loop& loop) {
    const double off = distance(loop.reported_pose().position(), loop.truth().pose.position());
    squares += off * off;
    n += 1;
    max = std::max(max, off);
  }
};

// All that write something down.
struct Recorders {
  io::SimRecorder& recorder;
  std::optional<record::SimRecording> recording;
  PoseErrors errors;

  void take(const sim::Loop& loop) {
    errors.take(loop);
    recorder.take(loop);
    if (recording) recording->take(loop);
  }
};

// Runs to the end; false when the user stopped it.
bool run(sim::Loop& loop, const sim::Model& model, const SimOptions& options, double time_limit, Recorders& recorder) {
  cli::catch_interrupts();
  cli::StatusLine line;
  const Clock::time_point start = Clock::now();
  recorder.take(loop);
  while (!loop.finished() && to_seconds(loop.time()) < time_limit) {
    if (cli::interrupted()) return false;
    loop.step();
    recorder.take(loop);
    const double ahead = options.pace > 0 ? to_seconds(loop.time()) / options.pace - seconds_since(start) : 0;
    if (ahead > 0.005) std::this_thread::sleep_for(std::chrono::duration<double>(ahead));
    if (line.due() && (options.pace > 0 || seconds_since(start) > 2)) line.show(progress_text(loop, model));
  }
  return true;
}

nlohmann::ordered_json result_of(const sim::Loop& loop, const sim::Model& model, double elapsed) {
  const sim::Statistics& statistics = loop.statistics();
  const double duration = to_seconds(loop.time());
  return {{"goals", model.tasks.size()},
          {"goals_reached", loop.executive().n_reached()},
          {"collisions", statistics.collisions},
          {"path_length_m", loop.plant().path_length()},
          {"duration_s", duration},
          {"mean_driving_speed_mps",
           statistics.driving_time > 0 ? statistics.driving_length / statistics.driving_time : 0.0},
          {"real_time_factor", duration / std::max(elapsed, 1e-9)},
          {"state_hash", to_hex(loop.state_hash())}};
}

void print_summary(const nlohmann::ordered_json& result, const SimOptions& options) {
  std::printf("%lld of %lld goals reached, %lld collisions, %.1f m in %.0f s, %.2f m/s while driving\n",
              result["goals_reached"].get<long long>(), result["goals"].get<long long>(),
              result["collisions"].get<long long>(), result["path_length_m"].get<double>(),
              result["duration_s"].get<double>(), result["mean_driving_speed_mps"].get<double>());
  std::printf("reality %s, seed %llu, %.0f times real time, state %s\n", options.reality.c_str(),
              static_cast<unsigned long long>(options.seed), result["real_time_factor"].get<double>(),
              result["state_hash"].get<std::string>().c_str());
  if (options.localize) {
    std::printf("off by %.3f m rms, %.3f m at most\n", result["localization_rmse_m"].get<double>(),
                result["localization_max_m"].get<double>());
  }
  if (!options.svg.empty()) std::printf("picture: %s\n", options.svg.c_str());
  if (!options.log.empty()) std::printf("drive log: %s\n", options.log.c_str());
  if (!options.scan_log.empty()) std::printf("scan log: %s\n", options.scan_log.c_str());
  if (!options.record.empty()) std::printf("recording: %s\n", options.record.c_str());
}

// The files asked for, opened before the work begins: what cannot be written shows at once, and none but the recording
// appears under its name before the drive is over.
struct Outputs {
  io::SimRecorder recorder;
  std::optional<io::PendingFile> svg, json;
  std::unique_ptr<record::Recording> recording;
};

Result<Outputs> open_outputs(const SimOptions& options, const robot::Description& robot) {
  auto recorder = io::SimRecorder::open(options.log, options.scan_log, robot);
  if (!recorder) return recorder.error();
  auto svg = cli::open_pending(options.svg);
  if (!svg) return svg.error();
  auto json = cli::open_pending(options.json);
  if (!json) return json.error();
  auto recording = record::Recording::open(options.record);
  if (!recording) return recording.error();
  return Outputs{std::move(*recorder), std::move(*svg), std::move(*json), std::move(*recording)};
}

Result<void> write_outputs(Outputs& outputs, const draw::SimPicture& picture, const SimOptions& options,
                           const nlohmann::ordered_json& result) {
  if (auto closed = outputs.recorder.close(); !closed) return closed;
  const std::string svg = options.svg.empty() ? "" : draw::draw(picture);
  if (auto done = cli::write_text(options.svg, std::move(outputs.svg), svg); !done) return done;
  return cli::write_json(options.json, std::move(outputs.json), result);
}

// The drive itself; gives the exit code.
int drive(const SimOptions& options, const sim::Setting& inputs, const sim::Model& model, Outputs& outputs) {
  const Clock::time_point start = Clock::now();
  const auto control = navigate::make_own_control_system(model.planning, model.robot);
  const auto body = physics::make_body(model);
  if (!body) return cli::complain(body.error());
  const auto localizer =
      serve::make_localizer(serve::pose_source_of(options.localize), inputs, model.start, options.seed);
  if (!localizer) return cli::complain(localizer.error());
  sim::Loop loop(model, *control, {.body = body->get(), .localizer = localizer->get()});
  Recorders recorders{outputs.recorder, {}, {}};
  if (outputs.recording) recorders.recording.emplace(*outputs.recording, inputs);
  if (!run(loop, model, options, inputs.scenario.time_limit, recorders)) return cli::kInterrupted;
  auto result = result_of(loop, model, seconds_since(start));
  if (options.localize) {
    result["localization_rmse_m"] = std::sqrt(recorders.errors.squares / recorders.errors.n);
    result["localization_max_m"] = recorders.errors.max;
  }

  const draw::SimPicture picture{inputs.world, model, inputs.scenario, outputs.recorder.trail(), loop};
  if (auto written = write_outputs(outputs, picture, options, result); !written) return cli::complain(written.error());
  if (options.json != "-") print_summary(result, options);
  if (loop.executive().n_reached() == model.tasks.size()) return cli::kDone;
  return cli::complain({options.scenario + ": goal " + std::to_string(loop.executive().current() + 1) +
                            " was not reached within " + std::to_string(static_cast<int>(inputs.scenario.time_limit)) +
                            " s",
                        ErrorKind::impossible});
}

int run_scenario(const SimOptions& options) {
  auto inputs = atlas::load_setting(options.scenario, options.reality);
  if (!inputs) return cli::complain(inputs.error());
  const auto model = sim::make_model(*inputs, options.seed);
  if (!model) return cli::complain({options.scenario + ": " + model.error().message, model.error().kind});
  auto outputs = open_outputs(options, model->robot);
  if (!outputs) return cli::complain(outputs.error());
  const int code = drive(options, *inputs, *model, *outputs);
  return finish_recording(outputs->recording.get(), code);
}

// What CLI11 cannot check.
Result<void> check(const SimOptions& options, const CLI::App& app) {
  for (const auto& [flag, path] : {std::pair{"--svg", options.svg},
                                   {"--log", options.log},
                                   {"--scan-log", options.scan_log},
                                   {"--record", options.record}}) {
    if (app.count(flag) > 0 && (path.empty() || path == "-")) {
      return Error{std::string(flag) + " is " + io::quote(path) + ", but must be the name of a file"};
    }
  }
  return cli::keep_apart({{"--json", options.json},
                          {"--svg", options.svg},
                          {"--log", options.log},
                          {"--scan-log", options.scan_log},
                          {"--record", options.record}});
}

}  // namespace

int run_sim(cli::Arguments arguments) {
  SimOptions options;
  CLI::App app("Drives the simulated robot through a scenario in virtual time.", "sim");
  app.add_option("--scenario", options.scenario, "scenario: a file, or a bare name such as office-delivery")
      ->required();
  app.add_option("--reality", options.reality, "how far the robot departs from its copy: " + atlas::reality_names())
      ->capture_default_str();
  app.add_option("--seed", options.seed, "number that all chance is drawn from")->capture_default_str();
  cli::add_localize_option(app, options.localize);
  app.add_option("--pace", options.pace, "simulated seconds per second; 0: as fast as it goes")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1e6));
  app.add_option("--json", options.json, "write the result as JSON to this file; -: standard output");
  app.add_option("--svg", options.svg, "draw the drive into this file");
  app.add_option("--log", options.log, "write a drive log (CSV) into this file");
  app.add_option("--scan-log", options.scan_log, "write what the first laser sees into this file (scan log)");
  add_record_option(app, options.record);
  app.footer(
      "Examples:\n"
      "  forerun sim --scenario office-delivery --svg delivery.svg\n"
      "  forerun sim --scenario office-delivery --reality crowded --seed 7 --json -");
  if (const auto code = cli::parse_or_exit(app, arguments)) return *code;
  if (const auto checked = check(options, app); !checked) return cli::complain(checked.error());
  return run_scenario(options);
}

}  // namespace forerun::app
