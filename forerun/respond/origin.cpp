#include "forerun/respond/origin.hpp"

#include <algorithm>

#include "forerun/base/math.hpp"

namespace forerun::respond {
namespace {

constexpr int kFewest = 4;  // samples that make a line

// What was seen some time ago less what was expected then, from now.
class Residuals {
 public:
  explicit Residuals(const SeenTrack& track) noexcept
      : track_(track), seen_(track.newest().pose), expected_(track.newest().expected.path) {}

  // For times [s] that rise from one call to the next.
  [[nodiscard]] Pose2 back(double time) noexcept {
    const Seen& now = track_.newest();
    const Seen then = track_.at(now.time - time, hint_);
    const Vec2 off = seen_.to_local(then.pose.position()) - expected_.to_local(then.expected.path.position());
    return {off.x, off.y,
            normalize_angle((then.pose.theta - now.pose.theta) - (then.expected.path.theta - now.expected.path.theta))};
  }

 private:
  const SeenTrack& track_;
  Transform2 seen_, expected_;
  std::size_t hint_ = 0;
};

// Least squares over samples at even times before now.
class Line {
 public:
  void add(double time, const Pose2& value) noexcept {
    n_ += 1;
    t_ += time;
    tt_ += time * time;
    add(sum_, value, 1);
    add(moment_, value, time);
  }

  [[nodiscard]] Deviation fit() const noexcept {
    if (n_ < kFewest) return {};
    const double spread = tt_ - t_ * t_ / n_;
    const auto slope = [&](double sum, double moment) { return (moment - t_ * sum / n_) / spread; };
    const robot::Twist velocity{slope(sum_.x, moment_.x), slope(sum_.y, moment_.y), slope(sum_.theta, moment_.theta)};
    const double middle = t_ / n_;
    return {
        {sum_.x / n_ - velocity.vx * middle, sum_.y / n_ - velocity.vy * middle, sum_.theta / n_ - velocity.w * middle},
        velocity};
  }

 private:
  static void add(Pose2& sum, const Pose2& value, double weight) noexcept {
    sum.x += value.x * weight;
    sum.y += value.y * weight;
    sum.theta += value.theta * weight;
  }

  double n_ = 0, t_ = 0, tt_ = 0;
  Pose2 sum_, moment_;
};

}  // namespace

Origin make_origin(const SeenTrack& track, double period) noexcept {
  const Seen& now = track.newest();
  Origin origin{.time = now.time, .pose = now.pose, .motion = now.expected.motion};
  const double longest = now.time - track.oldest().time;
  Residuals residuals(track);
  for (std::size_t i = 0; i < kLags.size(); ++i) {
    origin.residuals[i] = residuals.back(std::min(kLags[i] * period, longest));
  }
  Line line;
  Residuals samples(track);
  double back = 0;
  for (std::size_t i = 0; i < kWindows.size(); ++i) {
    for (; back <= std::min(kWindows[i], longest) + 1e-9; back += period) line.add(-back, samples.back(back));
    origin.deviations[i] = line.fit();
  }
  return origin;
}

}  // namespace forerun::respond
