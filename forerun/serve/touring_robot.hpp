// The demo's robot: drives the scenario's tour again and again, at a reality level that may change on the way.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "forerun/atlas/setting.hpp"
#include "forerun/base/result.hpp"
#include "forerun/estimate/change_watch.hpp"
#include "forerun/estimate/latency_meter.hpp"
#include "forerun/navigate/control_system.hpp"
#include "forerun/serve/served_robot.hpp"
#include "forerun/sim/loop.hpp"

namespace forerun::serve {

class TouringRobot final : public ServedRobot {
 public:
  // `inputs` must outlive it.
  [[nodiscard]] static Result<std::unique_ptr<TouringRobot>> make(const sim::Setting& inputs, std::uint64_t seed,
                                                                  RobotTime start, const SimulatedSetup& setup = {});

  // Drives up to this time, and begins the next tour where one has ended.
  void drive_to(RobotTime now);
  [[nodiscard]] robot::Report report() const;
  std::optional<robot::Report> look(RobotTime now) override;
  void listen(RobotTime now) override { drive_to(now); }
  std::span<const int> descriptors() override { return {}; }
  std::optional<Shot> photograph(RobotTime now, const ShotWish& wish) override;
  std::string describe() const override;

  [[nodiscard]] const Pose2& truth() const { return loop_->truth().pose; }
  [[nodiscard]] RobotTime time() const { return start_ + (loop_->time() - RobotTime{}); }
  // It goes on from where it is, to the goal that it was going to, the tour's or an operator's; what an operator has
  // stopped stays stopped, and what has been cancelled or let go stays where it is.
  [[nodiscard]] Result<void> set_reality(const sim::Reality& reality);

  robot::Reply execute(const robot::Command& command, const sync::CommandInfo& info) noexcept override;
  robot::Reply take_object(const sync::BroughtObject& brought) noexcept override;
  const MissionDesk* missions() const override { return &missions_; }
  void end_hand_driving() noexcept override;

 private:
  TouringRobot(const sim::Setting& inputs, std::uint64_t seed, RobotTime start, const SimulatedSetup& setup)
      : inputs_(inputs),
        reality_(inputs.reality),
        seed_(seed),
        start_(start),
        setup_(setup),
        missions_(inputs.world, inputs.robot),
        latency_(inputs.robot.limits) {}

  // From `pose` on, with the goal of this number first.
  [[nodiscard]] Result<void> begin_tour(const Pose2& pose, std::size_t first_goal, RobotTime now);
  [[nodiscard]] Pose2 odometry() const;

  const sim::Setting& inputs_;
  sim::Reality reality_;
  std::uint64_t seed_;
  RobotTime start_;  // when the loop's time was zero
  SimulatedSetup setup_;
  MissionDesk missions_;
  std::vector<RobotCamera> cameras_;
  std::size_t first_goal_ = 0;
  std::optional<Vec2> commanded_;  // an operator's goal, since the tour began
  std::optional<RobotTime> idle_since_;
  Pose2 odometry_from_loop_;  // dead reckoning goes on when a new loop begins
  double turns_before_ = 0;   // likewise [rad]
  std::unique_ptr<sim::Model> model_;
  std::unique_ptr<sim::Body> body_;                 // none: the loop's own
  std::unique_ptr<navigate::Localizer> localizer_;  // likewise
  std::unique_ptr<navigate::ControlSystem> control_;
  std::unique_ptr<sim::Loop> loop_;
  std::optional<estimate::ChangeWatch> changes_;  // begins anew with each loop
  estimate::LatencyMeter latency_;
};

}  // namespace forerun::serve
