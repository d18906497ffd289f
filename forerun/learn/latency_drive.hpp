// The drive that shows a robot's dead time (LAT-1): a straight line with sinusoidal speed, then sinusoidal turns on the
// spot, seen by a camera. Here it is driven by the simulated robot, through the commands that a real one gets.
#pragma once

#include <cstdint>

#include "forerun/base/fields.hpp"
#include "forerun/base/result.hpp"
#include "forerun/io/drive_log.hpp"
#include "forerun/robot/description.hpp"

namespace forerun::learn {

struct LatencyDriveParams {
  // the robot
  double delay_ms = 120;
  double lag_ms = 50;
  // the camera
  double rate_hz = 30;
  double noise_mm = 3;
  double noise_deg = 0.5;
  double dropped = 0.05;
  // the drive
  double seconds = 120;
  std::uint64_t seed = 1;
};

template <class Visit>
void visit_fields(LatencyDriveParams& p, Visit&& visit) {
  visit("delay_ms", p.delay_ms, Field{0, 1000, "pure delay between a command and the motors [ms]"});
  visit("lag_ms", p.lag_ms, Field{0, 1000, "first-order lag of the motors [ms]"});
  visit("rate_hz", p.rate_hz, Field{10, 200, "frames of the camera in a second"});
  visit("noise_mm", p.noise_mm, Field{0, 100, "σ of a position that the camera sees, per axis [mm]"});
  visit("noise_deg", p.noise_deg, Field{0, 20, "σ of a heading that the camera sees [°]"});
  visit("dropped", p.dropped, Field{0, 0.5, "share of frames that are lost"});
  visit("seconds", p.seconds, Field{10, 600, "how long it drives straight, and then turns [s]"});
  visit("seed", p.seed, Field{0, 0, "of all that is left to chance"});
}

// What is commanded `time` seconds after such a part of the drive begins; the largest acceleration is `acceleration`.
// The frequency rises and falls again, so that delay and lag can be told apart; the speed is what that allows.
[[nodiscard]] double sinusoidal_speed(double time, double seconds, double top_speed, double acceleration) noexcept;

// `file` names the robot in messages.
[[nodiscard]] Result<io::DriveLog> drive_for_latency(const robot::Description& robot, const LatencyDriveParams& params,
                                                     const std::string& file);

}  // namespace forerun::learn
