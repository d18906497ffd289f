#include "forerun/lab/localize_inputs.hpp"

#include <algorithm>
#include <array>

#include "forerun/atlas/world_file.hpp"
#include "forerun/io/text.hpp"
#include "forerun/lab/localize_run.hpp"
#include "forerun/localize/fit.hpp"
#include "forerun/localize/scan_map.hpp"
#include "forerun/localize/world_map.hpp"
#include "forerun/mapping/log_sweeps.hpp"

namespace forerun::lab {
namespace {

constexpr double kCell = 0.05;          // of maps [m]
constexpr double kMountWay = 15;        // of the log is looked at to judge the laser's mount [m]
constexpr double kClearlyBetter = 0.1;  // share of the echoes by which another mount must fit better
constexpr std::array<LaserMount, 4> kMounts{{{false, false}, {true, false}, {false, true}, {true, true}}};

bool is_world(const std::string& path) {
  return path.ends_with(".yaml") || path.ends_with(".yml") || path.ends_with(".glb");
}

Pose2 pose_of(const io::LoggedScan& scan, Poses poses) { return poses == Poses::best ? scan.best() : scan.odometry; }

std::vector<localize::PosedScan> posed_scans(const io::ScanLog& log, Poses poses, std::size_t end, int every) {
  std::vector<localize::PosedScan> posed;
  for (std::size_t i = 0; i < end; i += static_cast<std::size_t>(every)) {
    posed.push_back({pose_of(log.scans[i], poses), range_scan(log, log.scans[i])});
  }
  return posed;
}

Result<localize::OccupancyMap> map_of_log(const io::ScanLog& log, const std::string& file, int every) {
  const auto posed = posed_scans(log, Poses::best, log.scans.size(), every);
  const localize::ScanMapParams params{.cell_size = kCell};
  const GridFrame frame = localize::frame_of(posed, params);
  if (static_cast<double>(frame.width) * frame.height > localize::kMaxMapCells) {
    return Error{file + ": its poses make a map of " + std::to_string(frame.width) + " × " +
                 std::to_string(frame.height) + " cells, but it must have at most " +
                 std::to_string(static_cast<long>(localize::kMaxMapCells))};
  }
  return localize::draw_map(posed, params);
}

Result<void> check_map(const localize::OccupancyMap& map, const std::string& file) {
  const auto has = [&](localize::Occupancy kind) {
    return std::find(map.data(), map.data() + map.size(), kind) != map.data() + map.size();
  };
  if (!has(localize::Occupancy::free))
    return Error{file + ": the map has no free space, but a robot must stand somewhere"};
  if (!has(localize::Occupancy::occupied))
    return Error{file + ": the map has no wall, but there must be something to see"};
  return {};
}

// Readings nearer than the robot itself say nothing.
Result<void> check_echoes(const io::ScanLog& log, const std::string& file) {
  for (const io::LoggedScan& scan : log.scans) {
    localize::Echoes echoes;
    localize::add_echoes(range_scan(log, scan), localize::kMaxEchoes, echoes);
    if (!echoes.empty()) return {};
  }
  return Error{file + ": no beam of any scan met anything more than " + io::show(kNearestRange) + " m away"};
}

// How much of every other scan is explained by a map of those between.
double self_fit(const io::ScanLog& log, Poses poses, std::size_t end) {
  const localize::ScanMapParams params{.cell_size = 0.1};
  const localize::OccupancyMap map = localize::draw_map(posed_scans(log, poses, end, 2), params);
  const localize::LikelihoodField field(map);
  const localize::EchoTable table({0.15, 0.2});
  double sum = 0, n = 0;
  for (std::size_t i = 1; i < end; i += 2, n += 1) {
    localize::Echoes echoes;
    localize::add_echoes(range_scan(log, log.scans[i]), localize::kMaxEchoes, echoes);
    sum += localize::explained_share(field, table, echoes, pose_of(log.scans[i], poses));
  }
  return n > 0 ? sum / n : 0;
}

}  // namespace

const char* to_string(const LaserMount& mount) noexcept {
  constexpr const char* kNames[] = {"upright", "backwards", "upside-down", "upside-down-backwards"};
  return kNames[(mount.backwards ? 1 : 0) + (mount.upside_down ? 2 : 0)];
}

io::ScanLog with_mount(io::ScanLog log, const LaserMount& mount) {
  if (mount.upside_down) {
    // its beams come the other way round
    const auto n_steps = static_cast<double>(log.scans.front().ranges.size() - 1);
    log.first_angle = -(log.first_angle + n_steps * log.step);
    for (io::LoggedScan& scan : log.scans) std::reverse(scan.ranges.begin(), scan.ranges.end());
  }
  if (mount.backwards) log.first_angle += kPi;
  return log;
}

std::optional<LaserMount> find_mount(const io::ScanLog& log, Poses poses) {
  std::size_t end = 1;
  for (double way = 0; end < log.scans.size(); ++end) {
    way += distance(pose_of(log.scans[end], poses).position(), pose_of(log.scans[end - 1], poses).position());
    // a leap would make a map of any size
    if (way >= kMountWay) break;
  }
  std::array<double, kMounts.size()> fits{};
  for (std::size_t i = 0; i < kMounts.size(); ++i) fits[i] = self_fit(with_mount(log, kMounts[i]), poses, end);
  const auto best = static_cast<std::size_t>(std::max_element(fits.begin(), fits.end()) - fits.begin());
  if (fits[best] < fits[0] + kClearlyBetter) return std::nullopt;
  return kMounts[best];
}

Result<LocalizeInputs> load_localize_inputs(const LocalizeFiles& files) {
  Result<io::ScanLog> log = io::load_scan_log(files.log);
  if (!log) return log.error();
  if (auto checked = check_echoes(*log, files.log); !checked) return checked.error();
  if (auto checked = mapping::check_leaps(*log, files.log); !checked) return checked.error();
  LocalizeInputs inputs;
  if (!files.truth.empty()) {
    const Result<io::ScanLog> truth = io::load_scan_log(files.truth);
    if (!truth) return truth.error();
    if (auto added = io::add_corrected(*log, *truth, files.truth); !added) return added.error();
  }
  if (is_world(files.map)) {
    const auto world = atlas::load_world(files.map);
    if (!world) return world.error();
    inputs.map = localize::map_of_world(*world, files.laser_height, kCell);
  } else {
    Result<io::ScanLog> mapped = io::load_scan_log(files.map);
    if (!mapped) return mapped.error();
    // not an error: the map may be of another day
    if (!log->has_corrected()) static_cast<void>(io::add_corrected(*log, *mapped, files.map).ok());
    *mapped = with_mount(std::move(*mapped), files.mount);
    auto map = map_of_log(*mapped, files.map, files.every);
    if (!map) return map.error();
    inputs.map = std::move(*map);
    inputs.map_of_scans = true;
    inputs.likely_map_mount = find_mount(*mapped, Poses::best);
  }
  if (auto checked = check_map(inputs.map, files.map); !checked) return checked.error();
  inputs.log = with_mount(std::move(*log), files.mount);
  inputs.likely_mount = find_mount(inputs.log, Poses::odometry);
  return inputs;
}

}  // namespace forerun::lab
