// Do the wheels and the localization tell of the same motion? A jump is one of localization; a difference that grows
// with the way is one of the wheels: they slip, or are no longer as they were calibrated (DEC-10).
#pragma once

#include <array>

#include "forerun/base/fixed_vector.hpp"
#include "forerun/navigate/control_system.hpp"

namespace forerun::mission {

class MotionCheck {
 public:
  enum class Verdict { fine, jumped, drifted };

  // Allocates nothing.
  [[nodiscard]] Verdict look(const navigate::Percept& percept) noexcept;
  void forget() noexcept;

  // Of the last verdict that was not `fine`: how far both were apart.
  [[nodiscard]] double apart_m() const noexcept { return apart_m_; }
  [[nodiscard]] double apart_rad() const noexcept { return apart_rad_; }

 private:
  struct Sample {
    Pose2 odometry;
    Pose2 pose;
    double driven = 0;  // by the odometry [m]
    double turned = 0;  // likewise, either way [rad]
  };
  [[nodiscard]] bool jumped(const Sample& now) noexcept;
  [[nodiscard]] bool drifted(const Sample& now) noexcept;

  static constexpr std::size_t kSamples = 64;
  std::array<Sample, kSamples> samples_{};  // a ring
  std::size_t n_ = 0;                       // that were ever put in
  bool begun_ = false;
  Sample last_;
  double apart_m_ = 0;
  double apart_rad_ = 0;
};

}  // namespace forerun::mission
