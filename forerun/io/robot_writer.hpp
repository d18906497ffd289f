// Robot files with other limits, weights and wheels, all else as it was.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "forerun/base/result.hpp"
#include "forerun/robot/description.hpp"

namespace forerun::io {

// What other programs call a calibrated pair of wheels: ros2_control's diff_drive_controller. The multipliers turn the
// nominal values into the calibrated ones.
struct Ros2Control {
  double wheel_radius = 0.035;     // [m]
  double wheel_separation = 0.25;  // [m]
  double left_wheel_radius_multiplier = 1;
  double right_wheel_radius_multiplier = 1;
  double wheel_separation_multiplier = 1;
};
[[nodiscard]] Ros2Control to_ros2_control(const robot::DifferentialGeometry& nominal,
                                          const robot::DifferentialGeometry& calibrated);

template <class Visit>
void visit_fields(Ros2Control& p, Visit&& visit) {
  constexpr Field kMultiplier{0.1, 10, "calibrated ÷ nominal"};
  visit("wheel_radius", p.wheel_radius, Field{0.001, 5, "nominal, mean of both wheels [m]"});
  visit("wheel_separation", p.wheel_separation, Field{0.01, 50, "nominal [m]"});
  visit("left_wheel_radius_multiplier", p.left_wheel_radius_multiplier, kMultiplier);
  visit("right_wheel_radius_multiplier", p.right_wheel_radius_multiplier, kMultiplier);
  visit("wheel_separation_multiplier", p.wheel_separation_multiplier, kMultiplier);
}

// The robot file `text` with limits, control parameters and wheels of `robot`: every other value keeps its digits,
// comments are lost. `about` becomes a comment at the top. `file` is the name used in messages.
[[nodiscard]] Result<std::string> rewrite_robot(std::string_view text, const std::string& file,
                                                const robot::Description& robot, const std::string& about,
                                                const std::optional<Ros2Control>& ros2_control = std::nullopt);

// A file with nothing but the drive, for a robot that has no file.
[[nodiscard]] std::string write_drive(const robot::DifferentialGeometry& wheels, double ticks_per_turn,
                                      const Ros2Control& ros2_control, const std::string& about);

}  // namespace forerun::io
