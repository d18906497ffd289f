#include "forerun/predict/geometric_median.hpp"

#include <algorithm>

#include "forerun/base/math.hpp"

namespace forerun::predict {

// By Weiszfeld's iteration, from the first one on.
Pose2 geometric_median(const Pose2& first, double count, std::span<const Pose2> others) noexcept {
  constexpr int kIterations = 8;
  constexpr double kNear = 0.01;  // poses nearer than this count as if they were this far [m]
  Pose2 middle = first;
  for (int i = 0; i < kIterations && !others.empty(); ++i) {
    Vec2 sum, turn;
    double weights = 0;
    const auto add = [&](const Pose2& pose, double times) {
      const double weight = times / std::max(kNear, distance(pose.position(), middle.position()));
      const SinCos off = sincos(pose.theta - first.theta);
      sum = sum + (pose.position() - first.position()) * weight;
      turn = turn + Vec2{off.cos, off.sin} * weight;
      weights += weight;
    };
    add(first, count);
    for (const Pose2& pose : others) add(pose, 1);
    const Vec2 position = first.position() + sum * (1 / weights);
    middle = {position.x, position.y, normalize_angle(first.theta + atan2(turn.y, turn.x))};
  }
  return middle;
}

}  // namespace forerun::predict
