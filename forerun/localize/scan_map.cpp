#include "forerun/localize/scan_map.hpp"

#include <algorithm>
#include <cmath>

#include "forerun/localize/grid_walk.hpp"

namespace forerun::localize {
namespace {

// How many beams passed a cell, and how many ended in it.
struct Tally {
  std::uint32_t passed = 0;
  std::uint32_t ended = 0;
};

// Calls `visit(place of the laser, place of the echo)`.
template <class Visit>
void for_each_beam(const PosedScan& posed, double longest, Visit&& visit) {
  const RangeScan& scan = posed.scan;
  const Transform2 map_from_sensor(posed.map_from_robot * scan.robot_from_sensor);
  for (std::size_t i = 0; i < scan.ranges.size(); ++i) {
    const auto range = static_cast<double>(scan.ranges[i]);
    if (!(range > scan.least_range && range < scan.max_range && range <= longest)) continue;
    const double angle = scan.first_angle + static_cast<double>(i) * scan.step;
    visit(map_from_sensor.translation, map_from_sensor * (unit_vector(angle) * range));
  }
}

Occupancy verdict(const Tally& tally, double occupied_share) noexcept {
  const double all = tally.passed + tally.ended;
  if (all == 0) return Occupancy::unknown;
  return tally.ended >= occupied_share * all ? Occupancy::occupied : Occupancy::free;
}

}  // namespace

GridFrame frame_of(std::span<const PosedScan> scans, const ScanMapParams& params) noexcept {
  Vec2 low{kInfinity, kInfinity}, high{-kInfinity, -kInfinity};
  const auto take = [&](Vec2 p) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  };
  for (const PosedScan& posed : scans) {
    take(posed.map_from_robot.position());
    for_each_beam(posed, params.longest_beam, [&](Vec2 laser, Vec2 echo) {
      take(laser);
      take(echo);
    });
  }
  GridFrame frame;
  frame.cell_size = params.cell_size;
  frame.origin = {(std::floor(low.x / params.cell_size) - 1) * params.cell_size,
                  (std::floor(low.y / params.cell_size) - 1) * params.cell_size};
  frame.width = static_cast<int>(clamp((high.x - frame.origin.x) / params.cell_size + 2, 1.0, 1e9));
  frame.height = static_cast<int>(clamp((high.y - frame.origin.y) / params.cell_size + 2, 1.0, 1e9));
  return frame;
}

OccupancyMap draw_map(std::span<const PosedScan> scans, const ScanMapParams& params) {
  const GridFrame frame = frame_of(scans, params);
  FORERUN_CHECK(static_cast<double>(frame.width) * frame.height <= kMaxMapCells);
  Grid<Tally> tallies(frame);
  for (const PosedScan& posed : scans) {
    for_each_beam(posed, params.longest_beam, [&](Vec2 laser, Vec2 echo) {
      walk(frame, laser, echo, [&](Cell cell) {
        ++tallies[cell].passed;
        return true;
      });
      ++tallies[frame.cell_of(echo)].ended;
    });
  }
  OccupancyMap map(frame);
  for (std::size_t i = 0; i < map.size(); ++i) map[i] = verdict(tallies[i], params.occupied_share);
  return map;
}

}  // namespace forerun::localize
