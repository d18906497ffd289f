#include "forerun/navigate/executive.hpp"

namespace forerun::navigate {

bool Executive::start(std::span<const Task> tasks) noexcept {
  if (tasks.size() > kMaxTasks) return false;
  tasks_.clear();
  for (const Task& task : tasks) tasks_.push_back(task);
  current_ = 0;
  n_reached_ = 0;
  state_ = tasks_.empty() ? TaskState::idle : TaskState::driving;
  return true;
}

void Executive::cancel() noexcept {
  if (state_ == TaskState::driving || state_ == TaskState::waiting) state_ = TaskState::cancelled;
}

void Executive::give_up() noexcept {
  if (state_ == TaskState::driving) state_ = TaskState::unreachable;
}

void Executive::update(RobotTime now, const Pose2& pose, double tolerance) noexcept {
  if (state_ == TaskState::driving && distance(pose.position(), tasks_[current_].goal) <= tolerance) {
    ++n_reached_;
    wait_until_ = now + from_seconds(tasks_[current_].wait);
    state_ = TaskState::waiting;
  }
  if (state_ == TaskState::waiting && now >= wait_until_) {
    ++current_;
    state_ = current_ < tasks_.size() ? TaskState::driving : TaskState::done;
  }
}

std::optional<Vec2> Executive::goal() const noexcept {
  if (state_ != TaskState::driving) return std::nullopt;
  return tasks_[current_].goal;
}

std::optional<Vec2> Executive::next_goal() const noexcept {
  if (state_ != TaskState::waiting || current_ + 1 >= tasks_.size()) return std::nullopt;
  return tasks_[current_ + 1].goal;
}

Duration Executive::remaining_wait(RobotTime now) const noexcept {
  if (state_ != TaskState::waiting || now >= wait_until_) return {};
  return wait_until_ - now;
}

}  // namespace forerun::navigate
