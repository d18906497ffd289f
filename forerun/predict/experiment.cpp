#include "forerun/predict/experiment.hpp"

#include <algorithm>
#include <cstdint>

#include "forerun/base/check.hpp"
#include "forerun/robot/extrapolation.hpp"

namespace forerun::predict {

std::vector<const char*> expert_names(std::span<const Driver> drivers) {
  std::vector<const char*> names{"stay", "extrapolation", "mission"};
  for (const Driver& driver : drivers) names.push_back(driver.name);
  return names;
}

Experiment::Course::Course(const Driver& driver, const DriverInputs& inputs)
    : is_slowed(driver.is_slowed),
      needs_path(driver.needs_path),
      control(driver.make(inputs)),
      replica(inputs.model, *control) {}

Experiment::Experiment(const ReplicaModel& model, std::span<const Driver> drivers,
                       const std::shared_ptr<navigate::GoalPlan>& plan, const std::shared_ptr<OnwardPlanner>& onward,
                       const std::shared_ptr<const Manners>& manners) {
  FORERUN_ASSERT(!drivers.empty() && kFirstDriver + drivers.size() <= kMostExperts);
  courses_.reserve(drivers.size());
  for (const Driver& driver : drivers)
    courses_.emplace_back(driver, DriverInputs{model, model.robot, plan, onward, manners});
}

void Experiment::start(const Start& start) noexcept {
  report_ = start.report;
  time_ = report_.time;
  activity_ = start.activity;
  mission_ = start.mission;
  awake_ = 1U << kStays | 1U << kExtrapolates;
  if (mission_) awake_ |= 1U << kOnMission;
  for (std::size_t i = 0; i < courses_.size(); ++i) {
    Course& course = courses_[i];
    if (course.needs_path && start.path.size() < 2) continue;
    awake_ |= static_cast<ExpertSet>(1U << (kFirstDriver + i));
    course.control->set_path(start.path);
    course.replica.resync(report_, course.is_slowed ? start.slowed : start.usual);
  }
  passed_.clear();
  passed_.push_back(poses());
}

void Experiment::advance(RobotTime until) noexcept {
  while (time_ < until) {
    const RobotTime due = report_.time + Duration{kStep.ns * static_cast<std::int64_t>(passed_.size())};
    time_ = passed_.full() ? until : std::min(until, due);
    for (std::size_t i = 0; i < courses_.size(); ++i) {
      if (contains(awake_, kFirstDriver + i)) courses_[i].replica.advance(time_);
    }
    if (time_ == due) passed_.push_back(poses());
  }
}

ExpertPoses Experiment::poses() const noexcept {
  ExpertPoses all{};
  for (std::size_t i = 0; i < n_experts(); ++i) all[i] = state(i).pose;
  return all;
}

ExpertPoses Experiment::poses_at(RobotTime time) const noexcept {
  const double steps = to_seconds(time - report_.time) / to_seconds(kStep);
  const auto before = static_cast<std::size_t>(std::max(0.0, steps));
  if (time >= time_ || before + 1 >= passed_.size()) return poses();
  const double share = steps - static_cast<double>(before);
  ExpertPoses all = passed_[before];
  for (std::size_t i = 0; i < n_experts(); ++i) {
    const Pose2 &p = passed_[before][i], &q = passed_[before + 1][i];
    all[i] = {p.x + (q.x - p.x) * share, p.y + (q.y - p.y) * share,
              normalize_angle(p.theta + normalize_angle(q.theta - p.theta) * share)};
  }
  return all;
}

robot::State Experiment::state(std::size_t expert) const noexcept {
  if (expert == kExtrapolates) return robot::extrapolate(report_, time_ - report_.time);
  if (expert == kOnMission && mission_) return mission_->state_after(to_seconds(time_ - report_.time));
  if (expert == kStays || !contains(awake_, expert)) return {report_.state.pose, {}};
  return courses_[expert - kFirstDriver].replica.state();
}

}  // namespace forerun::predict
