// How long something lasts, learned from how long it has lasted: waits of a robot, and what holds it up.
#pragma once

#include <cstddef>

#include "forerun/base/fixed_vector.hpp"
#include "forerun/base/math.hpp"

namespace forerun {

// At first it lasts longer than `usual` as likely as not, and the longer it has lasted, the longer it is expected to go
// on. Each time that it was seen to end says more about the next time.
class SurvivalCurve {
 public:
  explicit SurvivalCurve(double usual) noexcept : usual_(usual) {}

  // It lasted so long [s].
  void learn(double lasted) noexcept;
  // The chance that it lasts longer than this.
  [[nodiscard]] double at(double time) const noexcept;
  // The chance that it lasts `more` seconds longer, given that it has lasted `so_far`.
  [[nodiscard]] double after(double so_far, double more) const noexcept { return at(so_far + more) / at(so_far); }
  // As likely as not it has ended after so many more seconds.
  [[nodiscard]] double median_left(double so_far) const noexcept;

 private:
  static constexpr std::size_t kRoom = 16;

  double usual_;
  FixedVector<double, kRoom> lasted_;
  std::size_t oldest_ = 0;  // to be forgotten when all places are taken
};

}  // namespace forerun
