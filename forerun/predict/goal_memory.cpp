#include "forerun/predict/goal_memory.hpp"

#include <algorithm>

namespace forerun::predict {
namespace {

using robot::TaskState;

constexpr double kSame = 0.5;                         // goals nearer to each other than this are one [m]
constexpr Duration kOverdue = from_seconds(3);        // a robot that should have left long ago will leave soon
constexpr Duration kLongestWait = from_seconds(300);  // longer ones say nothing about the next

// Takes the place of the oldest one when there is no more room.
template <class T, std::size_t N>
void put(FixedVector<T, N>& list, std::size_t& oldest, const T& element) noexcept {
  if (list.push_back(element)) return;
  list[oldest] = element;
  oldest = (oldest + 1) % N;
}

}  // namespace

void GoalMemory::remember_step(Vec2 from, Vec2 to) noexcept {
  for (Step& step : steps_) {
    if (distance(step.from, from) >= kSame) continue;
    step.to = to;
    return;
  }
  put(steps_, next_step_, Step{from, to});
}

void GoalMemory::take_in(const robot::Report& report, std::optional<RobotTime> arrival, double speed) noexcept {
  if (report.task == TaskState::waiting && goal_ && !arrived_ && before_) {
    const bool fits = arrival && *arrival > *before_ && *arrival <= report.time;
    arrived_ = fits ? *arrival : *before_ + from_seconds(to_seconds(report.time - *before_) / 2);
  }
  if (report.task == TaskState::driving && report.goal) {
    if (goal_ && distance(*goal_, *report.goal) >= kSame) {
      remember_step(*goal_, *report.goal);
      const double driven = distance(*goal_, report.state.pose.position());
      const RobotTime left = report.time - from_seconds(speed > 0 ? driven / speed : 0);
      const bool waited = arrived_ && left > *arrived_ && left - *arrived_ < kLongestWait;
      if (waited) {
        put(waits_, next_wait_, left - *arrived_);
        waiting_.learn(to_seconds(left - *arrived_));
      }
    }
    goal_ = report.goal;
    arrived_.reset();
    const bool is_new =
        std::none_of(known_.begin(), known_.end(), [&](Vec2 known) { return distance(known, *goal_) < kSame; });
    if (is_new) put(known_, next_known_, *goal_);
  }
  before_ = report.time;
}

std::optional<Duration> GoalMemory::usual_wait() const noexcept {
  if (waits_.empty()) return std::nullopt;
  FixedVector<Duration, kWaits> sorted = waits_;
  std::sort(sorted.begin(), sorted.end());
  return sorted[sorted.size() / 2];
}

std::optional<NextGoal> GoalMemory::after(Vec2 goal) const noexcept {
  const auto wait = usual_wait();
  if (!wait) return std::nullopt;
  for (const Step& step : steps_) {
    if (distance(step.from, goal) < kSame) return NextGoal{step.to, *wait};
  }
  return std::nullopt;
}

robot::Report GoalMemory::completed(const robot::Report& report) const noexcept {
  if (report.task != TaskState::waiting || report.goal || !goal_ || !arrived_) return report;
  const auto next = after(*goal_);
  if (!next) return report;
  robot::Report result = report;
  result.goal = next->goal;
  result.remaining_wait = std::max(next->wait - (report.time - *arrived_), kOverdue);
  return result;
}

}  // namespace forerun::predict
