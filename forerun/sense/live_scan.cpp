#include "forerun/sense/live_scan.hpp"

#include <algorithm>
#include <cmath>

namespace forerun::sense {
namespace {

using robot::LiveScan;

constexpr double kMostUnits = LiveScan::kNothing - 1;
constexpr double kLargestUnit = 255;  // [cm]

using Nearest = std::array<double, LiveScan::kSectors>;

std::size_t sector_of(Vec2 place) noexcept {
  const double bearing = angle_of(place);
  const double share = (bearing < 0 ? bearing + kTwoPi : bearing) / kTwoPi;
  return std::min(static_cast<std::size_t>(share * LiveScan::kSectors), LiveScan::kSectors - 1);
}

void add_echoes(const robot::Laser& laser, const Pose2& robot_from_laser, const std::vector<float>& ranges,
                Nearest& nearest) noexcept {
  const double step = laser.beams > 1 ? laser.field_of_view / (laser.beams - 1) : 0;
  const double first = laser.beams > 1 ? -0.5 * laser.field_of_view : 0;
  const Transform2 transform(robot_from_laser);
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const double range = ranges[i];
    if (!(range >= laser.min_range && range < laser.max_range)) continue;
    const Vec2 place = transform * (unit_vector(first + static_cast<double>(i) * step) * range);
    double& known = nearest[sector_of(place)];
    known = std::min(known, length(place));
  }
}

// In the smallest unit in which the farthest one can be said.
LiveScan in_units(const Nearest& nearest) noexcept {
  double farthest = 0;
  for (const double range : nearest) {
    if (range < kInfinity) farthest = std::max(farthest, range);
  }
  const double unit_cm = clamp(std::ceil(100 * farthest / kMostUnits), 1.0, kLargestUnit);
  LiveScan scan{.unit_cm = static_cast<std::uint8_t>(unit_cm), .ranges = {}};
  for (std::size_t i = 0; i < nearest.size(); ++i) {
    const double units = std::floor(100 * nearest[i] / unit_cm + 0.5);
    scan.ranges[i] = units <= kMostUnits ? static_cast<std::uint8_t>(units) : LiveScan::kNothing;
  }
  return scan;
}

}  // namespace

std::optional<LiveScan> live_scan(const robot::Description& robot, const Readings& readings,
                                  const Pose2& odometry) noexcept {
  Nearest nearest;
  nearest.fill(kInfinity);
  bool has_laser = false;
  for (std::size_t i = 0; i < robot.sensors.size(); ++i) {
    const auto* laser = std::get_if<robot::Laser>(&robot.sensors[i]);
    if (laser == nullptr) continue;
    has_laser = true;
    const Reading& reading = readings.sensors[i];
    add_echoes(*laser, inverse(odometry) * reading.odometry * laser->mount, reading.values, nearest);
  }
  return has_laser ? std::optional(in_units(nearest)) : std::nullopt;
}

}  // namespace forerun::sense
