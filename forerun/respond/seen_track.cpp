#include "forerun/respond/seen_track.hpp"

#include "forerun/base/math.hpp"

namespace forerun::respond {
namespace {

double mix(double a, double b, double share) noexcept { return a + (b - a) * share; }

Pose2 mix(const Pose2& a, const Pose2& b, double share) noexcept {
  return {mix(a.x, b.x, share), mix(a.y, b.y, share), mix(a.theta, b.theta, share)};
}

}  // namespace

Pose2 seen_from(const Pose2& origin, const Pose2& other) noexcept {
  const Vec2 place = Transform2(origin).to_local(other.position());
  return {place.x, place.y, other.theta - origin.theta};
}

void SeenTrack::see(double time, const Pose2& pose, const robot::Twist& begin, const Response& response,
                    const CommandTrack& commands) noexcept {
  Seen next{time, pose, {}};
  if (n_ > 0) {
    if (!(time > newest().time)) return;
    next.expected = newest().expected;
    advance(response, commands, newest().time, time, next.expected);
    next.pose.theta = newest().pose.theta + normalize_angle(pose.theta - newest().pose.theta);
    const bool crowded = n_ > 1 && newest().time - back(1).time < period_ / 2;
    if (crowded) --n_;
  } else {
    next.expected.motion = {begin, begin};
  }
  if (n_ == kPoses) {
    first_ = (first_ + 1) % kPoses;
    --n_;
  }
  seen_[(first_ + n_++) % kPoses] = next;
}

Seen SeenTrack::at(double time, std::size_t& hint) const noexcept {
  while (hint + 1 < n_ && back(hint).time > time) ++hint;
  const Seen& early = back(hint);
  if (hint == 0 || early.time >= time) return early;
  const Seen& late = back(hint - 1);
  const double share = (time - early.time) / (late.time - early.time);
  Seen between{time, mix(early.pose, late.pose, share), early.expected};
  between.expected.path = mix(early.expected.path, late.expected.path, share);
  return between;
}

}  // namespace forerun::respond
