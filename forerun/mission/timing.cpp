#include "forerun/mission/timing.hpp"

#include <algorithm>
#include <cmath>

namespace forerun::mission {
namespace {

constexpr int kBisections = 50;  // of the largest squared speed: down to its last bits
constexpr double kNothing = 1e-12;

}  // namespace

Timing::Timing(const Piece& piece, const robot::Drive& drive, const DriveLimits& limits) : piece_(piece) {
  FORERUN_CHECK(piece.knots.size() >= 2 && piece.step > 0);
  find_rates(drive);
  find_speeds(limits);
  find_times();
}

// Central differences, seen from the body.
void Timing::find_rates(const robot::Drive& drive) {
  const std::size_t n = piece_.knots.size();
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t before = i > 0 ? i - 1 : i, after = i + 1 < n ? i + 1 : i;
    const Pose2 &p = piece_.knots[before], &q = piece_.knots[after];
    const double way = piece_.step * static_cast<double>(after - before);
    const Transform2 world_from_body(Pose2{0, 0, piece_.knots[i].theta});
    const Vec2 moved = world_from_body.to_local(q.position() - p.position());
    // what cannot drive sideways is not asked to: there the position was moved apart from the heading
    const robot::Twist twist{moved.x / way, drive.can_strafe() ? moved.y / way : 0, (q.theta - p.theta) / way};
    twists_.push_back(twist);
    rates_.push_back(axes_of(drive, twist));
  }
}

// Rates change evenly from knot to knot while u is constant, so that the accelerations are largest at the ends of a
// step: r u + d x at its beginning, with d the change of the rate; (r + d s) u + d (x + 2 s u) at its end.
Timing::Rows Timing::rows_at(std::size_t knot, const DriveLimits& limits) const noexcept {
  Rows rows;
  const double s = piece_.step;
  for (std::size_t axis = 0; axis < limits.axes.size(); ++axis) {
    const double r = rates_[knot][axis], d = (rates_[knot + 1][axis] - r) / s;
    rows.push_back({r, d, limits.axes[axis].acceleration});
    rows.push_back({r + 3 * d * s, d, limits.axes[axis].acceleration});
  }
  return rows;
}

// Those that keep all limits at this squared speed, and lead to one of at most `next_most`.
Timing::Interval Timing::accelerations(const Rows& rows, double x, double next_most) const noexcept {
  const double per_u = 2 * piece_.step;
  Interval u{-x / per_u, (next_most - x) / per_u};
  for (const Row& row : rows) {
    if (std::fabs(row.a) < kNothing) {
      if (std::fabs(row.b * x) > row.c) return {1, 0};
      continue;
    }
    const double one = (row.c - row.b * x) / row.a, other = (-row.c - row.b * x) / row.a;
    u.low = std::max(u.low, std::min(one, other));
    u.high = std::min(u.high, std::max(one, other));
  }
  return u;
}

// The squared speed at which the fastest axis is at its limit.
double Timing::fastest(std::size_t knot, const DriveLimits& limits) const noexcept {
  double most = kInfinity;
  for (std::size_t axis = 0; axis < limits.axes.size(); ++axis) {
    const double rate = std::fabs(rates_[knot][axis]);
    if (rate > kNothing) most = std::min(most, square(limits.axes[axis].speed / rate));
  }
  return std::min(most, 1e6);
}

void Timing::find_speeds(const DriveLimits& limits) {
  const std::size_t n = piece_.knots.size();
  // backward: the largest squared speeds from which the rest can be driven and ended at rest
  std::vector<double> most(n, 0);
  for (std::size_t i = n - 1; i-- > 0;) {
    const Rows rows = rows_at(i, limits);
    double low = 0, high = fastest(i, limits);
    for (int k = 0; k < kBisections; ++k) {
      const double x = 0.5 * (low + high);
      const Interval u = accelerations(rows, x, most[i + 1]);
      (u.low <= u.high ? low : high) = x;
    }
    most[i] = low;
  }
  // forward: as fast as these allow, from rest
  squares_.assign(n, 0);
  for (std::size_t i = 0; i + 1 < n; ++i) {
    const Interval u = accelerations(rows_at(i, limits), squares_[i], most[i + 1]);
    const double next = squares_[i] + 2 * piece_.step * u.high;
    squares_[i + 1] = clamp(next, 0.0, most[i + 1]);
  }
  squares_.back() = 0;
}

void Timing::find_times() {
  times_.assign(1, 0);
  for (std::size_t i = 0; i + 1 < squares_.size(); ++i) {
    const double speeds = sqrt(squares_[i]) + sqrt(squares_[i + 1]);
    times_.push_back(times_.back() + 2 * piece_.step / std::max(speeds, 1e-6));
  }
}

Timing::Moment Timing::at(double time) const noexcept {
  if (time <= 0) return {piece_.knots.front(), {}};
  if (time >= duration()) return {piece_.knots.back(), {}};
  const auto after = std::upper_bound(times_.begin(), times_.end(), time);
  const auto i = static_cast<std::size_t>(after - times_.begin()) - 1;
  const double t = time - times_[i], dt = times_[i + 1] - times_[i];
  const double v0 = sqrt(squares_[i]), v1 = sqrt(squares_[i + 1]);
  // constant acceleration from knot to knot
  const double speed = v0 + (v1 - v0) * t / dt;
  const double share = clamp((v0 + speed) * 0.5 * t / piece_.step, 0.0, 1.0);
  const auto between = [share](double a, double b) { return a + (b - a) * share; };
  const Pose2 &p = piece_.knots[i], &q = piece_.knots[i + 1];
  const robot::Twist &f = twists_[i], &g = twists_[i + 1];
  return {{between(p.x, q.x), between(p.y, q.y), between(p.theta, q.theta)},
          {between(f.vx, g.vx) * speed, between(f.vy, g.vy) * speed, between(f.w, g.w) * speed}};
}

}  // namespace forerun::mission
