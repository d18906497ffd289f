// What holds a robot up that no map shows: how often that happens to this robot, and how long it lasts.
#pragma once

#include "forerun/base/survival.hpp"

namespace forerun::predict {

class HoldUps {
 public:
  // Expected to last so long, at first [s].
  explicit HoldUps(double usual) noexcept : lasting_(usual) {}

  // It meant to drive for `time` seconds and came as far as it should have in `time` − `lost`. `stands`: it is held up
  // still.
  void take_in(double time, double lost, bool stands) noexcept;
  // Something else began: what holds it up now is not known.
  void forget_current() noexcept { so_far_ = 0; }

  // Per second of driving.
  [[nodiscard]] double rate() const noexcept;
  // For how long it has been held up [s]; 0: it is not.
  [[nodiscard]] double so_far() const noexcept { return so_far_; }
  [[nodiscard]] const SurvivalCurve& lasting() const noexcept { return lasting_; }
  // The chance that a robot that drove at the time of its report has lost more than `lost` seconds `gap` later.
  [[nodiscard]] double chance_of_losing(double lost, double gap) const noexcept;

 private:
  double driven_ = 0;  // [s]
  double n_seen_ = 0;
  double so_far_ = 0;
  SurvivalCurve lasting_;
};

}  // namespace forerun::predict
