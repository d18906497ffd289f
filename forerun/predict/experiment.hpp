// What every expert makes of one report: where the robot is, the longer the less sure. A report that comes later shows
// who was right (BEY-3).
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "forerun/base/fixed_vector.hpp"
#include "forerun/predict/driver.hpp"
#include "forerun/predict/expert_weights.hpp"
#include "forerun/predict/mission_watch.hpp"
#include "forerun/predict/replica.hpp"
#include "forerun/robot/report.hpp"

namespace forerun::predict {

// Experts that need no replica stand first.
inline constexpr std::size_t kStays = 0;         // the robot stays where it was
inline constexpr std::size_t kExtrapolates = 1;  // it goes on as it did
inline constexpr std::size_t kOnMission = 2;     // it follows the path of a mission that is known
inline constexpr std::size_t kFirstDriver = 3;   // then the drivers, in their order

// Of all experts, in their order.
[[nodiscard]] std::vector<const char*> expert_names(std::span<const Driver> drivers);

using ExpertPoses = std::array<Pose2, kMostExperts>;

class Experiment {
 public:
  // `model` must outlive it; at most kMostExperts − kFirstDriver drivers.
  Experiment(const ReplicaModel& model, std::span<const Driver> drivers,
             const std::shared_ptr<navigate::GoalPlan>& plan, const std::shared_ptr<OnwardPlanner>& onward,
             const std::shared_ptr<const Manners>& manners);
  Experiment(const Experiment&) = delete;
  Experiment& operator=(const Experiment&) = delete;

  // What is tried out.
  struct Start {
    robot::Report report;        // with the pose from which it goes on
    Circumstances usual;         // of the likeliest robot …
    Circumstances slowed;        // … and of one that keeps to the speeds that were seen
    std::span<const Vec2> path;  // that the robot has said; empty: none
    std::optional<MissionCourse> mission;
    std::size_t activity = 0;
  };
  void start(const Start& start) noexcept;
  // Not back in time.
  void advance(RobotTime until) noexcept;

  [[nodiscard]] RobotTime begin() const noexcept { return report_.time; }
  [[nodiscard]] Vec2 from() const noexcept { return report_.state.pose.position(); }
  [[nodiscard]] RobotTime time() const noexcept { return time_; }
  [[nodiscard]] std::size_t activity() const noexcept { return activity_; }
  [[nodiscard]] ExpertSet awake() const noexcept { return awake_; }
  [[nodiscard]] std::size_t n_experts() const noexcept { return kFirstDriver + courses_.size(); }
  // At the time advanced to.
  [[nodiscard]] robot::State state(std::size_t expert) const noexcept;
  [[nodiscard]] const std::optional<MissionCourse>& mission() const noexcept { return mission_; }
  // Where each expert has it at a time that is not after the one advanced to; straight between even steps.
  [[nodiscard]] ExpertPoses poses_at(RobotTime time) const noexcept;
  [[nodiscard]] const Replica& replica(std::size_t driver) const noexcept { return courses_[driver].replica; }

 private:
  static constexpr Duration kStep = from_seconds(0.5);
  [[nodiscard]] ExpertPoses poses() const noexcept;

  struct Course {
    Course(const Driver& driver, const DriverInputs& inputs);

    bool is_slowed, needs_path;
    std::unique_ptr<navigate::ControlSystem> control;
    Replica replica;
  };

  std::vector<Course> courses_;  // by driver
  robot::Report report_;
  std::optional<MissionCourse> mission_;
  RobotTime time_;
  std::size_t activity_ = 0;
  ExpertSet awake_ = 0;
  FixedVector<ExpertPoses, 52> passed_;  // where they were at even steps
};

}  // namespace forerun::predict
