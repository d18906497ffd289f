#include "forerun/learn/axis_signal.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "forerun/base/math.hpp"

namespace forerun::learn {
namespace {

constexpr double kWarmUp = kLongestDelay;  // what was commanded before the first command may act so long [s]
constexpr double kRest = 2.5;              // so long after the last motion commanded there is nothing left to see [s]
constexpr double kHistory = 4.0;           // commands kept from before the first pose [s]
constexpr std::size_t kFewest = 8;         // poses of a signal

// Whether a motion of this axis was commanded within `kRest` before each pose.
std::vector<bool> find_busy(const std::vector<CommandStep>& commands, const std::vector<double>& times) {
  std::vector<bool> busy;
  std::size_t next = 0;
  double last = -kInfinity;
  for (const double time : times) {
    // a step to zero ends a motion
    for (; next < commands.size() && commands[next].time <= time; ++next) {
      if (next > 0) last = commands[next].time;
    }
    if (next > 0 && commands[next - 1].value != 0) last = time;
    busy.push_back(time - last <= kRest);
  }
  return busy;
}

double median_of(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Farther between two poses than any command explains: the tracking system took something else for the robot.
struct JumpLimit {
  double speed = 0, noise = 0;
  [[nodiscard]] bool broken_by(double travelled, double time) const {
    return std::fabs(travelled) > 3 * speed * time + 12 * noise;
  }
};

JumpLimit jump_limit(const AxisSignal& whole) {
  JumpLimit limit;
  for (const CommandStep& step : whole.commands) limit.speed = std::max(limit.speed, std::fabs(step.value));
  std::vector<double> steps;
  for (std::size_t i = 1; i < whole.times.size(); ++i) {
    steps.push_back(std::fabs(whole.travelled[i] - whole.travelled[i - 1]));
  }
  limit.noise = std::max(median_of(std::move(steps)), 1e-6);
  return limit;
}

void keep_history(const std::vector<CommandStep>& commands, AxisSignal& signal) {
  const auto later = [](double time, const CommandStep& step) { return time < step.time; };
  auto first = std::upper_bound(commands.begin(), commands.end(), signal.times.front() - kHistory, later);
  if (first != commands.begin()) --first;
  const auto end = std::upper_bound(first, commands.end(), signal.times.back(), later);
  signal.commands.assign(first, end);
}

// Cuts where the robot rests for long or jumps, and adds the parts.
void cut(const AxisSignal& whole, std::vector<AxisSignal>& parts) {
  const std::vector<bool> busy = find_busy(whole.commands, whole.times);
  const JumpLimit limit = jump_limit(whole);
  AxisSignal part;
  const auto finish = [&] {
    if (part.times.size() >= kFewest) {
      keep_history(whole.commands, part);
      parts.push_back(std::move(part));
    }
    part = {};
  };
  for (std::size_t i = 0; i < whole.times.size(); ++i) {
    const double time = whole.times[i];
    if (!busy[i] || time < whole.commands.front().time + kWarmUp) {
      finish();
      continue;
    }
    if (!part.times.empty() &&
        limit.broken_by(whole.travelled[i] - whole.travelled[i - 1], time - whole.times[i - 1])) {
      finish();
    }
    part.times.push_back(time);
    part.travelled.push_back(whole.travelled[i]);
  }
  finish();
}

AxisSignal begin_signal(const CommandedStretch& stretch, double robot::Twist::*axis) {
  AxisSignal signal;
  for (const GivenCommand& command : stretch.commands) {
    const double value = command.velocity.*axis;
    // a command that says the same again changes nothing
    if (!signal.commands.empty() && signal.commands.back().value == value) continue;
    signal.commands.push_back({command.time, value});
  }
  for (const SeenPose& seen : stretch.poses) signal.times.push_back(seen.time);
  return signal;
}

// In the robot's frame, along the arc.
Vec2 moved(const Pose2& from, const Pose2& to) {
  const double turned = to.theta - from.theta;
  const Vec2 heading = unit_vector(from.theta + turned / 2);
  const Vec2 chord = to.position() - from.position();
  const double straightened = 1 / std::max(sinc(turned / 2), 0.5);
  return {dot(chord, heading) * straightened, cross(heading, chord) * straightened};
}

}  // namespace

void thin_out(std::vector<AxisSignal>& signals, std::size_t most) {
  std::size_t n = 0;
  for (const AxisSignal& signal : signals) n += signal.times.size();
  const std::size_t stride = (n + most - 1) / most;
  if (stride < 2) return;
  for (AxisSignal& signal : signals) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < signal.times.size(); i += stride, ++kept) {
      signal.times[kept] = signal.times[i];
      signal.travelled[kept] = signal.travelled[i];
    }
    signal.times.resize(kept);
    signal.travelled.resize(kept);
  }
}

std::vector<AxisSignal> translation_of(std::span<const CommandedStretch> stretches, bool sideways) {
  std::vector<AxisSignal> signals;
  for (const CommandedStretch& stretch : stretches) {
    if (stretch.commands.empty() || stretch.poses.empty()) continue;
    AxisSignal ahead = begin_signal(stretch, &robot::Twist::vx), left = begin_signal(stretch, &robot::Twist::vy);
    Vec2 sum;
    for (std::size_t i = 0; i < stretch.poses.size(); ++i) {
      if (i > 0) sum = sum + moved(stretch.poses[i - 1].pose, stretch.poses[i].pose);
      ahead.travelled.push_back(sum.x);
      left.travelled.push_back(sum.y);
    }
    cut(ahead, signals);
    if (sideways) cut(left, signals);
  }
  return signals;
}

std::vector<AxisSignal> rotation_of(std::span<const CommandedStretch> stretches) {
  std::vector<AxisSignal> signals;
  for (const CommandedStretch& stretch : stretches) {
    if (stretch.commands.empty() || stretch.poses.empty()) continue;
    AxisSignal turn = begin_signal(stretch, &robot::Twist::w);
    for (const SeenPose& seen : stretch.poses) turn.travelled.push_back(seen.pose.theta);
    cut(turn, signals);
  }
  return signals;
}

}  // namespace forerun::learn
