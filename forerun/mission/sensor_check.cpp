#include "forerun/mission/sensor_check.hpp"

#include <algorithm>
#include <cmath>

namespace forerun::mission {
namespace {

constexpr Duration kSureAfter = from_seconds(1);  // of nothing but odd readings
constexpr double kSilentPeriods = 4;              // a sensor that has said nothing for so many of its periods is silent
constexpr double kTolerance = 0.3;                // ranges differ by this much without meaning [m], …
constexpr double kToleranceShare = 0.05;          // … and by this share of them
constexpr double kHeadingError = 0.06;            // beams this far to the side may be meant as well [rad]
constexpr double kSurelySeen = 0.9;               // of the range up to which a wall is surely seen
constexpr double kThroughWalls = 0.4;             // share of beams that look through walls in a sensor that errs …
constexpr double kTooNear = 0.8;                  // … and of those that see something everywhere
constexpr std::size_t kFewBeams = 20;             // fewer say nothing together
constexpr double kMovedMeanwhile = 0.1;           // a reading is not the same so far on [m]

struct View {
  double beam_step = 0;  // between two beams [rad]
  double max_range = 0;  // [m]
};

View view_of(const robot::Sensor& sensor) noexcept {
  if (const auto* laser = std::get_if<robot::Laser>(&sensor)) {
    return {laser->beams > 1 ? laser->field_of_view / (laser->beams - 1) : kTwoPi, laser->max_range};
  }
  return {};
}

}  // namespace

SensorCheck::SensorCheck(const RehearsedWorld& world) : world_(world) {
  const sense::Readings readings = sense::make_readings(world.robot);
  for (std::size_t i = 0; i < readings.sensors.size(); ++i) {
    State state;
    state.expected = readings.sensors[i];
    state.last = readings.sensors[i].values;
    state.comparable = std::holds_alternative<robot::Laser>(world.robot.sensors[i]) && state.last.size() >= kFewBeams;
    states_.push_back(std::move(state));
  }
}

void SensorCheck::forget() noexcept {
  for (State& state : states_) state.odd_since.reset();
}

SensorCheck::Verdict SensorCheck::look(const navigate::Percept& percept) noexcept {
  Verdict verdict = Verdict::fine;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    State& state = states_[i];
    const sense::Reading& reading = percept.readings.sensors[i];
    if (reading.values.empty()) continue;
    if (is_silent(i, percept)) {
      if (!state.odd_since) state.odd_since = percept.time;
    } else if (state.looked != reading.time) {
      state.looked = reading.time;
      const bool odd = looks_odd(i, percept);
      if (!odd) state.odd_since.reset();
      if (odd && !state.odd_since) state.odd_since = percept.time;
    }
    if (!state.odd_since) continue;
    if (verdict == Verdict::fine) verdict = Verdict::doubtful;
    if (percept.time - *state.odd_since < kSureAfter) continue;
    culprit_ = i;
    verdict = Verdict::disagree;
  }
  return verdict;
}

bool SensorCheck::is_silent(std::size_t i, const navigate::Percept& percept) const noexcept {
  const double age = to_seconds(percept.time - percept.readings.sensors[i].time);
  return age > kSilentPeriods / robot::rate_hz(world_.robot.sensors[i]);
}

bool SensorCheck::looks_odd(std::size_t i, const navigate::Percept& percept) noexcept {
  const sense::Reading& reading = percept.readings.sensors[i];
  State& state = states_[i];
  if (!state.comparable) return false;
  if (is_stuck(state, reading, percept.odometry.position())) return true;
  // where the robot was when it looked, as far as the odometry can tell
  const Pose2 then = percept.pose * (inverse(percept.odometry) * reading.odometry);
  world_.sensors.read(i, {then, {}}, random_, state.expected);
  return sees_another_world(i, state, reading);
}

// The same to the last bit, although the robot has moved: no sensor with noise does that.
bool SensorCheck::is_stuck(State& state, const sense::Reading& reading, Vec2 odometry) const noexcept {
  if (reading.values != state.last) {
    std::copy(reading.values.begin(), reading.values.end(), state.last.begin());
    state.last_place = odometry;
    return false;
  }
  return distance(odometry, state.last_place) > kMovedMeanwhile;
}

bool SensorCheck::sees_another_world(std::size_t i, const State& state, const sense::Reading& reading) const noexcept {
  const View view = view_of(world_.robot.sensors[i]);
  const auto n = static_cast<std::ptrdiff_t>(reading.values.size());
  const auto aside = static_cast<std::ptrdiff_t>(std::ceil(kHeadingError / view.beam_step));
  std::size_t walls = 0, through = 0, near = 0;
  const auto* expected = state.expected.values.data();
  for (std::ptrdiff_t b = 0; b < n; ++b) {
    const auto* low = expected + std::max<std::ptrdiff_t>(0, b - aside);
    const auto* high = expected + std::min(n, b + aside + 1);
    const auto [least, most] = std::minmax_element(low, high);
    if (!(*most < kSurelySeen * view.max_range)) continue;
    ++walls;
    const float measured = reading.values[static_cast<std::size_t>(b)];
    if (measured > *most * (1 + kToleranceShare) + kTolerance) ++through;
    if (measured < *least * (1 - kToleranceShare) - kTolerance) ++near;
  }
  if (walls < kFewBeams) return false;
  const auto share = [walls](std::size_t count) { return static_cast<double>(count) / static_cast<double>(walls); };
  return share(through) > kThroughWalls || share(near) > kTooNear;
}

}  // namespace forerun::mission
