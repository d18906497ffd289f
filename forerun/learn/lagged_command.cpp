#include "forerun/learn/lagged_command.hpp"

#include "forerun/base/check.hpp"
#include "forerun/base/math.hpp"

namespace forerun::learn {
namespace {

// What is left of a difference after this time.
double share_left(double time, double lag) { return lag > 0 ? exp(-time / lag) : 0; }

}  // namespace

LaggedCommand::LaggedCommand(std::span<const CommandStep> steps, double lag) : steps_(steps), lag_(lag) {
  FORERUN_CHECK(!steps.empty());
  corners_.reserve(steps.size());
  corners_.push_back({steps.front().value, 0});
  for (std::size_t i = 1; i < steps.size(); ++i) {
    const double time = steps[i].time - steps[i - 1].time, value = steps[i - 1].value;
    const Corner& before = corners_.back();
    corners_.push_back({value + (before.speed - value) * share_left(time, lag), before.commanded + value * time});
  }
}

LaggedCommand::Motion LaggedCommand::at(double time) noexcept {
  if (time < steps_[now_].time) now_ = 0;
  while (now_ + 1 < steps_.size() && steps_[now_ + 1].time <= time) ++now_;
  const CommandStep& step = steps_[now_];
  const Corner& corner = corners_[now_];
  const double since = time - step.time;
  const double speed = since > 0 ? step.value + (corner.speed - step.value) * share_left(since, lag_) : corner.speed;
  // lag · v̇ + v = command, integrated
  const double travelled = corner.commanded + step.value * since - lag_ * (speed - corners_.front().speed);
  return {speed, travelled};
}

}  // namespace forerun::learn
