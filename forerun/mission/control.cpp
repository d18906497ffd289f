#include "forerun/mission/control.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace forerun::mission {
namespace {

constexpr double kUsualStep = 0.05;  // over a joint, where the recording's times say nothing [s]

// All pieces one after the other, with their waits.
class Course {
 public:
  Course(const Way& way, const robot::Description& robot, const DriveLimits& limits, double period_s)
      : period_s_(period_s) {
    stop_for(way.actions_before, 0);
    for (const Piece& piece : way.pieces) {
      legs_.push_back({duration_, Timing(piece, robot.drive, limits)});
      const double driven = legs_.back().timing.duration(), there = duration_ + driven;
      duration_ += driven + piece.wait_after;
      stop_for(piece.actions_after, there);
    }
  }
  [[nodiscard]] double duration() const noexcept { return duration_; }
  [[nodiscard]] const std::vector<Action>& actions() const noexcept { return actions_; }
  // Times never decrease from call to call.
  [[nodiscard]] TimedPoint at(double time) noexcept {
    while (leg_ + 1 < legs_.size() && time >= legs_[leg_ + 1].begin) ++leg_;
    const Timing::Moment moment = legs_[leg_].timing.at(time - legs_[leg_].begin);
    return {time, moment.pose, moment.velocity};
  }

 private:
  // From `there` on it stands: a point of the path for each.
  void stop_for(const std::vector<std::string>& actions, double there) {
    double point = std::ceil(there / period_s_);
    for (const std::string& name : actions) {
      actions_.push_back({period_s_ * point, name});
      duration_ = std::max(duration_, actions_.back().time);
      point += 1;
    }
  }

  struct Leg {
    double begin = 0;  // [s]
    Timing timing;
  };
  double period_s_;
  std::vector<Leg> legs_;
  std::vector<Action> actions_;
  double duration_ = 0;
  std::size_t leg_ = 0;
};

}  // namespace

Result<Control> compute_control(const TrimmedPath& path, const robot::Description& robot, const ControlParams& params) {
  const auto way = make_way(path, robot, params.way);
  if (!way) return way.error();
  Course course(*way, robot, limits_for(robot, params.limits_share), params.period_s);
  TimedPath timed;
  auto n = static_cast<std::size_t>(std::ceil(course.duration() / params.period_s));
  // the clock goes on from every action, also from one at the end
  const auto& actions = course.actions();
  if (!actions.empty() && actions.back().time >= params.period_s * static_cast<double>(n)) ++n;
  for (std::size_t i = 0; i <= n; ++i) timed.push_back(course.at(params.period_s * static_cast<double>(i)));
  return Control{std::move(timed), actions};
}

std::vector<double> wheel_effort(std::span<const TimedPoint> path, const robot::Description& robot) {
  const DriveLimits limits = limits_for(robot, 1);
  std::vector<double> efforts;
  for (std::size_t i = 1; i < path.size(); ++i) {
    const Axes before = axes_of(robot.drive, path[i - 1].velocity), after = axes_of(robot.drive, path[i].velocity);
    const double dt = path[i].time - path[i - 1].time;
    double effort = 0;
    for (std::size_t axis = kBodyAxes; axis < limits.axes.size(); ++axis) {
      effort = std::max(effort, std::fabs(after[axis] - before[axis]) / dt / limits.axes[axis].acceleration);
    }
    efforts.push_back(effort);
  }
  return efforts;
}

TimedPath with_spikes(const TrimmedPath& path) {
  TimedPath timed;
  std::size_t next_joint = 0;
  double time = 0;
  for (std::size_t i = 0; i + 1 < path.points.size(); ++i) {
    const PathPoint &p = path.points[i], &q = path.points[i + 1];
    const bool joined = next_joint < path.joints.size() && path.joints[next_joint] == i;
    if (joined) ++next_joint;
    const double dt = joined || q.time <= p.time ? kUsualStep : q.time - p.time;
    // velocities from poses: what the wheels would have to do to be there at the next point
    const double turn = normalize_angle(q.pose.theta - p.pose.theta);
    const Vec2 moved =
        Transform2(Pose2{0, 0, p.pose.theta + 0.5 * turn}).to_local(q.pose.position() - p.pose.position());
    timed.push_back({time, p.pose, {moved.x / dt, 0, turn / dt}});
    time += dt;
  }
  return timed;
}

}  // namespace forerun::mission
