#include "forerun/predict/past_experiments.hpp"

#include <algorithm>
#include <utility>

#include "forerun/predict/onward.hpp"

namespace forerun::predict {

PastExperiments::PastExperiments(const ReplicaModel& model, std::span<const Driver> drivers,
                                 const std::shared_ptr<navigate::GoalPlan>& plan,
                                 const std::shared_ptr<const Manners>& manners) {
  const auto onward = std::make_shared<OnwardPlanner>(model.planning, model.robot, plan);
  for (Past& past : all_) past.experiment = std::make_unique<Experiment>(model, drivers, plan, onward, manners);
}

// The one whose neighbours in age are nearest to each other, as a ratio; too old ones before that.
std::size_t PastExperiments::least_missed() const noexcept {
  const RobotTime now = all_[0].experiment->begin();
  const auto age = [&](std::size_t i) { return to_seconds(now - all_[i].experiment->begin()) + 0.25; };
  if (age(n_past_) > kLongestGap) return n_past_;
  std::size_t best = 1;
  double least = age(2) / age(0);
  for (std::size_t i = 2; i < n_past_; ++i) {
    const double ratio = age(i + 1) / age(i - 1);
    if (ratio >= least) continue;
    least = ratio;
    best = i;
  }
  return best;
}

void PastExperiments::keep_newest() noexcept {
  if (n_past_ == kPast) {
    const std::size_t gone = least_missed();
    std::rotate(all_.begin(), all_.begin() + static_cast<std::ptrdiff_t>(gone),
                all_.begin() + static_cast<std::ptrdiff_t>(gone) + 1);
  } else {
    ++n_past_;
    std::rotate(all_.begin(), all_.begin() + static_cast<std::ptrdiff_t>(n_past_),
                all_.begin() + static_cast<std::ptrdiff_t>(n_past_) + 1);
  }
  all_[0].next_gap = 0;
}

}  // namespace forerun::predict
