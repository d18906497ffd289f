// A follower of the value function that does not turn back: for a robot that drives away from where the map says that
// its way leads. It knows of something in that way, which the map does not, and goes round.
#pragma once

#include <memory>
#include <optional>

#include "forerun/base/fixed_vector.hpp"
#include "forerun/navigate/control_system.hpp"
#include "forerun/navigate/goal_plan.hpp"
#include "forerun/navigate/planning_model.hpp"
#include "forerun/navigate/value_function.hpp"
#include "forerun/predict/follower.hpp"
#include "forerun/robot/description.hpp"

namespace forerun::predict {

// A stretch of the way, cell by cell.
using OnwardPath = FixedVector<Vec2, 400>;

// Plans with the way behind the robot closed. One serves many of them, one after the other in one thread.
class OnwardPlanner {
 public:
  // `model` must outlive it. Allocates all it will ever need. `usual` plans without anything closed: where that does
  // not lead back, it is good enough.
  OnwardPlanner(const navigate::PlanningModel& model, const robot::Description& robot,
                std::shared_ptr<navigate::GoalPlan> usual = nullptr);

  // The way from here to the goal, as far as there is room for it; empty where there is none. A robot that hardly moves
  // may turn round.
  void plan(const Pose2& from, double speed, Vec2 goal, OnwardPath& path) noexcept;
  // Only the usual plan knows of changes.
  void set_changes(std::span<const robot::Change> changes) noexcept {
    if (usual_) usual_->set_changes(changes);
  }

 private:
  static constexpr std::size_t kMostCells = 512;  // of what is closed

  void close_behind(const Pose2& pose) noexcept;
  // Down these values; true where that leads over nothing that is closed.
  // `reach`: so far a robot looks for a way out that stands where none may [m].
  bool follow(const navigate::ValueFunction& values, const navigate::PlanningGrid& grid, Vec2 from, double reach,
              OnwardPath& path) const noexcept;

  double radius_;  // of the robot [m]
  const navigate::PlanningGrid& map_;
  navigate::PlanningGrid grid_;  // that of the usual plan, and what is closed
  std::uint64_t grid_version_ = 0;
  navigate::ValueFunction values_;
  std::shared_ptr<navigate::GoalPlan> usual_;
  FixedVector<Cell, kMostCells> closed_;
};

class Onward final : public navigate::ControlSystem {
 public:
  Onward(const robot::Description& robot, std::shared_ptr<OnwardPlanner> planner, const FollowerParams& params = {});

  bool set_goal(std::optional<Vec2> goal) noexcept override;
  [[nodiscard]] bool can_reach_goal_from(Vec2) const noexcept override { return planned_ && !path_.empty(); }
  [[nodiscard]] bool uses_sensors() const noexcept override { return false; }
  void set_limits(const robot::Limits& limits) noexcept override { limits_ = limits; }
  void set_changes(std::span<const robot::Change> changes) noexcept override { planner_->set_changes(changes); }
  void forget() noexcept override { planned_ = false; }
  // The first time after `forget` it plans.
  [[nodiscard]] navigate::Decision decide(const navigate::Percept& percept) noexcept override;

 private:
  [[nodiscard]] Vec2 point_on(Vec2 position, double far) noexcept;

  robot::Limits limits_;
  FollowerParams params_;
  std::shared_ptr<OnwardPlanner> planner_;
  OnwardPath path_;
  std::size_t reached_ = 0;  // of its points
  std::optional<Vec2> goal_;
  bool planned_ = false;
};

}  // namespace forerun::predict
