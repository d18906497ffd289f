// A tracked robot in the physics engine as the body of a simulated robot: the same loop, sensors, control system and
// reports as on a level floor, and a posture beside them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "forerun/physics/scene.hpp"
#include "forerun/robot/motors.hpp"
#include "forerun/sim/body.hpp"
#include "forerun/sim/model.hpp"

namespace forerun::physics {

class CrawlerBody final : public sim::Body {
 public:
  // Put down at the model's start. Refused where it cannot stand there. The model must outlive the body, and its robot
  // has a crawler.
  [[nodiscard]] static Result<std::unique_ptr<CrawlerBody>> make(const sim::Model& model);

  void step(const robot::Twist& command, double dt) noexcept override;
  void block(bool) noexcept override {}  // walls are in the scene
  void move_flippers(const robot::FlipperAngles& angles) noexcept override { flippers_ = angles; }
  [[nodiscard]] bool feels_contacts() const noexcept override { return true; }

  [[nodiscard]] const robot::State& state() const noexcept override { return state_; }
  [[nodiscard]] std::optional<robot::Posture> posture() const noexcept override { return posture_; }
  [[nodiscard]] const Pose2& odometry() const noexcept override { return odometry_; }
  [[nodiscard]] Pose2 unwrapped_odometry() const noexcept override { return {odometry_.x, odometry_.y, turned_}; }
  [[nodiscard]] robot::Twist measured_velocity() const noexcept override { return measured_; }
  [[nodiscard]] std::int64_t ticks(std::size_t wheel) const noexcept override;
  [[nodiscard]] double path_length() const noexcept override { return path_length_; }
  [[nodiscard]] bool moves() const noexcept override;

  void add_to(Hash& hash) const noexcept override;

  // For those who draw it or run it ahead.
  [[nodiscard]] const Scene& scene() const noexcept { return scene_; }

 private:
  CrawlerBody(Scene scene, const sim::Model& model) noexcept;
  void look() noexcept;

  Scene scene_;
  const sim::Model& model_;
  robot::Motors motors_;  // what the tracks' controllers want, ramped
  robot::FlipperAngles flippers_{};
  double owed_ = 0;  // time that is no whole step yet [s]
  robot::State state_;
  robot::Posture posture_;
  robot::Twist measured_;
  Pose2 odometry_;
  double turned_ = 0;  // heading of the odometry, with whole turns [rad]
  double left_angle_ = 0, right_angle_ = 0;
  double path_length_ = 0;
};

// The belts' speeds that give this motion, slip in turns taken off.
[[nodiscard]] CrawlerCommand belts_for(const robot::Drive& drive, const robot::Crawler& crawler,
                                       const robot::Twist& twist) noexcept;
// The two halves of what a report says of it: in the plan view, and how it stands.
[[nodiscard]] robot::State planar_state(const CrawlerState& state) noexcept;
[[nodiscard]] robot::Posture posture_of(const CrawlerState& state) noexcept;

// The body for a model whose robot has tracks and whose ground is rough; none: the loop's own will do.
[[nodiscard]] Result<std::unique_ptr<sim::Body>> make_body(const sim::Model& model);

}  // namespace forerun::physics
