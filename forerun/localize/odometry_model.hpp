// How far the wheels may be wrong: what odometry says, spread.
#pragma once

#include <cmath>

#include "forerun/base/fields.hpp"
#include "forerun/base/random.hpp"
#include "forerun/geom/pose.hpp"

namespace forerun::localize {

struct OdometryParams {
  double turn_per_turn = 0.1;   // σ of the heading for each radian turned [rad]
  double turn_per_metre = 0.1;  // σ of the heading for each metre driven [rad]
  double move_per_metre = 0.1;  // σ of the place, in each direction, for each metre driven [m]
  double move_per_turn = 0.08;  // σ of the place for each radian turned [m]
};

template <class Visit>
void visit_fields(OdometryParams& p, Visit&& visit) {
  visit("turn_per_turn", p.turn_per_turn, Field{0, 2, "error of the heading for each radian turned [rad]"});
  visit("turn_per_metre", p.turn_per_metre, Field{0, 2, "error of the heading for each metre driven [rad]"});
  visit("move_per_metre", p.move_per_metre, Field{0, 2, "error of the place for each metre driven [m]"});
  visit("move_per_turn", p.move_per_turn, Field{0, 2, "error of the place for each radian turned [m]"});
}

// One step of odometry, `from_here`: where the robot now is, seen from where it was.
class OdometryModel {
 public:
  OdometryModel(const Pose2& from_here, const OdometryParams& params) noexcept
      : step_(from_here), turned_(std::fabs(from_here.theta)), driven_(length(from_here.position())) {
    turn_sigma_ = sqrt(square(params.turn_per_turn * turned_) + square(params.turn_per_metre * driven_));
    move_sigma_ = sqrt(square(params.move_per_metre * driven_) + square(params.move_per_turn * turned_));
  }

  [[nodiscard]] Pose2 sample(const Pose2& pose, Random& random) const noexcept {
    const double turn = turn_sigma_ * random.normal();
    const Vec2 slip{move_sigma_ * random.normal(), move_sigma_ * random.normal()};
    // half of the turn that odometry missed came before the way, half after it
    const SinCos half = sincos(0.5 * turn);
    const Vec2 way{half.cos * step_.x - half.sin * step_.y, half.sin * step_.x + half.cos * step_.y};
    const Pose2 moved{way.x + slip.x, way.y + slip.y, step_.theta + turn};
    return pose * moved;
  }
  [[nodiscard]] double driven() const noexcept { return driven_; }
  [[nodiscard]] double turned() const noexcept { return turned_; }

 private:
  Pose2 step_;
  double turned_, driven_;
  double turn_sigma_, move_sigma_;
};

}  // namespace forerun::localize
