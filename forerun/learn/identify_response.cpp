#include "forerun/learn/identify_response.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "forerun/base/math.hpp"
#include "forerun/robot/motion.hpp"

namespace forerun::learn {
namespace {

using respond::AxisResponse;
using respond::Response;

constexpr double kCell = 0.02;         // commands and poses on an even grid [s]
constexpr double kLongestDelay = 0.8;  // looked for [s]
constexpr double kLongestLag = 1.0;
constexpr double kEnough = 1200;      // more than this tells nothing new of a few numbers [s]
constexpr double kShortestPart = 20;  // of a stretch [s]
constexpr std::size_t kSpacing = 5;   // cells between two windows that are compared

// A stretch on the grid.
struct Grid {
  const CommandedStretch* stretch = nullptr;
  double start = 0;
  std::vector<Pose2> poses;     // one at the beginning of each cell
  std::vector<double> turning;  // as the response of the turn has it, once that is known
};

// The first `share` of it.
Grid make_grid(const CommandedStretch& stretch, double share_used) {
  Grid grid{&stretch, stretch.poses.front().time, {}, {}};
  std::size_t i = 0;
  const double whole = stretch.poses.back().time - grid.start;
  const double end = grid.start + std::min(whole, std::max(kShortestPart, share_used * whole));
  for (std::size_t cell = 0;; ++cell) {
    const double time = grid.start + static_cast<double>(cell) * kCell;
    if (time > end) return grid;
    while (i + 2 < stretch.poses.size() && stretch.poses[i + 1].time < time) ++i;
    const SeenPose &a = stretch.poses[i], &b = stretch.poses[i + 1];
    const double share = (time - a.time) / (b.time - a.time);
    grid.poses.push_back({a.pose.x + (b.pose.x - a.pose.x) * share, a.pose.y + (b.pose.y - a.pose.y) * share,
                          a.pose.theta + (b.pose.theta - a.pose.theta) * share});
  }
}

std::vector<Grid> make_grids(std::span<const CommandedDrive> drives) {
  std::vector<Grid> grids;
  double duration = 0;
  for (const CommandedDrive& drive : drives) {
    for (const CommandedStretch& s : drive.stretches) duration += s.poses.back().time - s.poses.front().time;
  }
  const double share = std::min(1.0, kEnough / std::max(duration, 1.0));
  for (const CommandedDrive& drive : drives) {
    for (const CommandedStretch& stretch : drive.stretches) grids.push_back(make_grid(stretch, share));
  }
  return grids;
}

// The mean command of each cell, later by `delay`, through a lag; the first one was in force before, too.
template <class Value>
std::vector<double> answer(const Grid& grid, const AxisResponse& axis, Value&& value) {
  const auto& commands = grid.stretch->commands;
  std::vector<double> means(grid.poses.size());
  std::size_t i = 0;
  const double left = axis.lag > 0 ? exp(-kCell / axis.lag) : 0;
  const double left_mean = axis.lag > 0 ? axis.lag / kCell * (1 - left) : 0;
  double now = 0, ramped = 0;
  for (std::size_t cell = 0; cell < means.size(); ++cell) {
    const double from = grid.start + static_cast<double>(cell) * kCell - axis.delay, to = from + kCell;
    while (i + 1 < commands.size() && commands[i + 1].time <= from) ++i;
    double sum = 0, time = from;
    for (std::size_t k = i; time < to; ++k) {
      const double end = k + 1 < commands.size() ? std::clamp(commands[k + 1].time, time, to) : to;
      sum += value(commands[k].velocity) * (end - time);
      time = end;
    }
    double goal = axis.gain * sum / kCell;
    if (cell == 0) now = ramped = goal;
    if (axis.acceleration > 0) goal = respond::ramp(goal, axis.acceleration * kCell, ramped);
    means[cell] = goal + (now - goal) * left_mean;
    now = goal + (now - goal) * left;
  }
  return means;
}

// Sums from which the best gain and the error with it follow.
struct Fit {
  double xx = 0, xy = 0, yy = 0;

