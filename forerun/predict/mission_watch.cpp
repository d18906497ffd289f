#include "forerun/predict/mission_watch.hpp"

#include <algorithm>
#include <utility>

#include "forerun/base/math.hpp"

namespace forerun::predict {
namespace {

constexpr double kOffLasts = 1.5;  // a tracker brings the robot to its path in about this time [s]
constexpr double kMemory = 20;     // the pace counts over about this time [s]
constexpr double kSlowest =
    0.5;  // a clock that went slower than this stood for a while, which says nothing of its pace

}  // namespace

robot::State MissionCourse::state_after(double gap) const noexcept {
  const double on = std::max(0.0, gap - waits);
  const robot::TimedPoint point = robot::point_at(path, time + pace * on);
  const double left = exp(-gap / kOffLasts);
  const Vec2 place = point.pose * (off.position() * left);
  const bool drives = gap > waits && !is_over(gap);
  const robot::Twist velocity{point.velocity.vx * pace, point.velocity.vy * pace, point.velocity.w * pace};
  return {{place.x, place.y, normalize_angle(point.pose.theta + off.theta * left)}, drives ? velocity : robot::Twist{}};
}

bool MissionCourse::is_over(double gap) const noexcept {
  return time + pace * std::max(0.0, gap - waits) >= path.back().time;
}

void MissionWatch::set(std::uint64_t number, std::shared_ptr<const robot::TimedPath> path) noexcept {
  const bool known = path && path->size() >= 2;
  number_ = known ? number : 0;
  path_ = known ? std::move(path) : nullptr;
  pace_ = 1;
  stood_ = false;
}

bool MissionWatch::is_running(const robot::Report& report) const noexcept {
  return path_ && report.mission && report.mission->number == number_ &&
         report.mission->state == robot::MissionState::running;
}

void MissionWatch::take_in(const robot::Report& before, const robot::Report& report) noexcept {
  stood_ = false;
  if (!is_running(before) || !is_running(report)) return;
  const double time = to_seconds(report.time - before.time);
  const double on_path = report.mission->time - before.mission->time;
  stood_ = on_path < kSlowest * time;
  if (!(time > 0) || stood_ || on_path > 2 * time) return;
  pace_ += (1 - exp(-time / kMemory)) * (on_path / time - pace_);
}

std::optional<MissionCourse> MissionWatch::course(const robot::Report& report, const Pose2& pose,
                                                  double held_up_s) const noexcept {
  if (!is_running(report)) return std::nullopt;
  const Pose2 planned = robot::point_at(*path_, report.mission->time).pose;
  const Vec2 off = Transform2(planned).to_local(pose.position());
  return MissionCourse{*path_,
                       report.mission->time,
                       pace_,
                       stood_ ? held_up_s : 0,
                       {off.x, off.y, normalize_angle(pose.theta - planned.theta)}};
}

}  // namespace forerun::predict
