// Dead time and lag of a robot, measured while it drives: from the commands that it is given and the velocities that it
// then has (LAT-1). Many delays and lags are tried at the same time, and the one that explains most is taken.
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "forerun/respond/command_track.hpp"
#include "forerun/robot/description.hpp"
#include "forerun/robot/report.hpp"

namespace forerun::estimate {

// One axis: commands late by each delay and through each lag, compared with what was measured.
class LagBank {
 public:
  static constexpr std::size_t kDelays = 31;
  static constexpr double kDelayStep = 0.02;                                               // [s]
  static constexpr std::array<double, 8> kLags{0, 0.03, 0.06, 0.1, 0.15, 0.2, 0.3, 0.45};  // [s]

  // What was commanded, late by each delay: in the mean over a step, and at its end.
  struct Command {
    double mean = 0, end = 0;
  };
  using Commands = std::array<Command, kDelays>;

  // One step of `dt` [s]; `began`: it goes on from no other.
  void add(const Commands& commands, double measured, double dt, bool began) noexcept;
  // Nothing where too little has changed to tell, or where commands do not explain what was measured.
  [[nodiscard]] std::optional<robot::FoundResponse::Axis> found() const noexcept;

 private:
  // Running sums, the older the less they count.
  struct Candidate {
    double now = 0;  // what this delay and this lag make of the commands
    double x = 0, xx = 0, xy = 0;
  };
  [[nodiscard]] double unexplained(std::size_t delay, std::size_t lag) const noexcept;
  [[nodiscard]] double spread() const noexcept;

  std::array<std::array<Candidate, kLags.size()>, kDelays> candidates_{};
  double n_ = 0, y_ = 0, yy_ = 0;
  double seconds_ = 0;  // in all
};

class LatencyMeter {
 public:
  // `limits`: what the motors make of a command at once is neither dead time nor lag.
  explicit LatencyMeter(const robot::Limits& limits) noexcept : limits_(limits) {}

  // Times [s] rise. In force from then on.
  void command(double time, const robot::Twist& velocity) noexcept;
  // What the robot drives with at this time.
  void measure(double time, const robot::Twist& velocity) noexcept;
  // Nobody knows what it was told meanwhile.
  void pause() noexcept { last_.reset(); }

  [[nodiscard]] std::optional<robot::FoundResponse> found() const noexcept;

 private:
  void ramp_to(double time) noexcept;

  robot::Limits limits_;
  robot::Twist wanted_;  // the newest command …
  robot::Twist ramped_;  // … and how far the motors can have followed, had there been no delay
  double ramped_at_ = 0;
  respond::CommandTrack commands_;  // ramped
  std::optional<double> last_;      // measured
  LagBank forward_, turn_;
};

}  // namespace forerun::estimate
