#include "forerun/robot/wheel_pair.hpp"

namespace forerun::robot {
namespace {

constexpr Duration kRepeatInterval = from_seconds(5);  // wheels change slowly

}  // namespace

std::optional<DifferentialGeometry> wheel_pair(const Drive& drive) noexcept {
  if (!(drive.ticks_per_turn > 0)) return std::nullopt;
  if (const auto* pair = std::get_if<DifferentialGeometry>(&drive.geometry)) return *pair;
  const auto* tracked = std::get_if<TrackedGeometry>(&drive.geometry);
  if (tracked == nullptr) return std::nullopt;
  DifferentialGeometry wheels = tracked->tracks;
  wheels.base *= tracked->slip;
  return wheels;
}

Drive with_wheel_pair(const Drive& drive, const DifferentialGeometry& wheels) noexcept {
  Geometry geometry = drive.geometry;
  if (auto* pair = std::get_if<DifferentialGeometry>(&geometry)) *pair = wheels;
  if (auto* tracked = std::get_if<TrackedGeometry>(&geometry)) {
    tracked->tracks = wheels;
    tracked->tracks.base /= tracked->slip;
  }
  Drive result = make_drive(geometry);
  result.ticks_per_turn = drive.ticks_per_turn;
  return result;
}

void FindingRepeats::apply(Report& report) noexcept {
  if (!report.wheels && !report.response) return;
  // a clock that went back says nothing of how long ago it was
  const bool lately = carried_at_ && report.time >= *carried_at_ && report.time - *carried_at_ < kRepeatInterval;
  if (lately) {
    report.wheels.reset();
    report.response.reset();
  } else {
    carried_at_ = report.time;
  }
}

}  // namespace forerun::robot
