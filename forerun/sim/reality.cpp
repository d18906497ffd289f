#include "forerun/sim/reality.hpp"

namespace forerun::sim {

std::optional<Reality> find_reality(std::string_view name) noexcept {
  for (const Reality& reality : kRealities) {
    if (name == reality.name) return reality;
  }
  return std::nullopt;
}

robot::Description apply(const Reality& reality, const robot::Description& believed, Random& random) {
  robot::Description real = believed;
  const double share = 1 - reality.slower;
  for (double* limit : {&real.limits.max_speed, &real.limits.max_turn_rate, &real.limits.acceleration,
                        &real.limits.deceleration, &real.limits.turn_acceleration, &real.limits.turn_deceleration}) {
    *limit *= share;
  }
  for (double* weight : {&real.control.heading_weight, &real.control.distance_weight, &real.control.velocity_weight}) {
    *weight *= random.uniform() < 0.5 ? 1 - reality.weight_error : 1 + reality.weight_error;
  }
  if (reality.laser_noise > 0) {
    for (robot::Sensor& sensor : real.sensors) {
      if (auto* laser = std::get_if<robot::Laser>(&sensor)) laser->noise = reality.laser_noise;
    }
  }
  return real;
}

}  // namespace forerun::sim
