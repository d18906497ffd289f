// What the simulated robot moves with: commands in, the truth and what the robot itself measures of it out. The planar
// body is one; a body in a physics engine is another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "forerun/base/hash.hpp"
#include "forerun/geom/pose.hpp"
#include "forerun/robot/motion.hpp"
#include "forerun/robot/posture.hpp"

namespace forerun::sim {

class Body {
 public:
  virtual ~Body() = default;

  // Moves on by `dt` [s] towards the commanded velocities. Allocates nothing.
  virtual void step(const robot::Twist& command, double dt) noexcept = 0;
  // The loop found contact: back to where the last step began, standing; with `may_turn` it stands there, but turns on.
  virtual void block(bool may_turn) noexcept = 0;
  // Whether it feels walls by itself: then nobody need look for contacts.
  [[nodiscard]] virtual bool feels_contacts() const noexcept { return false; }
  // Where flippers shall go, until told otherwise. Most bodies have none.
  virtual void move_flippers(const robot::FlipperAngles&) noexcept {}

  [[nodiscard]] virtual const robot::State& state() const noexcept = 0;  // the truth
  // How it stands, where the ground is rough; nothing on a level floor.
  [[nodiscard]] virtual std::optional<robot::Posture> posture() const noexcept { return std::nullopt; }
  [[nodiscard]] virtual const Pose2& odometry() const noexcept = 0;  // what dead reckoning makes of it
  // The same, with a heading that counts whole turns.
  [[nodiscard]] virtual Pose2 unwrapped_odometry() const noexcept = 0;
  // What the wheels say, with the errors of the odometry.
  [[nodiscard]] virtual robot::Twist measured_velocity() const noexcept = 0;
  // Whole encoder ticks since the start.
  [[nodiscard]] virtual std::int64_t ticks(std::size_t wheel) const noexcept = 0;
  [[nodiscard]] virtual double path_length() const noexcept = 0;  // driven since the start [m]
  [[nodiscard]] virtual bool moves() const noexcept = 0;

  // All that its future depends on, for the hash of a run.
  virtual void add_to(Hash& hash) const noexcept = 0;
};

}  // namespace forerun::sim
