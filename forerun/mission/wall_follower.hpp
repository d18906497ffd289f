// The case of paper 5: a robot with one infrared sensor and one bumper, and a loosely tuned wall follower that bumps
// and backs up (DEC-9).
#pragma once

#include "forerun/navigate/control_system.hpp"
#include "forerun/robot/description.hpp"
#include "forerun/world/world.hpp"

namespace forerun::mission {

// Two wheels, an infrared sensor that looks to the right and ahead, and a bumper all round.
[[nodiscard]] robot::Description make_wall_follower_robot();
// A room with a right-angled wall in its middle.
[[nodiscard]] world::World make_right_angled_wall();

// Whether it has what the program below needs: an infrared sensor and a bumper.
[[nodiscard]] bool can_follow_walls(const robot::Description& robot) noexcept;

// Keeps the wall at its right, by the error of the measured distance alone. On contact it backs up and turns left.
class WallFollower final : public navigate::ControlSystem {
 public:
  struct Tuning {
    double wall_m = 0.36;    // wanted distance along the sensor's ray [m]
    double gain = 9;         // of the error [rad/s/m]
    double speed = 0.2;      // [m/s]
    double most_turn = 0.9;  // [rad/s]
    double back_s = 1.5;     // backs up for so long [s]
    double turn_s = 0.9;     // and turns for so long [s]
  };
  explicit WallFollower(const robot::Description& robot) : WallFollower(robot, Tuning{}) {}
  WallFollower(const robot::Description& robot, const Tuning& tuning);

  bool set_goal(std::optional<Vec2> goal) noexcept override { return !goal; }
  [[nodiscard]] bool can_reach_goal_from(Vec2) const noexcept override { return false; }
  [[nodiscard]] navigate::Decision decide(const navigate::Percept& percept) noexcept override;
  // Drives along the wall, and neither backs up nor turns away from it.
  [[nodiscard]] bool follows() const noexcept { return phase_ == Phase::follow; }

 private:
  enum class Phase { follow, back, turn };
  [[nodiscard]] robot::Twist drive(const navigate::Percept& percept) noexcept;

  Tuning tuning_;
  std::size_t infrared_ = 0, bumper_ = 0;  // in the robot's list
  double max_range_ = 0;                   // of the infrared sensor [m]
  Phase phase_ = Phase::follow;
  RobotTime until_;  // of the phase
};

}  // namespace forerun::mission
