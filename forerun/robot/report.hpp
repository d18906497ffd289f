// What the robot says of itself: the content of a sync message (PSS-9). Each report stands alone.
#pragma once

#include <cstdint>
#include <optional>

#include "forerun/base/fixed_vector.hpp"
#include "forerun/base/time.hpp"
#include "forerun/geom/pose.hpp"
#include "forerun/robot/drive.hpp"
#include "forerun/robot/hindrance.hpp"
#include "forerun/robot/live_scan.hpp"
#include "forerun/robot/mission_status.hpp"
#include "forerun/robot/motion.hpp"
#include "forerun/robot/posture.hpp"
#include "forerun/robot/seen_things.hpp"

namespace forerun::robot {

enum class TaskState : std::uint8_t {
  idle,         // nothing to do
  driving,      // under way to the current goal
  waiting,      // at the current goal
  done,         // all goals reached
  cancelled,    // stopped on request
  unreachable,  // the current goal cannot be reached; the list ends here
};
inline constexpr std::uint8_t kTaskStates = 6;

// Short words for pictures and logs.
[[nodiscard]] const char* to_string(TaskState state) noexcept;

enum class MotorState : std::uint8_t {
  on,       // follow the commanded velocities
  off,      // switched off: the robot stays where it is
  stopped,  // held by a stop command until the next goal or drive command
  fault,    // cannot move
};
inline constexpr std::uint8_t kMotorStates = 4;
[[nodiscard]] const char* to_string(MotorState state) noexcept;

// How sure the robot is of its pose: standard deviations, and the correlation that completes the covariance matrix.
struct PoseError {
  double sigma_x = 0;        // [m]
  double sigma_y = 0;        // [m]
  double correlation = 0;    // of x and y, −1 … 1
  double sigma_heading = 0;  // [rad]
  bool operator==(const PoseError&) const noexcept = default;
};

// Speed limits in force, which may be lower than the description's.
struct SpeedLimits {
  double max_speed = 0;      // [m/s]
  double max_turn_rate = 0;  // [rad/s]
  bool operator==(const SpeedLimits&) const noexcept = default;
};

// A few points of the way that the robot means to take, from where it planned on [m]; none: it has no plan.
using PlannedPath = FixedVector<Vec2, 15>;

// What a robot has found out about its left and its right wheel [m]; 0 where its drives have not shown it yet.
struct FoundWheels {
  DifferentialGeometry wheels{0, 0, 0};
  DifferentialGeometry sigma{0, 0, 0};
};

// What a robot has found out about how it answers its commands.
struct FoundResponse {
  struct Axis {
    double delay = 0;  // dead time: from a command to the first of its effect [s]
    double lag = 0;    // of first order, behind that [s]
    bool operator==(const Axis&) const noexcept = default;
  };
  std::optional<Axis> forward, turn;  // nothing: its drives have not shown it yet
  bool operator==(const FoundResponse&) const noexcept = default;
};

struct Report {
  std::uint32_t robot = 0;     // which robot
  std::uint64_t model = 0;     // which world and robot model: the first eight bytes of its hash; 0: none
  std::uint32_t sequence = 0;  // counts the robot's reports
  RobotTime time;              // when all of this was so
  State state;                 // pose as localized, velocities as measured
  Acceleration acceleration;
  std::optional<Vec2> target;  // where it is heading at the moment
  std::optional<Vec2> goal;    // where it is going, or will go when it has waited
  TaskState task = TaskState::idle;
  Duration remaining_wait;  // at a goal
  Duration until_decision;  // phase of the control loop: the next decision comes after this time
  MotorState motors = MotorState::on;
  bool hand_driven = false;
  SpeedLimits limits;
  PoseError error;
  std::optional<Pose2> odometry;            // dead reckoning from wherever it began; its heading counts whole turns
  std::optional<PlannedPath> planned_path;  // said when it changed, in a section; nothing: as it was said before
  std::optional<FoundWheels> wheels;        // likewise, now and then
  std::optional<FoundResponse> response;    // likewise
  std::optional<Posture> posture;           // of a robot on rough ground, in a section of each report
  std::optional<MissionStatus> mission;     // that it was given, in a section of each report while it has one
  std::optional<Hindrance> hindrance;       // in a section of each report while anything hinders, and shortly after
  std::optional<SeenThings> seen;           // where the world is not as its model says; nothing: as it was said before
  std::optional<LiveScan> scan;             // what its lasers see, by option, in a section of each report
};

// What dead reckoning counted from one report to the next. Its numbers wrap around after 2²⁴ mm and 16 turns, which is
// more than any robot does between two reports.
[[nodiscard]] Pose2 odometry_between(const Pose2& before, const Pose2& after) noexcept;

}  // namespace forerun::robot
