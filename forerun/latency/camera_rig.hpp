// A robot under a camera: commands act after a dead time, and what the camera sees comes in frames (LAT-1).
#pragma once

#include <cstdint>
#include <optional>

#include "forerun/base/fields.hpp"
#include "forerun/base/random.hpp"
#include "forerun/learn/commanded_drive.hpp"
#include "forerun/respond/command_track.hpp"
#include "forerun/robot/description.hpp"
#include "forerun/sim/planar_body.hpp"

namespace forerun::latency {

struct RigParams {
  double dead_time_s = 0.12;  // from a command to its first effect in a frame [s]
  double lag_s = 0.1;         // of the motors [s]
  double slip = 0.03;         // σ of the velocities' noise, as a share of them
  double rate_hz = 30;        // frames a second
  double noise_m = 0.002;     // σ of a seen position, per axis [m]
  double noise_rad = 0.01;    // σ of a seen heading [rad]
  double dropped = 0.05;      // share of frames that are lost
};

template <class Visit>
void visit_fields(RigParams& p, Visit&& visit) {
  visit("dead_time_s", p.dead_time_s, Field{0, 1, "from a command to its first effect in a frame [s]"});
  visit("lag_s", p.lag_s, Field{0, 1, "of the motors, first order [s]"});
  visit("slip", p.slip, Field{0, 0.5, "noise of the velocities, as a share of them"});
  visit("rate_hz", p.rate_hz, Field{5, 200, "frames a second [1/s]"});
  visit("noise_m", p.noise_m, Field{0, 1, "standard deviation of a seen position, per axis [m]"});
  visit("noise_rad", p.noise_rad, Field{0, 1, "standard deviation of a seen heading [rad]"});
  visit("dropped", p.dropped, Field{0, 0.9, "share of frames that are lost"});
}

class CameraRig {
 public:
  // `robot` must outlive the rig.
  CameraRig(const robot::Description& robot, const RigParams& params, const Pose2& start, std::uint64_t seed);

  // Wanted from now on.
  void command(const robot::Twist& velocity);
  // On to the next frame; nothing where it is lost.
  [[nodiscard]] std::optional<learn::SeenPose> advance();

  [[nodiscard]] double time() const { return time_; }
  [[nodiscard]] double frame_s() const { return 1 / params_.rate_hz; }
  [[nodiscard]] const robot::State& truth() const { return body_.state(); }

 private:
  RigParams params_;
  sim::PlanarBody body_;
  Random random_;
  respond::CommandTrack commands_;
  double time_ = 0;
  double turned_ = 0;  // heading with whole turns
};

}  // namespace forerun::latency
