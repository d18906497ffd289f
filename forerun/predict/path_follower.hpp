// A control system for robots that say where they mean to go: drives along a path of a few points.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "forerun/navigate/control_system.hpp"
#include "forerun/predict/follower.hpp"
#include "forerun/predict/manners.hpp"
#include "forerun/robot/description.hpp"
#include "forerun/robot/report.hpp"

namespace forerun::predict {

class PathFollower final : public navigate::ControlSystem {
 public:
  // With `manners`, it takes bends as the robot has been seen to.
  explicit PathFollower(const robot::Description& robot, const FollowerParams& params = {},
                        std::shared_ptr<const Manners> manners = nullptr)
      : limits_(robot.limits), params_(params), manners_(std::move(manners)) {}

  bool set_goal(std::optional<Vec2> goal) noexcept override;
  void set_path(std::span<const Vec2> path) noexcept override;
  [[nodiscard]] bool can_reach_goal_from(Vec2) const noexcept override { return goal_ && path_.size() >= 2; }
  [[nodiscard]] bool uses_sensors() const noexcept override { return false; }
  void set_limits(const robot::Limits& limits) noexcept override { limits_ = limits; }
  void forget() noexcept override;
  [[nodiscard]] navigate::Decision decide(const navigate::Percept& percept) noexcept override;

 private:
  void find_place(Vec2 position) noexcept;
  [[nodiscard]] Vec2 ahead(double far) const noexcept;
  void take_side(Vec2 position) noexcept;

  robot::Limits limits_;
  FollowerParams params_;
  std::shared_ptr<const Manners> manners_;
  robot::PlannedPath path_;
  std::optional<Vec2> goal_;
  double reached_ = 0;  // how far along the path it is: whole segments, and a share of the next
  bool started_ = false;
  Vec2 beside_;  // where it is, from the path [m]: robots keep to their side for a while …
  Vec2 from_;    // … from this place on
};

}  // namespace forerun::predict
