// How a robot answers its commands, one axis at a time: what was commanded shows after a pure delay, as fast as the
// motors can, and with a lag of first order, times a gain.
#pragma once

#include "forerun/geom/pose.hpp"
#include "forerun/respond/command_track.hpp"
#include "forerun/robot/drive.hpp"

namespace forerun::respond {

struct AxisResponse {
  double delay = 0;         // dead time [s]
  double lag = 0;           // of first order [s]
  double gain = 1;          // how much of it comes about
  double acceleration = 0;  // at most [m/s², rad/s²]; 0: as much as it takes

  friend bool operator==(const AxisResponse&, const AxisResponse&) = default;
};

struct Response {
  AxisResponse forward, sideways, turn;
};

struct Motion {
  robot::Twist ramped;    // as far as the motors have followed the commands …
  robot::Twist velocity;  // … and after the lag, times the gain
};

// Where the robot would be and how fast, had it answered just so since some beginning.
struct Expected {
  Pose2 path;  // the heading counts whole turns
  Motion motion;
};

// Steps of one length; what they have in common is computed once.
class ResponseSteps {
 public:
  ResponseSteps(const Response& response, double dt) noexcept;

  // From `time` to one step later: changes the motion, and gives the mean velocity meanwhile.
  robot::Twist advance(const CommandTrack& commands, double time, Motion& motion) const noexcept;
  [[nodiscard]] double dt() const noexcept { return dt_; }

 private:
  struct Axis {
    AxisResponse response;
    double end = 0;   // what is left at the end of a step of the way to what is wanted …
    double mean = 0;  // … and in the mean over it
  };
  [[nodiscard]] static Axis make_axis(const AxisResponse& response, double dt) noexcept;
  // The mean of the velocity over the step.
  [[nodiscard]] double answer(const Axis& axis, double wanted, double& ramped, double& velocity) const noexcept;

  double dt_;
  Axis forward_, sideways_, turn_;
};

// A motor that may change its speed by `most` within a step goes from `now` towards `wanted`; gives the mean meanwhile.
double ramp(double wanted, double most, double& now) noexcept;

// Up to `to`, in steps short enough.
void advance(const Response& response, const CommandTrack& commands, double from, double to, Expected& robot) noexcept;

}  // namespace forerun::respond
