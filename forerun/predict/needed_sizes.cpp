#include "forerun/predict/needed_sizes.hpp"

#include <algorithm>

#include "forerun/base/math.hpp"

namespace forerun::predict {
namespace {

constexpr double kPrior = 2;           // so many lessons is what was thought at first worth …
constexpr double kPriorWidth = 1.5;    // … which may be wrong by this, each way
constexpr double kBlur = 0.15;         // each size stands for those about as large, by this much each way
constexpr double kLeastWeight = 0.01;  // lessons that count less are not worth the work

// Share of an even spread of this width each way about `middle` that lies below.
double below(double size, double middle, double width) noexcept {
  return clamp(0.5 + (size - middle) / (2 * width), 0.0, 1.0);
}

}  // namespace

void NeededSizes::learn(const Lesson& lesson) noexcept {
  const auto [before, next, share] = place_of(lesson.gap);
  Cell& cell = cells_[lesson.activity][share < 0.5 ? before : next];
  cell.lessons[cell.n++ % kRoom] = {static_cast<float>(log(lesson.gap)),
                                    static_cast<float>(clamp(lesson.size, kLeast, kMost)),
                                    static_cast<float>(lesson.weight)};
}

double NeededSizes::holding(double share, const Asked& asked) const noexcept {
  struct Weighed {
    double size, weight;
  };
  FixedVector<Weighed, ExpertWeights::kActivities * kLearnedGaps.size() * kRoom> all;
  const double log_gap = log(asked.gap);
  double sum = kPrior;
  for (std::size_t activity = 0; activity < cells_.size(); ++activity) {
    const double here = activity == asked.activity ? 1 : asked.elsewhere;
    for (const Cell& cell : cells_[activity]) {
      for (std::size_t i = 0; i < std::min(cell.n, kRoom); ++i) {
        const Remembered& lesson = cell.lessons[i];
        const double off = (static_cast<double>(lesson.log_gap) - log_gap) / asked.reach;
        const double weight = here * static_cast<double>(lesson.weight) * exp(-0.5 * square(off));
        if (weight < kLeastWeight) continue;
        all.push_back({static_cast<double>(lesson.size), weight});
        sum += weight;
      }
    }
  }
  double low = kLeast, high = kMost;
  for (int k = 0; k < 16; ++k) {
    const double size = (low + high) / 2;
    double held = kPrior * below(size, 0, kPriorWidth);
    for (const Weighed& lesson : all) held += lesson.weight * below(size, lesson.size, kBlur);
    (held < share * sum ? low : high) = size;
  }
  return high;
}

}  // namespace forerun::predict
