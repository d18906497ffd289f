// Where the robot truly was when it reported: its localization errs, but slowly, and its wheels say how it moved in
// between.
#pragma once

#include "forerun/base/fields.hpp"
#include "forerun/geom/matrix.hpp"
#include "forerun/robot/report.hpp"

namespace forerun::predict {

struct ReportFilterParams {
  double correlation_s = 5;        // errors of localization last this long [s]
  double scale_sigma = 0.01;       // of distances by dead reckoning
  double turn_scale_sigma = 0.02;  // of turns
  double drift_sigma = 0.01;       // of the heading [rad/m]
  double position_growth = 0.002;  // what dead reckoning loses besides, per metre …
  double heading_growth = 0.001;   // … and in heading [rad/m]
};

template <class Visit>
void visit_fields(ReportFilterParams& p, Visit&& visit) {
  visit("correlation_s", p.correlation_s, Field{0.01, 1000, "errors of localization last this long [s]"});
  visit("scale_sigma", p.scale_sigma, Field{0, 1, "of distances by dead reckoning, as a share"});
  visit("turn_scale_sigma", p.turn_scale_sigma, Field{0, 1, "of turns by dead reckoning, as a share"});
  visit("drift_sigma_radpm", p.drift_sigma, Field{0, 1, "of the heading by dead reckoning [rad/m]"});
  visit("position_growth", p.position_growth, Field{0, 1, "what dead reckoning loses besides, per metre"});
  visit("heading_growth_radpm", p.heading_growth, Field{0, 1, "what it loses in heading besides [rad/m]"});
}

// Of x and y; the heading's own stands apart.
struct PoseCovariance {
  double xx = 0, xy = 0, yy = 0;  // [m²]
  double heading = 0;             // [rad²]
};

// A Kalman filter over the position, the angle between the world and the robot's odometry, the odometry's three
// systematic errors and the errors of localization, which are correlated in time (a Gauss–Markov process each). It is
// worth its 81 numbers: of 5 cm of localization error about 0.6 are left when predictions start.
//
// Reports without stated errors or without odometry are believed as they are.
class ReportFilter {
 public:
  explicit ReportFilter(const ReportFilterParams& params = {}) noexcept : params_(params) {}

  // Reports in the order of their times.
  void take_in(const robot::Report& report) noexcept;

  [[nodiscard]] const Pose2& pose() const noexcept { return pose_; }
  // What the robot itself believes, less the truth: x, y, heading.
  [[nodiscard]] Pose2 belief_error() const noexcept;
  // How sure it is of `pose`.
  [[nodiscard]] PoseCovariance covariance() const noexcept;

 private:
  static constexpr std::size_t kStates = 9;
  enum StateIndex : std::size_t { kX, kY, kTurn, kScale, kDrift, kTurnScale, kErrorX, kErrorY, kErrorHeading };
  using StateMatrix = Matrix<kStates, kStates>;

  // What the wheels counted since the report before, as the filter sees it.
  struct Motion {
    double driven = 0;  // [m]
    double turned = 0;  // [rad]
    double turn = 0;    // of the odometry against the world meanwhile [rad]
    double scale = 1;   // of distances by dead reckoning
    Vec2 seen;          // in the world, before `scale`
    double kept = 1;    // share of localization's errors that are still the same
  };

  void restart(const robot::Report& report) noexcept;
  [[nodiscard]] Motion motion_to(const robot::Report& report) const noexcept;
  [[nodiscard]] static StateMatrix derivatives(const Motion& motion) noexcept;
  void move_on(const Motion& motion) noexcept;
  void add_noise(const Motion& motion, const robot::PoseError& error) noexcept;
  void measure(StateIndex what, StateIndex error, double difference) noexcept;
  [[nodiscard]] bool contradicts(const robot::Report& report) const noexcept;

  ReportFilterParams params_;
  Vector<kStates> state_;
  StateMatrix covariance_;
  Pose2 pose_;
  Pose2 odometry_;  // of the report before
  RobotTime time_;
  bool running_ = false;
};

}  // namespace forerun::predict
