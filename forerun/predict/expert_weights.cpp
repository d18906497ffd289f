#include "forerun/predict/expert_weights.hpp"

#include <algorithm>

#include "forerun/base/math.hpp"

namespace forerun::predict {
namespace {

constexpr double kUnseen = 0.1;  // errors of this size are localization's [m]

double sum_of(const ExpertRow& row, ExpertSet awake) noexcept {
  double sum = 0;
  for (std::size_t i = 0; i < kMostExperts; ++i) sum += contains(awake, i) ? row[i] : 0;
  return sum;
}

}  // namespace

double ExpertWeights::loss(double error, double gap, double scale) noexcept {
  return std::min(1.0, error / (scale * gap + kUnseen));
}

// Those that are asleep keep what they have: the others share the rest as before, but for what they have shown.
void ExpertWeights::teach(ExpertRow& weights, const ExpertRow& prior, const Lesson& lesson, double gap,
                          double strength) noexcept {
  const double all = sum_of(weights, lesson.awake), prior_all = sum_of(prior, lesson.awake);
  if (!(all > 0) || !(prior_all > 0)) return;
  double left = 0;
  for (std::size_t i = 0; i < kMostExperts; ++i) {
    if (!contains(lesson.awake, i)) continue;
    const double error = lesson.errors[i] * exp(growth_[i] * log(gap / lesson.gap));
    weights[i] *= exp(-params_.rate * strength * loss(error, gap, lesson.scale));
    left += weights[i];
  }
  const double share = params_.share * strength;
  for (std::size_t i = 0; i < kMostExperts; ++i) {
    if (!contains(lesson.awake, i)) continue;
    weights[i] = all * ((1 - share) * weights[i] / left + share * prior[i] / prior_all);
  }
}

void ExpertWeights::learn(const Lesson& lesson) noexcept {
  if (!(lesson.gap > 0)) return;
  for (std::size_t activity = 0; activity < kActivities; ++activity) {
    const double here = activity == lesson.activity ? 1 : params_.elsewhere;
    for (std::size_t i = 0; i < kLearnedGaps.size(); ++i) {
      const double strength = here * lesson_strength(lesson.gap, i, params_.reach);
      if (strength > 0) teach(weights_[activity][i], prior_[activity][i], lesson, kLearnedGaps[i], strength);
    }
  }
}

ExpertRow ExpertWeights::at(std::size_t activity, double gap, ExpertSet awake) const noexcept {
  const auto& rows = weights_[activity];
  const auto [before, next, share] = place_of(gap);
  ExpertRow row{};
  for (std::size_t i = 0; i < kMostExperts; ++i) {
    if (contains(awake, i)) row[i] = rows[before][i] + (rows[next][i] - rows[before][i]) * share;
  }
  const double all = sum_of(row, awake);
  if (all > 0) {
    for (double& weight : row) weight /= all;
  }
  return row;
}

}  // namespace forerun::predict
