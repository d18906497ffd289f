#include "forerun/geom/geometric_median.hpp"

#include <algorithm>

#include "forerun/base/math.hpp"

namespace forerun {

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

Pose2 geometric_median(std::span<const Pose2> poses, std::span<const double> weights, double near) noexcept {
  constexpr int kIterations = 12;
  const auto heaviest = static_cast<std::size_t>(std::max_element(weights.begin(), weights.end()) - weights.begin());
  const Pose2& first = poses[heaviest];
  Vec2 middle;  // from the heaviest one
  Vec2 turn;
  for (int k = 0; k <= kIterations; ++k) {
    Vec2 sum;
    double all = 0;
    turn = {};
    for (std::size_t i = 0; i < poses.size(); ++i) {
      const Vec2 off = poses[i].position() - first.position();
      // at first the mean: Weiszfeld's iteration may not leave a pose that it begins at
      const double weight = k == 0 ? weights[i] : weights[i] / std::max(near, distance(off, middle));
      const SinCos heading = sincos(poses[i].theta - first.theta);
      sum = sum + off * weight;
      turn = turn + Vec2{heading.cos, heading.sin} * weight;
      all += weight;
    }
    middle = sum * (1 / all);
  }
  const Vec2 position = first.position() + middle;
  return {position.x, position.y, normalize_angle(first.theta + atan2(turn.y, turn.x))};
}

}  // namespace forerun
