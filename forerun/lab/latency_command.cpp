// `forerun latency`: dead time from recorded drives, or from one that the simulated robot makes for it (LAT-1).
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
#include "forerun/lab/commands.hpp"
#include "forerun/lab/latency_report.hpp"
#include "forerun/learn/latency_drive.hpp"

namespace forerun::lab {
namespace {

struct LatencyOptions {
  std::vector<std::string> logs;
  bool drive = false;
  std::string robot = "ssl", log, output, json, report;
  learn::LatencyDriveParams params;
};

// Files that are opened before the work begins, so that what cannot be written shows at once.
struct Outputs {
  std::optional<io::PendingFile> nav2, json, report;
};

Result<Outputs> open_outputs(const LatencyOptions& options) {
  const std::vector<std::string> named{options.output, options.json, options.report};
  if (auto kept = cli::keep_inputs(options.logs, named); !kept) return kept.error();
  if (auto apart = cli::keep_apart({{"--output", options.output},
                                    {"--json", options.json},
                                    {"--report", options.report},
                                    {"--log", options.log}});
      !apart) {
    return apart.error();
  }
  Outputs outputs;
  std::optional<io::PendingFile>* files[] = {&outputs.nav2, &outputs.json, &outputs.report};
  for (std::size_t i = 0; i < named.size(); ++i) {
    auto file = cli::open_pending(named[i]);
    if (!file) return file.error();
    *files[i] = std::move(*file);
  }
  return outputs;
}

Result<void> write_log(const std::string& path, const io::DriveLog& log) {
  auto writer = io::DriveLogWriter::open(path, log.columns);
  if (!writer) return writer.error();
  for (const io::DriveRow& row : log.rows) writer->add(row);
  return writer->close();
}

Result<std::vector<learn::CommandedDrive>> drive(const LatencyOptions& options) {
  const auto path = io::find_file(io::FileKind::robot, options.robot);
  if (!path) return path.error();
  const auto text = io::read_file(*path, io::kLargestText);
  if (!text) return text.error();
  const auto robot = io::parse_robot(*text, *path);
  if (!robot) return robot.error();
  const auto log = learn::drive_for_latency(*robot, options.params, *path);
  if (!log) return log.error();
  if (!options.log.empty()) {
    if (auto written = write_log(options.log, *log); !written) return written.error();
  }
  auto commanded = learn::make_commanded_drive(*log, "the drive");
  if (!commanded) return commanded.error();
  return std::vector<learn::CommandedDrive>{std::move(*commanded)};
}

nlohmann::ordered_json make_json(const learn::DeadTime& found, const LatencyOptions& options) {
  auto json = to_json(found);
  if (!options.drive) return json;
  json["true_delay_s"] = options.params.delay_ms / 1000;
  json["true_lag_s"] = options.params.lag_ms / 1000;
  return json;
}

int write(const learn::DeadTime& found, std::span<const learn::CommandedDrive> drives, const LatencyOptions& options,
          Outputs& files) {
  if (auto done = cli::write_text(options.output, std::move(files.nav2), to_nav2(found)); !done) {
    return cli::complain(done.error());
  }
  if (!options.report.empty()) {
    auto done = cli::write_text(options.report, std::move(files.report), latency_page(found, drives));
    if (!done) return cli::complain(done.error());
  }
  if (options.json.empty()) {
    if (options.output == "-" || options.report == "-") return cli::kDone;
    std::fputs(describe(found).c_str(), stdout);
    if (options.output.empty()) std::fputs(to_nav2(found).c_str(), stdout);
    return cli::kDone;
  }
  for (const learn::AxisDeadTime* axis : {&found.v, &found.w}) {
    if (axis->known) continue;
    std::fprintf(stderr, "forerun: the dead time of %s is not known: %s\n",
                 axis == &found.v ? "translation" : "rotation", axis->why.c_str());
  }
  const auto done = cli::write_json(options.json, std::move(files.json), make_json(found, options));
  return done ? cli::kDone : cli::complain(done.error());
}

int measure(const LatencyOptions& options) {
  if (options.logs.empty() && !options.drive) return cli::complain(Error{"either logs or --drive must be given"});
  cli::catch_interrupts();
  auto outputs = open_outputs(options);
  if (!outputs) return cli::complain(outputs.error());
  const auto drives = options.drive ? drive(options) : learn::load_commanded_drives(options.logs);
  if (!drives) return cli::complain(drives.error());
  if (cli::interrupted()) return cli::kInterrupted;
  const auto found = learn::estimate_dead_time(*drives);
  if (cli::interrupted()) return cli::kInterrupted;
  return write(found, *drives, options, *outputs);
}

void add_drive_options(CLI::App& app, LatencyOptions& options, CLI::Option* drive) {
  app.add_option("--robot", options.robot, "with --drive: a robot file, or a bare name")
      ->capture_default_str()
      ->needs(drive);
  for (const auto& [flag, key] : {std::pair{"--delay-ms", "delay_ms"},
                                  {"--lag-ms", "lag_ms"},
                                  {"--rate-hz", "rate_hz"},
                                  {"--noise,--noise-mm", "noise_mm"},
                                  {"--noise-deg", "noise_deg"},
                                  {"--dropped", "dropped"},
                                  {"--seconds", "seconds"},
                                  {"--seed", "seed"}}) {
    cli::add_param_option(app, flag, options.params, key)->needs(drive);
  }
  app.add_option("--log", options.log, "with --drive: write what was commanded and seen as a drive log")->needs(drive);
}

}  // namespace

int run_latency(cli::Arguments arguments) {
  LatencyOptions options;
  CLI::App app(
      "Measures how late a robot does what it is told: the pure delay and the first-order lag of translation and "
      "rotation, each with the interval that holds it with 95 %, from recorded drives with commands (v_cmd_mps or "
      "vx_cmd_mps, w_cmd_radps) and poses (x_m, y_m, theta_rad), or from a drive that the simulated robot makes for "
      "it. "
      "Prints Nav2's model_delay_vx and model_delay_wz.",
      "latency");
  auto* logs =
      app.add_option("logs", options.logs, "recorded drives of one robot (drive logs, may be packed with gzip)");
  auto* drive = app.add_flag("--drive", options.drive,
                             "let the simulated robot drive straight with sinusoidal speed, then turn on the spot");
  drive->excludes(logs);
  add_drive_options(app, options, drive);
  app.add_option("-o,--output", options.output, "write Nav2's names as YAML to this file; -: standard output");
  app.add_option("--json", options.json, "write the result as JSON to this file; -: standard output");
  app.add_option("--report", options.report, "write a page with the speeds commanded and seen");
  app.footer(
      "Examples:\n"
      "  forerun latency --drive --robot ssl --delay-ms 120 --noise 3 --log drive.csv\n"
      "  forerun latency drive.csv --json - --report latency.html\n"
      "  forerun latency monday.csv tuesday.csv -o delays.yaml");
  if (const auto code = cli::parse_or_exit(app, arguments)) return *code;
  return measure(options);
}

}  // namespace forerun::lab
