// How a robot answers its commands, one axis at a time: what was commanded shows after a pure delay and a lag of first
// order, times a gain.
#pragma once

#include "forerun/geom/pose.hpp"
#include "forerun/respond/command_track.hpp"
#include "forerun/robot/drive.hpp"

namespace forerun::respond {

struct AxisResponse {
  double delay = 0;  // dead time [s]
  double lag = 0;    // of first order [s]
  double gain = 1;   // how much of it comes about
};

struct Response {
  AxisResponse forward, sideways, turn;
};

// Where the robot would be and how fast, had it answered just so since some beginning.
struct Expected {
  Pose2 path;  // the heading counts whole turns
  robot::Twist velocity;
};

// Steps of one length; what they have in common is computed once.
class ResponseSteps {
 public:
  ResponseSteps(const Response& response, double dt) noexcept;

  // From `time` to one step later: changes the velocity, and gives its mean meanwhile.
  robot::Twist advance(const CommandTrack& commands, double time, robot::Twist& velocity) const noexcept;
  [[nodiscard]] double dt() const noexcept { return dt_; }

 private:
  struct Axis {
    AxisResponse response;
    double end = 0;   // what is left at the end of a step of the way to what is wanted …
    double mean = 0;  // … and in the mean over it
  };
  [[nodiscard]] static Axis make_axis(const AxisResponse& response, double dt) noexcept;

  double dt_;
  Axis forward_, sideways_, turn_;
  bool one_delay_;
};

// Up to `to`, in steps short enough.
void advance(const Response& response, const CommandTrack& commands, double from, double to, Expected& robot) noexcept;

}  // namespace forerun::respond
