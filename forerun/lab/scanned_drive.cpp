#include "forerun/lab/scanned_drive.hpp"

#include <algorithm>
#include <vector>

#include "forerun/io/drive_log.hpp"
#include "forerun/io/scan_log.hpp"
#include "forerun/io/text.hpp"
#include "forerun/learn/calibration_check.hpp"
#include "forerun/learn/timed_moves.hpp"
#include "forerun/mapping/scan_steps.hpp"

namespace forerun::lab {
namespace {

constexpr double kSpacing =
    2;  // of the moves that are compared with the wheels: stamps and poses err for less long [s]

std::vector<double> rising_times(const io::ScanLog& log) {
  std::vector<double> times;
  for (const io::LoggedScan& scan : log.scans) {
    if (times.empty() || scan.time > times.back()) times.push_back(scan.time);
  }
  return times;
}

// The scans that were taken within a stretch, with the wheels' odometry.
io::ScanLog pick_scans(const io::ScanLog& log, const learn::CalibrationStretch& stretch,
                       const robot::DifferentialGeometry& wheels) {
  io::ScanLog picked{log.first_angle, log.step, log.max_range, log.robot_from_laser, {}, {}, 0};
  Pose2 robot;
  auto next = log.scans.begin();
  for (std::size_t i = 0; i < stretch.size(); ++i) {
    if (i > 0) robot = estimate::move_along(robot, estimate::arc_of(wheels, stretch[i].turns));
    while (next != log.scans.end() && next->time < stretch[i].time) ++next;
    if (next == log.scans.end() || next->time != stretch[i].time) continue;
    picked.scans.push_back(*next);
    picked.scans.back().odometry = robot;
  }
  return picked;
}

struct Matched {
  std::vector<learn::TimedMove> moves;
  int n_unsure = 0;
};

Error no_overlap(const ScannedDrive& files, const io::ScanLog& log, const learn::CalibrationDrive& drive) {
  return Error{files.scans + ": its scans go from " + io::show(log.scans.front().time) + " to " +
               io::show(log.scans.back().time) + " s, but the ticks of " + files.log + " from " +
               io::show(drive.stretches.front().front().time) + " to " + io::show(drive.stretches.back().back().time) +
               " s; both must have stamps of one clock"};
}

// From scan to scan, wherever there are ticks.
Result<Matched> match_scans(const ScannedDrive& files, const io::ScanLog& log, const learn::CalibrationDrive& drive,
                            const robot::DifferentialGeometry& wheels, const std::function<void(double)>& on_progress) {
  Matched matched;
  bool overlaps = false;
  const auto n = static_cast<double>(drive.stretches.size());
  for (std::size_t i = 0; i < drive.stretches.size(); ++i) {
    const io::ScanLog picked = pick_scans(log, drive.stretches[i], wheels);
    if (picked.scans.size() < 2) continue;
    overlaps = true;
    const auto found = mapping::match_steps(picked, files.scans, files.mount, {},
                                            [&](double share) { on_progress((static_cast<double>(i) + share) / n); });
    if (!found) return found.error();
    for (const mapping::ScanStep& step : found->steps) {
      matched.moves.push_back({picked.scans[step.from].time, picked.scans[step.to].time, step.moved});
    }
    matched.n_unsure += found->n_unsure;
  }
  if (!overlaps) return no_overlap(files, log, drive);
  if (!matched.moves.empty()) return matched;
  return Error{files.scans + ": no two scans fit each other without a doubt, so there is nothing to calibrate against",
               ErrorKind::impossible};
}

}  // namespace

Result<ScanFindings> load_scanned_drive(const ScannedDrive& files, const learn::CalibrationRobot& robot,
                                        const std::function<void(double)>& on_progress) {
  const auto drive_log = io::load_drive_log(files.log);
  if (!drive_log) return drive_log.error();
  const auto scans = io::load_scan_log(files.scans);
  if (!scans) return scans.error();
  const auto wheels = learn::make_wheel_drive(*drive_log, files.log, robot, rising_times(*scans));
  if (!wheels) return wheels.error();
  const auto matched = match_scans(files, *scans, *wheels, robot.nominal, on_progress);
  if (!matched) return matched.error();
  const double delay = learn::find_delay(*wheels, robot.nominal, matched->moves);
  const auto moves = learn::join_moves(matched->moves, kSpacing);
  auto drive = learn::make_moved_drive(*drive_log, files.log, robot, moves, delay);
  if (!drive) return drive.error();
  drive->by_scans = true;
  if (auto checked = learn::check_drive(*drive, robot); !checked) return checked.error();
  return ScanFindings{std::move(*drive), matched->n_unsure, delay};
}

}  // namespace forerun::lab
