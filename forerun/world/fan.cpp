#include "forerun/world/fan.hpp"

#include <algorithm>

#include "forerun/base/check.hpp"

namespace forerun::world {

void fan_directions(const Fan& fan, std::size_t first_beam, std::span<double> x, std::span<double> y) noexcept {
  FORERUN_CHECK(x.size() == y.size() && x.size() <= kFanBlock);
  const std::size_t n = x.size();
  if (n == 0) return;
  const SinCos first = sincos(fan.first_angle + static_cast<double>(first_beam) * fan.angle_step);
  x[0] = first.cos;
  y[0] = first.sin;
  // each round turns all beams so far by twice the angle of the round before: log₂ n roundings for the last beam
  for (std::size_t done = 1; done < n; done *= 2) {
    const SinCos turn = sincos(static_cast<double>(done) * fan.angle_step);
    const std::size_t n_more = std::min(done, n - done);
    double* const new_x = x.data() + done;
    double* const new_y = y.data() + done;
    for (std::size_t i = 0; i < n_more; ++i) {
      const double old_x = x[i];
      const double old_y = y[i];
      new_x[i] = old_x * turn.cos - old_y * turn.sin;
      new_y[i] = old_x * turn.sin + old_y * turn.cos;
    }
  }
}

}  // namespace forerun::world
