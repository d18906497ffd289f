// How a robot has been seen to drive, which no description says.
#pragma once

#include "forerun/robot/report.hpp"

namespace forerun::predict {

class Manners {
 public:
  static constexpr double kBend = 0.1;  // who turns faster than this is in a bend [rad/s]

  // `top_speed`: at which it drives on straight ways [m/s]. `held_up`: by something that others cannot see.
  void take_in(const robot::Report& report, double top_speed, bool held_up) noexcept;

  // Share of its speed on straight ways at which it takes bends.
  [[nodiscard]] double bend_speed() const noexcept { return bend_speed_; }
  // At which it turns on the spot [rad/s]; 0: never seen.
  [[nodiscard]] double turn_rate() const noexcept { return turn_rate_; }

 private:
  void learn_bends(const robot::Report& report, double top_speed) noexcept;
  void learn_turning(const robot::Report& report) noexcept;

  double bend_speed_ = 1;
  double n_bends_ = 3;  // that were seen; a few are what is known at first
  double turn_rate_ = 0;
};

}  // namespace forerun::predict
