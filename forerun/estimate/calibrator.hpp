// Calibration while driving: ticks and external poses in, each with its own stamp; wheel diameters and base out
// (DEC-2).
#pragma once

#include <cstdint>
#include <optional>

#include "forerun/base/fixed_vector.hpp"
#include "forerun/base/time.hpp"
#include "forerun/estimate/encoders.hpp"
#include "forerun/estimate/geometry_filter.hpp"

namespace forerun::estimate {

struct CalibratorParams {
  GeometryParams filter;
  Pose2 robot_from_sensor;     // where the external sensor, or what it tracks, is on the robot
  double longest_gap_s = 1.0;  // between ticks; nobody saw what was in a longer one
  int outliers_in_a_row = 10;  // after so many the filter is wrong, not the sensor: the pose begins anew
};

template <class Visit>
void visit_fields(CalibratorParams& p, Visit&& visit) {
  visit("robot_from_sensor", p.robot_from_sensor, Field{.about = "where the external sensor is on the robot: x, y, θ"});
  visit("longest_gap_s", p.longest_gap_s, Field{0.05, 10, "between ticks; nobody saw what was in a longer one [s]"});
  visit("outliers_in_a_row", p.outliers_in_a_row, Field{1, 1000, "after so many the pose begins anew"});
}

// What became of an external pose.
enum class PoseUse {
  used,     // the filter has learned from it
  started,  // the pose begins here
  waiting,  // newer than the ticks: comes in when they have come
  outlier,  // beyond the gate: not believed
  late,     // older than what was used before, or than the ticks since the last break
  useless,  // no ticks yet, or not finite
};

struct CalibratorCounts {
  std::uint32_t used = 0;
  std::uint32_t outliers = 0;
  std::uint32_t late = 0;
  std::uint32_t breaks = 0;  // gaps and resets in the ticks
};

// No heap, no clock. The filter stands at the newest pose that was used; ticks after it wait, so that a pose that comes
// late is put in where it belongs.
class Calibrator {
 public:
  Calibrator(const robot::DifferentialGeometry& believed, double ticks_per_turn,
             const CalibratorParams& params = {}) noexcept;

  // Cumulative ticks. Stamps that do not rise are left out.
  void add_ticks(RobotTime time, const Ticks& ticks) noexcept;
  // The squared innovation of the last pose that was used or refused is in `last_innovation`.
  PoseUse add_pose(RobotTime time, const ExternalPose& measured) noexcept;

  [[nodiscard]] GeometryBelief belief() const noexcept { return filter_.belief(); }
  [[nodiscard]] const CalibratorCounts& counts() const noexcept { return counts_; }
  [[nodiscard]] const Innovation& last_innovation() const noexcept { return last_innovation_; }
  // The pose at the newest ticks; none before the first external pose, and after a break until the next one.
  [[nodiscard]] std::optional<Pose2> pose() const noexcept;

 private:
  struct Step {
    RobotTime from, to;
    WheelTurns turns;
  };
  static constexpr std::size_t kMostSteps = 256;  // 5 s at 50 Hz: how late a pose may come

  void break_off() noexcept;
  void follow_wheels_to(RobotTime time) noexcept;
  PoseUse take(RobotTime time, const ExternalPose& measured) noexcept;

  CalibratorParams params_;
  Encoders encoders_;
  GeometryFilter filter_;
  bool located_ = false;                // the filter has a pose
  RobotTime filter_time_;               // of the filter's pose
  std::optional<RobotTime> tick_time_;  // of the newest ticks
  FixedVector<Step, kMostSteps> steps_;
  std::optional<std::pair<RobotTime, ExternalPose>> waiting_;
  Innovation last_innovation_;
  CalibratorCounts counts_;
  int outliers_in_a_row_ = 0;
};

}  // namespace forerun::estimate