  void add(double x, double y) noexcept {
    xx += x * x;
    xy += x * y;
    yy += y * y;
  }
  [[nodiscard]] double gain() const noexcept { return xx > 0 ? std::clamp(xy / xx, 0.0, 2.0) : 1; }
  [[nodiscard]] double error(double gain) const noexcept { return yy - 2 * gain * xy + gain * gain * xx; }
};

std::size_t cells_of(double window) { return static_cast<std::size_t>(std::lround(window / kCell)); }

Fit fit_turn(const std::vector<Grid>& grids, const AxisResponse& axis, double window) {
  Fit fit;
  const std::size_t n = cells_of(window);
  for (const Grid& grid : grids) {
    const auto means = answer(grid, axis, [](const robot::Twist& v) { return v.w; });
    std::vector<double> turned(means.size() + 1);
    for (std::size_t i = 0; i < means.size(); ++i) turned[i + 1] = turned[i] + means[i] * kCell;
    for (std::size_t i = 0; i + n < grid.poses.size(); i += kSpacing) {
      fit.add(turned[i + n] - turned[i], grid.poses[i + n].theta - grid.poses[i].theta);
    }
  }
  return fit;
}

// Displacements along the headings that the turn's response has.
Fit fit_forward(const std::vector<Grid>& grids, const AxisResponse& axis, double window) {
  Fit fit;
  const std::size_t n = cells_of(window);
  for (const Grid& grid : grids) {
    const auto ahead = answer(grid, axis, [](const robot::Twist& v) { return v.vx; });
    const auto aside = answer(grid, axis, [](const robot::Twist& v) { return v.vy; });
    std::vector<Pose2> path(ahead.size() + 1);
    for (std::size_t i = 0; i < ahead.size(); ++i) {
      path[i + 1] = robot::move(path[i], {ahead[i], aside[i], grid.turning[i]}, kCell);
    }
    for (std::size_t i = 0; i + n < grid.poses.size(); i += kSpacing) {
      const Vec2 expected = Transform2(path[i]).to_local(path[i + n].position());
      const Vec2 seen = Transform2(grid.poses[i]).to_local(grid.poses[i + n].position());
      fit.add(expected.x, seen.x);
      fit.add(expected.y, seen.y);
    }
  }
  return fit;
}

// The least error over delay, lag and acceleration: a coarse grid, then ever smaller steps about the best.
template <class FitOf>
class AxisSearch {
 public:
  AxisSearch(FitOf fit_of, bool delay_only) : fit_of_(std::move(fit_of)), delay_only_(delay_only) {}

  AxisResponse find(double usual_acceleration) {
    for (const double factor : {0.0, 0.25, 0.5, 1.0, 2.0, 4.0}) {
      for (const double lag : {0.0, 0.1, 0.3}) {
        for (double delay = 0; delay <= 0.4 + 1e-9; delay += 0.1) attempt({delay, lag, 1, factor * usual_acceleration});
      }
    }
    for (double step = 0.05; step > 5e-4; step /= 2) {
      while (improve(step)) {
      }
    }
    return best_;
  }

 private:
  // Tries all neighbours; true: one is better.
  bool improve(double step) {
    const AxisResponse middle = best_;
    const double before = least_;
    for (const double d : {-step, 0.0, step}) {
      for (const double l : {-step, 0.0, step}) {
        for (const double a : {1 / (1 + 4 * step), 1.0, 1 + 4 * step}) {
          attempt({middle.delay + d, std::max(middle.lag + l, 0.0), 1, middle.acceleration * a});
          if (middle.acceleration == 0) break;
        }
      }
    }
    return least_ < 0.9999 * before;
  }

  void attempt(const AxisResponse& axis) {
    if (axis.delay < 0 || axis.delay > kLongestDelay || axis.lag > kLongestLag) return;
    if (delay_only_ && (axis.lag > 0 || axis.acceleration > 0)) return;
    const Fit fit = fit_of_(axis);
    const double gain = delay_only_ ? 1 : fit.gain();
    const double error = fit.error(gain);
    if (error >= least_) return;
    least_ = error;
    best_ = {axis.delay, axis.lag, gain, axis.acceleration};
  }

  FitOf fit_of_;
  bool delay_only_;
  AxisResponse best_;
  double least_ = kInfinity;
};

// What motors of this kind do: from rest to the largest command in half a second.
template <class Value>
double usual_acceleration(std::span<const CommandedDrive> drives, Value&& value) {
  double largest = 0;
  for (const CommandedDrive& drive : drives) {
    for (const CommandedStretch& stretch : drive.stretches) {
      for (const GivenCommand& command : stretch.commands)
        largest = std::max(largest, std::fabs(value(command.velocity)));
    }
  }
  return 2 * largest;
}

Response identify(std::span<const CommandedDrive> drives, double window, bool delay_only) {
  std::vector<Grid> grids = make_grids(drives);
  Response response;
  const auto turning = [&](const AxisResponse& axis) { return fit_turn(grids, axis, window); };
  response.turn = AxisSearch(turning, delay_only).find(usual_acceleration(drives, [](const auto& v) { return v.w; }));
  for (Grid& grid : grids) {
    grid.turning = answer(grid, response.turn, [](const robot::Twist& v) { return v.w; });
  }
  const auto driving = [&](const AxisResponse& axis) { return fit_forward(grids, axis, window); };
  response.forward =
      AxisSearch(driving, delay_only).find(usual_acceleration(drives, [](const auto& v) { return v.vx; }));
  response.sideways = response.forward;
  return response;
}

}  // namespace

Response identify_response(std::span<const CommandedDrive> drives, double window) {
  return identify(drives, window, false);
}

Response identify_delays(std::span<const CommandedDrive> drives, double window) {
  return identify(drives, window, true);
}

}  // namespace forerun::learn
