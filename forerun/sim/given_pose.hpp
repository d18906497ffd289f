// A localization that is given the truth and errs by what the level of reality says: until a real one exists.
#pragma once

#include "forerun/base/random.hpp"
#include "forerun/navigate/localizer.hpp"
#include "forerun/sim/gauss_markov.hpp"
#include "forerun/sim/reality.hpp"

namespace forerun::sim {

class GivenPose final : public navigate::Localizer {
 public:
  GivenPose(const Reality& reality, const Pose2& start, Random random) noexcept
      : reality_(reality),
        truth_(start),
        random_(random),
        x_(reality.pose_correlation, random_),
        y_(reality.pose_correlation, random_),
        heading_(reality.pose_correlation, random_) {}

  // The robot is here now, `dt` [s] after the moment before.
  void step(const Pose2& truth, double dt) noexcept {
    truth_ = truth;
    if (reality_.pose_error <= 0) return;
    for (GaussMarkov* error : {&x_, &y_, &heading_}) error->step(dt, random_);
  }

  void observe(const navigate::Observation&) noexcept override {}
  [[nodiscard]] Pose2 pose() const noexcept override {
    return {truth_.x + reality_.pose_error * x_.value(), truth_.y + reality_.pose_error * y_.value(),
            normalize_angle(truth_.theta + reality_.heading_error * heading_.value())};
  }

 private:
  Reality reality_;
  Pose2 truth_;
  Random random_;
  GaussMarkov x_, y_, heading_;  // errors in units of their σ
};

}  // namespace forerun::sim
