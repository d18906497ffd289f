// Where a tracked robot is now on known terrain, and how it stands: the physics runs ahead from its last report, with
// what its motors were doing then or what the operator has told it since. Beside it stand two simpler experts, who have
// the robot stay or go on as it did; who has been right at such gaps is believed.
#pragma once

#include <array>
#include <deque>
#include <optional>

#include "forerun/base/time.hpp"
#include "forerun/physics/scene.hpp"
#include "forerun/predict/expert_weights.hpp"
#include "forerun/robot/description.hpp"
#include "forerun/robot/report.hpp"
#include "forerun/world/world.hpp"

namespace forerun::physics {

class TerrainPredictor {
 public:
  enum Expert : std::size_t { kStays, kExtrapolates, kPhysics };
  static constexpr std::size_t kExperts = 3;

  // A robot with a crawler, on rough terrain.
  [[nodiscard]] static Result<TerrainPredictor> make(const world::World& world, const robot::Description& robot);

  // One from an earlier time is of a robot side that was started again; the same one again changes nothing, nor does
  // one without a posture, which says nothing of rough ground.
  void take(const robot::Report& report) noexcept;
  // A drive command of whoever watches, which reaches the robot at this time of its clock.
  void give(RobotTime time, const robot::Twist& velocity, const std::optional<robot::FlipperAngles>& flippers) noexcept;

  struct Estimate {
    Pose2 pose;
    robot::Posture posture;
    std::array<Pose2, kExperts> experts{};  // where each has it
    predict::ExpertRow weights{};           // how much each is believed
  };
  // At this time of the robot's clock, not before the last report; nothing before the first. Beyond half a minute it
  // stands still.
  [[nodiscard]] std::optional<Estimate> at(RobotTime now) noexcept;

 private:
  // From one report on.
  struct Run {
    Scene scene;
    robot::Report report;
    RobotTime time;  // how far it is
    bool begun = false;
  };
  struct Given {
    RobotTime time;
    robot::Twist velocity;
    std::optional<robot::FlipperAngles> flippers;
  };

  TerrainPredictor(Scene first, Scene second, const robot::Description& robot, const world::Terrain& terrain);
  void begin(Run& run, const robot::Report& report) noexcept;
  void advance(Run& run, RobotTime until) noexcept;
  void learn(Run& run, const robot::Report& report) noexcept;
  [[nodiscard]] std::array<Pose2, kExperts> poses(const Run& run, RobotTime now) const noexcept;

  robot::Description robot_;
  world::Terrain terrain_;
  Run newest_;
  Run long_;  // goes on through later reports, which show who is right at longer gaps
  std::deque<Given> given_;
  predict::ExpertWeights weights_;
};

}  // namespace forerun::physics
