// Experiments that go on after newer reports have come: each of those shows who was right at a longer gap.
#pragma once

#include <array>
#include <memory>

#include "forerun/predict/experiment.hpp"

namespace forerun::predict {

// Keeps a few whose ages grow about geometrically, however often reports come.
class PastExperiments {
 public:
  PastExperiments(const ReplicaModel& model, std::span<const Driver> drivers,
                  const std::shared_ptr<navigate::GoalPlan>& plan, const std::shared_ptr<const Manners>& manners);

  // The newest, which is not among the past ones yet.
  [[nodiscard]] Experiment& newest() noexcept { return *all_[0].experiment; }
  [[nodiscard]] const Experiment& newest() const noexcept { return *all_[0].experiment; }
  // The newest becomes one of the past; the place of the newest is free for the next report.
  void keep_newest() noexcept;
  void forget() noexcept { n_past_ = 0; }

  // Calls `teach(experiment, gap)` for each past one that is due at this time, with the experiment advanced to it or
  // beyond.
  template <class Teach>
  void visit_due(RobotTime now, Teach&& teach) noexcept {
    for (std::size_t i = 1; i <= n_past_; ++i) {
      Past& past = all_[i];
      const double gap = to_seconds(now - past.experiment->begin());
      if (gap < past.next_gap || gap > kLongestGap) continue;
      past.next_gap = gap * kNextGap;
      if (past.experiment->time() < now) past.experiment->advance(now);
      teach(*past.experiment, gap);
    }
  }

 private:
  static constexpr std::size_t kPast = 4;
  static constexpr double kLongestGap = 25;  // [s]
  static constexpr double kNextGap = 1.3;    // an experiment teaches again when it is this many times as old

  struct Past {
    std::unique_ptr<Experiment> experiment;
    double next_gap = 0;  // teaches from here on [s]
  };
  [[nodiscard]] std::size_t least_missed() const noexcept;

  std::array<Past, kPast + 1> all_;  // the newest, then the past ones from the youngest to the oldest
  std::size_t n_past_ = 0;
};

}  // namespace forerun::predict
