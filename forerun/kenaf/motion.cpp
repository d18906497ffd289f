#include "forerun/kenaf/motion.hpp"

#include <algorithm>
#include <cmath>

namespace forerun::kenaf {

Motion::Step Motion::step(double done, double now_s) {
  const double left = way_ - done, distance = std::fabs(left);
  if (!begin_s_) {
    begin_s_ = nearer_at_s_ = now_s;
    nearest_ = distance;
  }
  // there, once it has stood there for a moment: it may roll on
  if (distance <= limits_.tolerance) {
    if (!there_since_s_) there_since_s_ = now_s;
    return {now_s - *there_since_s_ >= limits_.settling_s ? State::there : State::going, 0};
  }
  there_since_s_.reset();
  if (distance < nearest_ - limits_.progress) {
    nearest_ = distance;
    nearer_at_s_ = now_s;
  }
  if (now_s - nearer_at_s_ > limits_.patience_s) return {State::stalled, 0};
  const double started = limits_.slowest + limits_.acceleration * (now_s - *begin_s_);
  const double ending = std::max(limits_.slowest, limits_.gain * distance);
  return {State::going, std::copysign(std::min({limits_.fastest, started, ending}), left)};
}

}  // namespace forerun::kenaf
