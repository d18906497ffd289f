#include "forerun/lab/localize_run.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "forerun/study/percentile.hpp"

namespace forerun::lab {
namespace {

using localize::MonteCarlo, localize::Status;

constexpr std::size_t kEchoes = 60;    // of a scan
constexpr double kStartSigma = 0.2;    // of a start that is known [m]
constexpr double kStartTurn = 0.1;     // [rad]
constexpr double kRightPlace = 0.5;    // it is where it says it is [m]
constexpr double kRightHeading = 0.3;  // [rad]
constexpr double kLostPlace = 1;       // so far off it is lost, whatever it says [m]
constexpr double kChi95 = 7.815;       // of three degrees of freedom

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double off_place(const LocalizedScan& s) { return distance(s.pose.position(), s.truth->position()); }
double off_heading(const LocalizedScan& s) { return normalize_angle(s.pose.theta - s.truth->theta); }

// The region goes with the pose of the newest scan that was used.
bool lies_within95(const localize::Belief& belief, const Pose2& believed, const Pose2& truth) {
  const Vector<3> off{
      {{{believed.x - truth.x}, {believed.y - truth.y}, {normalize_angle(believed.theta - truth.theta)}}}};
  const auto precision = inverse_symmetric(belief.covariance);
  return precision && (transposed(off) * *precision * off)(0, 0) <= kChi95;
}

bool is_lost(const LocalizedScan& s) { return s.status != Status::localized || (s.truth && off_place(s) > kLostPlace); }

}  // namespace

localize::RangeScan range_scan(const io::ScanLog& log, const io::LoggedScan& scan) {
  return {log.robot_from_laser, log.first_angle, log.step, kNearestRange, log.max_range, scan.ranges};
}

std::vector<LocalizedScan> localize_log(const LocalizeTask& task, const ShareDone& progress) {
  MonteCarlo localizer(task.map, task.params, task.seed);
  if (task.start) localizer.start_at(*task.start, kStartSigma, kStartTurn);
  std::vector<LocalizedScan> done;
  for (std::size_t i = task.from; i < task.log.scans.size(); ++i) {
    const io::LoggedScan& scan = task.log.scans[i];
    const auto begin = std::chrono::steady_clock::now();
    localize::Echoes echoes;
    localize::add_echoes(range_scan(task.log, scan), kEchoes, echoes);
    localizer.update(scan.odometry, echoes);
    LocalizedScan now;
    now.update_ms = seconds_since(begin) * 1e3;
    now.time = scan.time;
    now.pose = localizer.pose_at(scan.odometry);
    now.truth = scan.corrected;
    now.status = localizer.belief().status;
    now.n_particles = localizer.belief().n_particles;
    if (now.truth) now.within95 = lies_within95(localizer.belief(), now.pose, *now.truth);
    if (!done.empty()) {
      const io::LoggedScan& before = task.log.scans[i - 1];
      now.driven = done.back().driven + distance(before.best().position(), scan.best().position());
    }
    done.push_back(now);
    progress(static_cast<double>(i + 1 - task.from) / static_cast<double>(task.log.scans.size() - task.from));
    if (task.longest_way > 0 && (now.status == Status::localized || now.driven > task.longest_way)) break;
  }
  return done;
}

LocalizeScore score_localization(const std::vector<LocalizedScan>& scans) {
  LocalizeScore score;
  score.scans = scans.size();
  std::vector<double> update_ms, off;
  for (const LocalizedScan& s : scans) {
    update_ms.push_back(s.update_ms);
    score.particles_mean += static_cast<double>(s.n_particles) / static_cast<double>(scans.size());
  }
  score.update_ms_p99 = study::percentile(update_ms, 99);
  const auto first =
      std::find_if(scans.begin(), scans.end(), [](const auto& s) { return s.status == Status::localized; });
  if (first == scans.end()) return score;
  score.time_to_localize_s = first->time - scans.front().time;
  score.way_to_localize_m = first->driven;
  const auto n = static_cast<double>(scans.end() - first);
  double squares = 0, turn_squares = 0;
  score.lost_fraction = static_cast<double>(std::count_if(first, scans.end(), is_lost)) / n;
  score.scored = first->truth.has_value();
  if (!score.scored) return score;
  score.found_rightly = off_place(*first) <= kRightPlace && std::fabs(off_heading(*first)) <= kRightHeading;
  for (auto s = first; s != scans.end(); ++s) {
    off.push_back(off_place(*s));
    squares += square(off.back());
    turn_squares += square(off_heading(*s));
    score.within95 += s->within95 ? 1 / n : 0;
  }
  score.position_rmse_m = std::sqrt(squares / n);
  score.heading_rmse_rad = std::sqrt(turn_squares / n);
  score.p95_m = study::percentile(off, 95);
  score.max_m = *std::max_element(off.begin(), off.end());
  return score;
}

GlobalStarts try_starts(const LocalizeTask& task, int n_starts, const ShareDone& progress) {
  // the last ones still have the way that they may take before them
  const auto& scans = task.log.scans;
  std::size_t last = scans.size() - 1;
  for (double left = 0; last > 0 && left < kLongestWay; --last) {
    left += distance(scans[last].best().position(), scans[last - 1].best().position());
  }
  GlobalStarts all{.starts = n_starts};
  for (int i = 0; i < n_starts; ++i) {
    LocalizeTask start = task;
    start.start.reset();
    start.from = last * static_cast<std::size_t>(i) / static_cast<std::size_t>(std::max(1, n_starts - 1));
    start.seed = task.seed + static_cast<std::uint64_t>(i);
    start.longest_way = kLongestWay;
    const LocalizeScore score = score_localization(localize_log(start, [](double) {}));
    progress(static_cast<double>(i + 1) / n_starts);
    if (!score.way_to_localize_m || *score.way_to_localize_m > kLongestWay) continue;
    if (score.found_rightly && !*score.found_rightly) {
      ++all.wrong;
      continue;
    }
    ++all.localized;
    all.way_mean_m += *score.way_to_localize_m;
    all.way_max_m = std::max(all.way_max_m, *score.way_to_localize_m);
  }
  if (all.localized > 0) all.way_mean_m /= all.localized;
  return all;
}

}  // namespace forerun::lab
