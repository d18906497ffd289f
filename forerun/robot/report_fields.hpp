// The one list of a report's fields, in the order in which they travel. The wire, JSON, the schema of recordings, the
// numbers of core.wasm and the tables of the documents come from it, or are tested against it. What only some robots
// have to say goes into a section (sync/sections.hpp): this list is what every reader knows.
#pragma once

#include <cstddef>
#include <type_traits>

#include "forerun/base/math.hpp"
#include "forerun/robot/report.hpp"

namespace forerun::robot {

enum class Wire : std::uint8_t {
  u8,
  i8,
  u16,  // what is larger is written as the largest, and so for u32
  i16,
  i24,  // wraps around where it is full
  u32,
  i32,
  u64,
  i64,
  turn,   // u16; a full turn is 65536
  ahead,  // i16; from the robot's position, and left out where that is too far
};
struct WireNumber {
  Wire as = Wire::u8;
  double step = 1;  // [unit of the field]
};
struct FieldRange {
  double low = 0;
  double high = 0;
};
enum class Need : std::uint8_t { optional, required };

struct ReportField {
  const char* name = "";       // in docs/protocol.md, and in capitals after FORERUN_REPORT_
  const char* json = "";       // with its unit; empty: a control system does not say it
  const char* unit = "";       // of the value, its steps and its range
  WireNumber wire;             // it travels as a whole number of steps
  FieldRange range;            // what JSON may say; of a point each coordinate
  const char* about = "";      // for documents and schemas
  Need need = Need::optional;  // in JSON
  std::uint8_t flag = 0;       // says on the wire that it is there, or true; 0: always there
};

// Dead reckoning counts whole turns; its positions go by the list.
inline constexpr double kOdometryTurnStep = kTwoPi / 4096;  // [rad]; i16: wraps around after 16 turns

// How many words there are for it.
[[nodiscard]] constexpr std::uint8_t n_words(TaskState) noexcept { return kTaskStates; }
[[nodiscard]] constexpr std::uint8_t n_words(MotorState) noexcept { return kMotorStates; }

namespace report_fields {

using F = ReportField;
using enum Wire;

inline constexpr Need kRequired = Need::required;
inline constexpr Need kOptional = Need::optional;
inline constexpr WireNumber kTurn{turn, kTwoPi / 65536};
inline constexpr FieldRange kTime{0, 4'102'444'799.0};  // to 2099
inline constexpr FieldRange kPlace{-1e5, 1e5};
inline constexpr FieldRange kHeading{-1000, 1000};
inline constexpr FieldRange kSpeed{-16, 16};
inline constexpr FieldRange kTurnRate{-32, 32};
inline constexpr FieldRange kSigma{0, 1000};

template <class R, class Visit>
constexpr void visit_origin(R& r, Visit& visit) {
  visit(F{"sequence", "", "", {u32}, {}, "counts the reports of this robot"}, r.sequence);
  visit(F{"robot", "", "", {u32}, {}, "which robot"}, r.robot);
  visit(F{"model", "", "", {u64}, {}, "number of the object that names world and robot; 0: none"}, r.model);
  visit(F{"time", "t_s", "s", {i64, 1e-9}, kTime, "when all of this was so, on the robot's clock", kRequired}, r.time);
}

template <class R, class Visit>
constexpr void visit_motion(R& r, Visit& visit) {
  auto& pose = r.state.pose;
  auto& velocity = r.state.velocity;
  auto& acceleration = r.acceleration;
  visit(F{"x", "x_m", "m", {i32, 1e-4}, kPlace, "position along the x axis, as localized", kRequired}, pose.x);
  visit(F{"y", "y_m", "m", {i32, 1e-4}, kPlace, "position along the y axis", kRequired}, pose.y);
  visit(F{"heading", "theta_rad", "rad", kTurn, kHeading, "heading, counter-clockwise from the x axis", kRequired},
        pose.theta);
  visit(F{"speed", "v_mps", "m/s", {i16, 5e-4}, kSpeed, "speed forward, as measured"}, velocity.vx);
  visit(F{"side_speed", "vy_mps", "m/s", {i16, 5e-4}, kSpeed, "speed to the left"}, velocity.vy);
  visit(F{"turn_rate", "w_radps", "rad/s", {i16, 1e-3}, kTurnRate, "turn rate, counter-clockwise"}, velocity.w);
  visit(F{"acceleration", "a_mps2", "m/s²", {i16, 1e-3}, {-32, 32}, "acceleration forward, until the next decision"},
        acceleration.v);
  visit(F{"turn_acceleration", "aw_radps2", "rad/s²", {i16, 4e-3}, {-130, 130}, "acceleration of turning"},
        acceleration.w);
}

template <class R, class Visit>
constexpr void visit_intent(R& r, Visit& visit) {
  auto& limits = r.limits;
  visit(F{"target", "target", "m", {ahead, 2e-3}, kPlace, "where it is heading at the moment", kOptional, 1}, r.target);
  visit(F{"goal", "goal", "m", {i32, 1e-3}, kPlace, "where it is going, or will go when it has waited", kOptional, 2},
        r.goal);
  visit(F{"remaining_wait", "remaining_wait_s", "s", {u32, 1e-3}, {0, 1e6}, "how long it still waits at its goal"},
        r.remaining_wait);
  visit(F{"until_decision", "until_decision_s", "s", {u16, 1e-4}, {0, 60}, "when its control loop decides next"},
        r.until_decision);
  visit(F{"max_speed", "max_speed_mps", "m/s", {u16, 5e-4}, {0, kSpeed.high}, "speed limit in force"},
        limits.max_speed);
  visit(
      F{"max_turn_rate", "max_turn_rate_radps", "rad/s", {u16, 1e-3}, {0, kTurnRate.high}, "limit of turning in force"},
      limits.max_turn_rate);
}

template <class R, class Visit>
constexpr void visit_error(R& r, Visit& visit) {
  auto& error = r.error;
  visit(F{"sigma_x", "sigma_x_m", "m", {u16, 5e-4}, kSigma, "standard deviation of x"}, error.sigma_x);
  visit(F{"sigma_y", "sigma_y_m", "m", {u16, 5e-4}, kSigma, "standard deviation of y"}, error.sigma_y);
  visit(F{"sigma_heading", "sigma_heading_rad", "rad", {u16, 1e-4}, {0, kTwoPi}, "standard deviation of the heading"},
        error.sigma_heading);
  visit(F{"correlation", "correlation", "", {i8, 1.0 / 127}, {-1, 1}, "correlation of the errors in x and y"},
        error.correlation);
}

template <class R, class Visit>
constexpr void visit_doing(R& r, Visit& visit) {
  visit(F{"task", "task", "", {u8}, {}, "what it is doing"}, r.task);
  visit(F{"motors", "motors", "", {u8}, {}, "whether it can move; stopped: by a stop command"}, r.motors);
  visit(F{"hand_driven", "hand_driven", "", {u8}, {}, "an operator's velocities are in force", kOptional, 4},
        r.hand_driven);
  visit(F{"odometry", "odometry", "m, rad", {i24, 1e-3}, kPlace, "dead reckoning from wherever it began", kOptional, 8},
        r.odometry);
}

}  // namespace report_fields

// Calls `visit(const ReportField&, value)` for each field of a report, which may be const.
template <class R, class Visit>
constexpr void visit_report(R& report, Visit&& visit) {
  static_assert(std::is_same_v<std::remove_const_t<R>, Report>);
  report_fields::visit_origin(report, visit);
  report_fields::visit_motion(report, visit);
  report_fields::visit_intent(report, visit);
  report_fields::visit_error(report, visit);
  report_fields::visit_doing(report, visit);
}

}  // namespace forerun::robot
