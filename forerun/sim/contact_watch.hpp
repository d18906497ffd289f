// What the robot has driven against and still touches, as bumpers and motors that stall tell it.
#pragma once

#include <optional>
#include <span>

#include "forerun/base/time.hpp"
#include "forerun/robot/description.hpp"
#include "forerun/robot/drive.hpp"
#include "forerun/robot/hindrance.hpp"
#include "forerun/world/mover.hpp"
#include "forerun/world/outline.hpp"

namespace forerun::sim {

// What can be touched, and what touches it.
struct Touchable {
  const robot::Footprint& footprint;
  const world::Outline& outline;
  std::span<const world::Mover> movers;
};

class ContactWatch {
 public:
  // Farther than this from everything the robot has come away [m]: more than a step against it is long.
  explicit ContactWatch(const robot::Limits& limits) noexcept : apart_(0.01 + 0.015 * limits.max_speed) {}

  // It was stopped at `pose`, where it came with this velocity.
  void press(RobotTime now, const Pose2& pose, const robot::Twist& came, const Touchable& things) noexcept;
  // It stands or moves there now. Costs next to nothing while it touches nothing.
  void look(const Pose2& pose, const Touchable& things) noexcept;

  [[nodiscard]] std::optional<robot::Contact> at(RobotTime now) const noexcept;
  // How it came into the contact.
  [[nodiscard]] const robot::Twist& came() const noexcept { return came_; }

 private:
  void feel(const Pose2& pose, const Touchable& things) noexcept;

  double apart_;
  std::optional<RobotTime> since_;
  robot::Twist came_;
  robot::Contact contact_;
};

}  // namespace forerun::sim
