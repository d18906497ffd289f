// What was predicted lately, to be compared with reports that come later.
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "forerun/base/time.hpp"
#include "forerun/predict/expert_weights.hpp"
#include "forerun/predict/mixture.hpp"
#include "forerun/robot/report.hpp"

namespace forerun::predict {

using ExpertPlaces = std::array<Vec2, kMostExperts>;

struct TrailPoint {
  RobotTime time;
  robot::State state;
  robot::TaskState task = robot::TaskState::idle;
  Mixture expected;        // where it may be
  ExpertPlaces experts{};  // where each of them has it
};

class Trail {
 public:
  void clear() noexcept { size_ = 0; }
  // Times never go back; the oldest points are forgotten. Of points close together the newest stays, so that a viewer
  // that asks for every frame remembers as much time as any other.
  void add(const TrailPoint& newest) noexcept {
    if (size_ >= 2 && newest.time - point(size_ - 2).time < kApart) --size_;
    points_[(first_ + size_) % kRoom] = newest;
    if (size_ < kRoom) {
      ++size_;
    } else {
      first_ = (first_ + 1) % kRoom;
    }
  }
  // The prediction for a time between its first and its last point, straight between neighbours.
  [[nodiscard]] std::optional<TrailPoint> at(RobotTime time) const noexcept {
    for (std::size_t i = 1; i < size_; ++i) {
      if (point(i).time >= time) return between(point(i - 1), point(i), time);
    }
    return std::nullopt;
  }

 private:
  static constexpr std::size_t kRoom = 256;
  static constexpr Duration kApart = from_seconds(0.25);

  [[nodiscard]] const TrailPoint& point(std::size_t i) const noexcept { return points_[(first_ + i) % kRoom]; }
  [[nodiscard]] static std::optional<TrailPoint> between(const TrailPoint& a, const TrailPoint& b,
                                                         RobotTime time) noexcept {
    if (time < a.time) return std::nullopt;
    const double length = to_seconds(b.time - a.time);
    const double share = length > 0 ? to_seconds(time - a.time) / length : 1;
    const Pose2 &p = a.state.pose, &q = b.state.pose;
    TrailPoint result = share < 0.5 ? a : b;
    const Vec2 before = result.state.pose.position();
    result.time = time;
    result.state.pose = {p.x + (q.x - p.x) * share, p.y + (q.y - p.y) * share,
                         normalize_angle(p.theta + normalize_angle(q.theta - p.theta) * share)};
    for (MixturePart& part : result.expected) part.centre = part.centre + (result.state.pose.position() - before);
    for (std::size_t i = 0; i < kMostExperts; ++i) {
      result.experts[i] = a.experts[i] + (b.experts[i] - a.experts[i]) * share;
    }
    return result;
  }

  std::array<TrailPoint, kRoom> points_{};
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

}  // namespace forerun::predict
