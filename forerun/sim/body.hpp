// What the simulated robot moves with: commands in, the truth and what the robot itself measures of it out. The planar
// body is one; a body in a physics engine is another.
#pragma once

#include <cstddef>
#include <cstdint>

#include "forerun/base/hash.hpp"
#include "forerun/geom/pose.hpp"
#include "forerun/robot/motion.hpp"

namespace forerun::sim {

class Body {
 public:
  virtual ~Body() = default;

  // Moves on by `dt` [s] towards the commanded velocities. Allocates nothing.
  virtual void step(const robot::Twist& command, double dt) noexcept = 0;
  // The loop found contact: back to where the last step began, standing; with `may_turn` it stands there, but turns on.
  // A body that finds contacts by itself stands already and does nothing.
  virtual void block(bool may_turn) noexcept = 0;

  [[nodiscard]] virtual const robot::State& state() const noexcept = 0;  // the truth
  [[nodiscard]] virtual const Pose2& odometry() const noexcept = 0;      // what dead reckoning makes of it
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
