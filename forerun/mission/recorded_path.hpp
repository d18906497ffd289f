// What was driven in a try-out, written down: the way, the wheels and what the sensors said (DEC-5).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "forerun/base/fixed_vector.hpp"
#include "forerun/geom/pose.hpp"
#include "forerun/robot/drive.hpp"
#include "forerun/sim/loop.hpp"

namespace forerun::mission {

inline constexpr std::size_t kMaxSensors = 8;

struct PathPoint {
  double time = 0;                                      // since the beginning [s]
  Pose2 pose;                                           // in the world
  robot::Twist velocity;                                // of the body
  robot::WheelSpeeds wheels;                            // [rad/s]
  std::array<std::int64_t, robot::kMaxWheels> ticks{};  // encoder counts since the start
  FixedVector<float, kMaxSensors> nearest;  // a sensor each: its least range [m], 1 where a switch is pressed
  bool bumped = false;                      // touched something since the point before
  bool waypoint = false;                    // at a goal that it was sent to, or waits there
  std::string action;                       // what it does here, where it stands; empty: nothing
};

using RecordedPath = std::vector<PathPoint>;

// Way driven from the first point to each point [m]. As many as there are points.
[[nodiscard]] std::vector<double> lengths_along(std::span<const PathPoint> path);

// How often it touched something: contacts that last count once.
[[nodiscard]] int count_bumps(std::span<const PathPoint> path) noexcept;

// Looks at a simulated drive after every step of its loop.
class PathRecorder {
 public:
  // `period_s`: between two points [s].
  // `actions`: what it does at the goals that it is sent to, where it is anything; must outlive it.
  explicit PathRecorder(double period_s = 0.05, std::span<const std::string> actions = {})
      : period_(from_seconds(period_s)), actions_(actions) {}

  void take(const sim::Loop& loop);
  [[nodiscard]] const RecordedPath& path() const noexcept { return path_; }

 private:
  [[nodiscard]] bool is_at_waypoint(const navigate::Executive& executive) noexcept;
  void note_action();

  Duration period_;
  std::span<const std::string> actions_;
  RobotTime next_;
  bool bumped_ = false;        // since the last point
  std::size_t n_reached_ = 0;  // goals, up to the last point
  std::size_t n_acted_ = 0;    // goals whose actions are in the path
  RecordedPath path_;
};

}  // namespace forerun::mission
