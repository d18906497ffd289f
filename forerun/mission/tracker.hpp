// Follows a timed path by closed-loop control: velocities that bring the robot back to where it should be (DEC-10).
#pragma once

#include <span>

#include "forerun/base/fields.hpp"
#include "forerun/mission/control.hpp"
#include "forerun/robot/description.hpp"

namespace forerun::mission {

struct TrackerParams {
  double along_gain = 1.0;    // of the error along the path [1/s]
  double cross_gain = 10.0;   // of the error across it, for each metre driven [1/m²]
  double heading_gain = 2.0;  // of the error of the heading [1/s]
  double slack_m = 0.08;      // the path waits for a robot that is farther behind than this …
  double waits_m = 0.2;       // … and stands when it is this far behind [m]
};

template <class Visit>
void visit_fields(TrackerParams& p, Visit&& visit) {
  visit("along_gain", p.along_gain, Field{0, 20, "of the error along the path [1/s]"});
  visit("cross_gain", p.cross_gain, Field{0, 200, "of the error across the path, for each metre driven [1/m²]"});
  visit("heading_gain", p.heading_gain, Field{0, 20, "of the error of the heading [1/s]"});
  visit("slack_m", p.slack_m, Field{0, 5, "the path waits for a robot that is farther behind than this [m]"});
  visit("waits_m", p.waits_m, Field{0.01, 10, "the path stands when the robot is this far behind [m]"});
}

// The robot seen from where it should be, negated: what is left to do.
struct TrackError {
  double along = 0;    // the robot is this far behind [m]
  double across = 0;   // the path is this far to its left [m]
  double heading = 0;  // it should have turned this much further [rad]
};

class Tracker {
 public:
  // `path` must outlive it, and holds at least one point.
  Tracker(std::span<const TimedPoint> path, const robot::Description& robot, const TrackerParams& params = {}) noexcept;

  // Moves on by `dt` [s], at `share` of the planned speed (0: the reference stands), and says how to drive from `pose`.
  [[nodiscard]] robot::Twist step(double dt, const Pose2& pose, double share) noexcept;

  // Goes on from this time of the path.
  void go_to(double time) noexcept;
  // No farther than to this time of the path, until another one is said; at first, to its end.
  void stop_at(double time) noexcept { stop_ = time; }

  [[nodiscard]] double time() const noexcept { return time_; }  // on the path [s]
  [[nodiscard]] double stop() const noexcept { return stop_; }
  [[nodiscard]] bool is_at_stop() const noexcept { return time_ >= stop_; }
  [[nodiscard]] const TrackError& error() const noexcept { return error_; }
  [[nodiscard]] const TimedPoint& reference() const noexcept { return reference_; }
  [[nodiscard]] std::span<const TimedPoint> path() const noexcept { return path_; }

 private:
  [[nodiscard]] TrackError measure(const Pose2& pose) const noexcept;
  [[nodiscard]] robot::Twist correct(const robot::Twist& planned) const noexcept;

  std::span<const TimedPoint> path_;
  robot::Drive drive_;
  robot::Limits limits_;
  TrackerParams params_;
  double time_ = 0;
  double stop_ = 0;
  TimedPoint reference_;
  TrackError error_;
};

}  // namespace forerun::mission
