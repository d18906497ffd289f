#include "forerun/sim/contact_watch.hpp"

#include <algorithm>
#include <cmath>

#include "forerun/sense/contact.hpp"

namespace forerun::sim {
namespace {

constexpr double kSameSide = 0.5;  // bearings nearer to each other than this are one side [rad]

}  // namespace

void ContactWatch::press(RobotTime now, const Pose2& pose, const robot::Twist& came, const Touchable& things) noexcept {
  if (!since_) since_ = now;
  came_ = came;
  feel(pose, things);
}

void ContactWatch::look(const Pose2& pose, const Touchable& things) noexcept {
  if (!since_) return;
  feel(pose, things);
  if (contact_.bearings.empty()) since_.reset();
}

void ContactWatch::feel(const Pose2& pose, const Touchable& things) noexcept {
  contact_.bearings.clear();
  const auto add = [&](Vec2 point_in_robot) {
    const double bearing = angle_of(point_in_robot);
    const auto is_same = [&](double other) { return std::fabs(normalize_angle(other - bearing)) < kSameSide; };
    auto& known = contact_.bearings;
    if (std::none_of(known.begin(), known.end(), is_same)) known.push_back(bearing);
  };
  sense::for_each_contact({things.footprint, pose, apart_}, things.outline, things.movers, add);
}

std::optional<robot::Contact> ContactWatch::at(RobotTime now) const noexcept {
  if (!since_) return std::nullopt;
  robot::Contact contact = contact_;
  contact.lasts = to_seconds(now - *since_);
  return contact;
}

}  // namespace forerun::sim
