#include "forerun/robot/timed_path.hpp"

#include <algorithm>

namespace forerun::robot {

TimedPoint point_at(std::span<const TimedPoint> path, double time) noexcept {
  const auto after = std::upper_bound(path.begin(), path.end(), time,
                                      [](double t, const TimedPoint& point) { return t < point.time; });
  if (after == path.begin()) return path.front();
  if (after == path.end()) return path.back();
  const TimedPoint &p = *(after - 1), &q = *after;
  const double share = (time - p.time) / (q.time - p.time);
  const auto between = [share](double a, double b) { return a + (b - a) * share; };
  return {time,
          {between(p.pose.x, q.pose.x), between(p.pose.y, q.pose.y), between(p.pose.theta, q.pose.theta)},
          {between(p.velocity.vx, q.velocity.vx), between(p.velocity.vy, q.velocity.vy),
           between(p.velocity.w, q.velocity.w)}};
}

double length_of(std::span<const TimedPoint> path) noexcept {
  double length = 0;
  for (std::size_t i = 1; i < path.size(); ++i) {
    length += distance(path[i - 1].pose.position(), path[i].pose.position());
  }
  return length;
}

}  // namespace forerun::robot
