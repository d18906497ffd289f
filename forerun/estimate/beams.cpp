#include "forerun/estimate/beams.hpp"

#include <algorithm>
#include <cmath>

namespace forerun::estimate {
namespace {

constexpr std::size_t kEchoesOfLaser = localize::kMaxEchoes / 2;

double step_of(const robot::Laser& laser) noexcept {
  return laser.beams > 1 ? laser.field_of_view / (laser.beams - 1) : 0;
}
double first_of(const robot::Laser& laser) noexcept { return laser.beams > 1 ? -0.5 * laser.field_of_view : 0; }

}  // namespace

std::optional<std::size_t> Fan::towards(Vec2 place) const noexcept {
  double off = normalize_angle(angle_of(place - from) - first_angle);
  if (off < -0.5 * step) off += kTwoPi;
  const double number = step > 0 ? std::floor(off / step + 0.5) : 0;
  if (!(number >= 0 && number < static_cast<double>(beams.size()))) return std::nullopt;
  return static_cast<std::size_t>(number);
}

Eyes::Eyes(const world::World& world, const robot::Description& robot) {
  for (std::size_t i = 0; i < robot.sensors.size(); ++i) {
    const auto* laser = std::get_if<robot::Laser>(&robot.sensors[i]);
    if (laser == nullptr || laser->beams < 2) continue;
    const auto n = static_cast<std::size_t>(laser->beams);
    eyes_.push_back(
        Eye{i, *laser, world::Slice(world, laser->height), nullptr, std::vector<Beam>(n), std::vector<double>(n)});
  }
  fans_.reserve(eyes_.size());
}

bool Eyes::take(const sense::Readings& readings) noexcept {
  RobotTime newest = newest_;
  for (const Eye& eye : eyes_) newest = std::max(newest, readings.sensors[eye.number].time);
  if (newest == newest_) return false;
  newest_ = newest;
  for (Eye& eye : eyes_) {
    const sense::Reading& reading = readings.sensors[eye.number];
    eye.reading = reading.time == newest && reading.values.size() == eye.beams.size() ? &reading : nullptr;
  }
  return true;
}

void Eyes::collect(localize::Echoes& echoes) const noexcept {
  echoes.clear();
  for (const Eye& eye : eyes_) {
    if (eye.reading == nullptr) continue;
    const robot::Laser& laser = eye.laser;
    localize::add_echoes(
        {laser.mount, first_of(laser), step_of(laser), laser.min_range, laser.max_range, eye.reading->values},
        kEchoesOfLaser, echoes);
  }
}

std::span<const Fan> Eyes::look_from(const Pose2& pose) noexcept {
  fans_.clear();
  for (Eye& eye : eyes_) {
    if (eye.reading == nullptr) continue;
    const robot::Laser& laser = eye.laser;
    const Pose2 world_from_laser = pose * laser.mount;
    const Fan fan{world_from_laser.position(), world_from_laser.theta + first_of(laser), step_of(laser), laser.height,
                  eye.beams};
    eye.slice.cast_fan(
        {.origin = fan.from, .first_angle = fan.first_angle, .angle_step = fan.step, .max_distance = laser.max_range},
        eye.walls);
    for (std::size_t b = 0; b < eye.beams.size(); ++b) {
      const auto range = static_cast<double>(eye.reading->values[b]);
      const bool echo = range >= laser.min_range && range < laser.max_range;
      // too near to measure, or no number: it says nothing
      const bool valid = echo || range >= laser.max_range;
      eye.beams[b] = {unit_vector(fan.first_angle + static_cast<double>(b) * fan.step), echo ? range : laser.max_range,
                      std::min(eye.walls[b], laser.max_range), echo, valid};
    }
    fans_.push_back(fan);
  }
  return fans_;
}

}  // namespace forerun::estimate
