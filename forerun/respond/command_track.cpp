#include "forerun/respond/command_track.hpp"

#include <algorithm>

namespace forerun::respond {
namespace {

constexpr std::size_t kNewest = 8;  // that are looked through one by one

void add(robot::Twist& sum, const robot::Twist& velocity, double weight) noexcept {
  sum.vx += velocity.vx * weight;
  sum.vy += velocity.vy * weight;
  sum.w += velocity.w * weight;
}

}  // namespace

void CommandTrack::give(double time, const robot::Twist& velocity) noexcept {
  if (n_ > 0) {
    Change& newest = changes_[(first_ + n_ - 1) % kChanges];
    if (!(time >= newest.time) || velocity == newest.velocity) return;
    if (time - newest.time < kFinest) {
      newest.velocity = velocity;
      return;
    }
  }
  if (n_ == kChanges) {
    first_ = (first_ + 1) % kChanges;
    --n_;
    forgot_ = true;
  }
  changes_[(first_ + n_++) % kChanges] = {time, velocity};
}

std::size_t CommandTrack::count_until(double time) const noexcept {
  // most often it is among the newest
  std::size_t high = n_;
  for (std::size_t i = 0; i < kNewest; ++i, --high) {
    if (high == 0 || change(high - 1).time <= time) return high;
  }
  std::size_t low = 0;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (change(middle).time <= time) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

robot::Twist CommandTrack::before(std::size_t i) const noexcept {
  if (i > 0) return change(i - 1).velocity;
  return forgot_ ? change(0).velocity : robot::Twist{};
}

robot::Twist CommandTrack::at(double time) const noexcept { return before(count_until(time)); }

robot::Twist CommandTrack::mean_of_changes(double from, double to) const noexcept {
  std::size_t i = count_until(from);
  if (i == n_ || change(i).time >= to) return before(i);  // most often it does not change
  robot::Twist sum;
  for (double time = from; time < to; ++i) {
    const double end = i < n_ ? std::min(change(i).time, to) : to;
    add(sum, before(i), end - time);
    time = end;
  }
  robot::Twist mean;
  add(mean, sum, 1 / (to - from));
  return mean;
}

}  // namespace forerun::respond
