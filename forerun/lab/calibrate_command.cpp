// `forerun calibrate`: wheel diameters and base from recorded drives (DEC-2).
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
#include "forerun/lab/scanned_drive.hpp"
#include "forerun/learn/calibration_check.hpp"
#include "forerun/robot/wheel_pair.hpp"
#include "forerun/study/wheel_report.hpp"

namespace forerun::lab {
namespace {

struct CalibrateOptions {
  std::vector<std::string> logs, scans, tests;
  std::string robot, output, json, report, mount = std::string(mapping::kLaserMounts[0]);
  std::vector<double> nominal;
  double ticks_per_turn = 0;
};

// The robot's file as it is, where there is one.
struct RobotText {
  std::string path, text;
  robot::Description robot;
};

Result<std::optional<RobotText>> read_robot(const CalibrateOptions& options) {
  if (options.robot.empty()) return std::optional<RobotText>{};
  const auto path = io::find_file(io::FileKind::robot, options.robot);
  if (!path) return path.error();
  auto text = io::read_file(*path, io::kLargestText);
  if (!text) return text.error();
  auto robot = io::parse_robot(*text, *path);
  if (!robot) return robot.error();
  return std::optional<RobotText>{{*path, std::move(*text), std::move(*robot)}};
}

// As the robot's file or the options have it.
Result<learn::CalibrationRobot> believed_wheels(const CalibrateOptions& options, const std::optional<RobotText>& file) {
  if (file) return learn::wheels_of(file->robot.drive, file->path);
  if (options.nominal.size() != 3) return Error{"either --robot or --ticks-per-turn and --nominal must be given"};
  const learn::CalibrationRobot robot{{options.nominal[0], options.nominal[1], options.nominal[2]},
                                      options.ticks_per_turn};
  if (auto checked = learn::check_nominal(robot, "--nominal"); !checked) return checked.error();
  return robot;
}

Result<std::string> calibrated_text(const learn::WheelResult& result, const std::optional<RobotText>& file) {
  constexpr const char* kAbout = "Wheels calibrated from recorded drives by forerun calibrate.";
  const io::Ros2Control names = io::to_ros2_control(result.robot.nominal, result.reported);
  if (!file) return io::write_drive(result.reported, result.robot.ticks_per_turn, names, kAbout);
  robot::Description robot = file->robot;
  robot.drive = robot::with_wheel_pair(robot.drive, result.reported);
  return io::rewrite_robot(file->text, file->path, robot, kAbout, names);
}

void print(const learn::WheelResult& r, const CalibrateOptions& options) {
  const auto& b = r.calibration.belief;
  const auto& n = r.robot.nominal;
  const auto line = [](const char* name, double nominal, double value, double sigma, bool seen) {
    std::printf("%-15s %10.6f m -> ", name, nominal);
    if (seen) std::printf("%10.6f m +- %.6f\n", value, sigma);
    if (!seen) std::printf("not shown by these drives\n");
  };
  line("left diameter", n.left_diameter, b.geometry.left_diameter, b.sigma.left_diameter, b.observable[0]);
  line("right diameter", n.right_diameter, b.geometry.right_diameter, b.sigma.right_diameter, b.observable[1]);
  line("base", n.base, b.geometry.base, b.sigma.base, b.observable[2]);
  std::printf("external sensor at %.4f, %.4f m, turned by %.4f rad, %.3f s late\n", b.mount.x, b.mount.y, b.mount.theta,
              r.calibration.delay);
  std::printf("%d external %s, %d of them outliers\n", r.calibration.n_samples,
              options.scans.empty() ? "poses" : "displacements by scans", r.calibration.n_rejected);
  std::printf("dead reckoning on %zu %s: %.4f m rms before, %.4f m after; at the end %.4f m before, %.4f m after\n",
              r.tests.size(), options.tests.empty() ? "of the same drives" : "other drives", r.before.rms, r.after.rms,
              r.before.final_error, r.after.final_error);
}

void warn(const learn::WheelResult& result) {
  if (result.n_breaks > 0) {
    std::fprintf(stderr,
                 "forerun: the logs have %d gap%s or reset%s of the encoders; what was between counts for nothing\n",
                 result.n_breaks, result.n_breaks == 1 ? "" : "s", result.n_breaks == 1 ? "" : "s");
  }
}

// Files that are opened before the work begins, so that what cannot be written shows at once.
struct Outputs {
  std::optional<io::PendingFile> robot, json, report;
};

Result<Outputs> open_outputs(const CalibrateOptions& options) {
  std::vector<std::string> inputs = options.logs;
  inputs.insert(inputs.end(), options.scans.begin(), options.scans.end());
  inputs.insert(inputs.end(), options.tests.begin(), options.tests.end());
  const std::vector<std::string> named{options.output, options.json, options.report};
  if (auto kept = cli::keep_inputs(inputs, named); !kept) return kept.error();
  if (auto apart =
          cli::keep_apart({{"--output", options.output}, {"--json", options.json}, {"--report", options.report}});
      !apart) {
    return apart.error();
  }
  Outputs outputs;
  std::optional<io::PendingFile>* files[] = {&outputs.robot, &outputs.json, &outputs.report};
  for (std::size_t i = 0; i < named.size(); ++i) {
    auto file = cli::open_pending(named[i]);
    if (!file) return file.error();
    *files[i] = std::move(*file);
  }
  return outputs;
}

int write(const learn::WheelResult& result, const CalibrateOptions& options, const std::string& robot, Outputs& files) {
  warn(result);
  if (auto done = cli::write_text(options.output, std::move(files.robot), robot); !done)
    return cli::complain(done.error());
  if (!options.report.empty()) {
    auto done = cli::write_text(options.report, std::move(files.report), study::wheel_page(result));
    if (!done) return cli::complain(done.error());
  }
  if (options.json.empty()) {
    if (options.output != "-" && options.report != "-") print(result, options);
    return cli::kDone;
  }
  const auto done = cli::write_json(options.json, std::move(files.json), study::to_json(result));
  return done ? cli::kDone : cli::complain(done.error());
}

// Against the columns of the logs, or against their scans.
Result<std::vector<learn::CalibrationDrive>> load_logs(const CalibrateOptions& options,
                                                       const learn::CalibrationRobot& robot) {
  if (options.scans.empty()) return learn::load_drives(options.logs, robot);
  if (options.scans.size() != options.logs.size()) {
    return Error{"--scans names " + std::to_string(options.scans.size()) +
                 " scan logs, but there must be one for each of the " + std::to_string(options.logs.size()) +
                 " drive logs, in their order"};
  }
  std::vector<learn::CalibrationDrive> drives;
  for (std::size_t i = 0; i < options.logs.size(); ++i) {
    const ScannedDrive files{options.logs[i], options.scans[i], mapping::laser_mount_named(options.mount)};
    cli::Progress progress("matching the scans of " + files.scans);
    auto found = load_scanned_drive(files, robot, [&](double share) { progress.update(share); });
    if (!found) return found.error();
    if (found->n_unsure > 0) {
      std::fprintf(stderr, "forerun: %d steps of %s from scan to scan are not sure, and are left out\n",
                   found->n_unsure, files.scans.c_str());
    }
    if (found->delay != 0) {
      std::fprintf(stderr, "forerun: the scans of %s are stamped %.3f s later than the ticks of %s\n",
                   files.scans.c_str(), found->delay, files.log.c_str());
    }
    drives.push_back(std::move(found->drive));
  }
  return drives;
}

Result<learn::WheelInputs> load_inputs(const CalibrateOptions& options, const learn::CalibrationRobot& robot) {
  auto drives = load_logs(options, robot);
  if (!drives) return drives.error();
  auto tests = learn::load_drives(options.tests, robot);
  if (!tests) return tests.error();
  return learn::WheelInputs{std::move(*drives), std::move(*tests), robot};
}

int calibrate(const CalibrateOptions& options) {
  const auto file = read_robot(options);
  if (!file) return cli::complain(file.error());
  const auto robot = believed_wheels(options, *file);
  if (!robot) return cli::complain(robot.error());
  auto outputs = open_outputs(options);
  if (!outputs) return cli::complain(outputs.error());
  const auto inputs = load_inputs(options, *robot);
  if (!inputs) return cli::complain(inputs.error());
  cli::Progress progress("calibrating from " + std::to_string(options.logs.size()) + " drives");
  const auto result = learn::calibrate_wheels(*inputs, [&](double share) { progress.update(share); });
  if (!result) return cli::complain(result.error());
  const auto text = calibrated_text(*result, *file);
  if (!text) return cli::complain(text.error());
  return write(*result, options, *text, *outputs);
}

}  // namespace

int run_calibrate(cli::Arguments arguments) {
  CalibrateOptions options;
  CLI::App app(
      "Finds the wheel diameters and the base of a robot with a left and a right wheel from recorded drives with ticks "
      "and external poses (x_m, y_m, theta_rad), displacements (dx_m, dy_m, dtheta_rad) or laser scans, says how sure "
      "they are, and how much nearer dead reckoning then is.",
      "calibrate");
  app.add_option("logs", options.logs, "recorded drives of one robot (drive logs, may be packed with gzip)")
      ->required();
  auto* robot = app.add_option("--robot", options.robot, "the robot as it is believed to be: a file, or a bare name");
  auto* ticks =
      app.add_option("--ticks-per-turn", options.ticks_per_turn, "without --robot: ticks of a turn of a wheel");
  auto* nominal =
      app.add_option("--nominal", options.nominal,
                     "without --robot: left diameter, right diameter and base as they are believed to be [m]");
  nominal->delimiter(',')->expected(3)->needs(ticks)->excludes(robot);
  ticks->needs(nominal)->excludes(robot);
  auto* scans = app.add_option("--scans", options.scans,
                               "what a laser saw on each of the drives, by the same clock (scan logs): what lies "
                               "between scans is found by matching them, and external poses are not needed");
  app.add_option("--mount", options.mount, "how that laser is mounted")
      ->check(CLI::IsMember(mapping::laser_mount_names()))
      ->capture_default_str()
      ->needs(scans);
  app.add_option("--test", options.tests, "other drives to test dead reckoning on; none: the same");
  app.add_option("-o,--output", options.output,
                 "write the robot with its calibrated wheels, also by the names of ros2_control");
  app.add_option("--json", options.json, "write the result as JSON to this file; -: standard output");
  app.add_option("--report", options.report,
                 "write a page with the ways before and after, and how the wheels got known");
  app.footer(
      "Examples:\n"
      "  forerun calibrate square.csv --ticks-per-turn 2796.8 --nominal 0.084,0.084,0.2 --test free.csv\n"
      "  forerun calibrate square.csv --robot turtle -o calibrated.yaml --json -\n"
      "  forerun calibrate drive.csv --scans drive.log --robot turtle");
  if (const auto code = cli::parse_or_exit(app, arguments)) return *code;
  return calibrate(options);
}

}  // namespace forerun::lab
