// A drive that happened, simulated or recorded: what is true of it, and what the robot said meanwhile.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "forerun/geom/pose.hpp"
#include "forerun/robot/report.hpp"
#include "forerun/robot/timed_path.hpp"

namespace forerun::learn {

struct DrivePoint {
  Pose2 pose;         // the truth
  double driven = 0;  // path so far [m]
};

// On the straight line from `a` (share 0) to `b` (share 1).
[[nodiscard]] DrivePoint between(const DrivePoint& a, const DrivePoint& b, double share) noexcept;

inline constexpr double kTruthStep = 0.05;  // [s]

struct Drive {
  double start = 0;                    // time of the first moment [s]
  std::vector<DrivePoint> truth;       // every kTruthStep
  std::vector<robot::Report> reports;  // in the order of their times
  // a mission that viewers know too, and its number; null: none
  std::shared_ptr<const robot::TimedPath> mission;
  std::uint64_t mission_number = 0;

  // Between the neighbours; nothing before the first or after the last moment.
  [[nodiscard]] std::optional<DrivePoint> at(double time) const noexcept;
  [[nodiscard]] double duration() const noexcept { return static_cast<double>(truth.size()) * kTruthStep; }
};

// Writes the truth of a simulation down at even steps.
class TruthRecorder {
 public:
  // `time` rises from 0.
  void take(double time, const DrivePoint& now, std::vector<DrivePoint>& truth);

 private:
  DrivePoint before_;
  double before_time_ = 0;
};

// Which of `n` messages arrive when each is lost with this probability; the first one does.
[[nodiscard]] std::vector<bool> draw_arrivals(std::size_t n, double loss, std::uint64_t seed);

}  // namespace forerun::learn
