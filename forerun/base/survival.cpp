#include "forerun/base/survival.hpp"

#include <algorithm>

namespace forerun {
namespace {

constexpr double kPrior = 1.5;     // so many ends is what is known at first worth
constexpr double kShortest = 0.2;  // reports do not tell shorter times apart [s]

}  // namespace

void SurvivalCurve::learn(double lasted) noexcept {
  const double time = std::max(lasted, kShortest);
  if (lasted_.push_back(time)) return;
  lasted_[oldest_] = time;
  oldest_ = (oldest_ + 1) % kRoom;
}

// Each end that was seen makes ends at about that time likelier; what is known at first has a long tail.
double SurvivalCurve::at(double time) const noexcept {
  double sum = kPrior / (1 + square(time / usual_));
  for (const double lasted : lasted_) sum += 1 / (1 + square(square(time / lasted)));
  return sum / (kPrior + static_cast<double>(lasted_.size()));
}

double SurvivalCurve::median_left(double so_far) const noexcept {
  double low = 0, high = usual_ + so_far;
  while (after(so_far, high) > 0.5) high *= 2;
  for (int i = 0; i < 30; ++i) {
    const double middle = (low + high) / 2;
    (after(so_far, middle) > 0.5 ? low : high) = middle;
  }
  return high;
}

}  // namespace forerun
