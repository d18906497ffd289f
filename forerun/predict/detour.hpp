// A follower of the value function that does not turn back: for a robot that drives away from where the map says that
// its way leads. It knows of something in that way, which the map does not, and goes round.
#pragma once

#include <optional>

#include "forerun/navigate/control_system.hpp"
#include "forerun/navigate/planning_model.hpp"
#include "forerun/navigate/value_function.hpp"
#include "forerun/predict/follower.hpp"
#include "forerun/robot/description.hpp"

namespace forerun::predict {

class Detour final : public navigate::ControlSystem {
 public:
  // `model` must outlive it. Allocates all it will ever need.
  Detour(const navigate::PlanningModel& model, const robot::Description& robot, const FollowerParams& params = {});

  bool set_goal(std::optional<Vec2> goal) noexcept override;
  [[nodiscard]] bool can_reach_goal_from(Vec2 position) const noexcept override;
  [[nodiscard]] bool uses_sensors() const noexcept override { return false; }
  void set_limits(const robot::Limits& limits) noexcept override { limits_ = limits; }
  void forget() noexcept override { planned_ = false; }
  // The first time after `forget` it closes the way behind the robot, and plans.
  [[nodiscard]] navigate::Decision decide(const navigate::Percept& percept) noexcept override;

 private:
  static constexpr std::size_t kMostCells = 512;  // of what is closed

  void plan(const Pose2& pose, double speed) noexcept;
  void close_behind(const Pose2& pose) noexcept;

  robot::Limits limits_;
  FollowerParams params_;
  double radius_;  // of the robot [m]
  const navigate::PlanningGrid& map_;
  navigate::PlanningGrid grid_;  // the map, and what is closed
  navigate::ValueFunction values_;
  FixedVector<Cell, kMostCells> closed_;
  std::optional<Vec2> goal_;
  bool planned_ = false;
};

}  // namespace forerun::predict
