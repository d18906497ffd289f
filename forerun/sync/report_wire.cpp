#include "forerun/sync/report_wire.hpp"

#include <algorithm>

#include "forerun/sync/fixed_point.hpp"
#include "forerun/sync/units.hpp"
#include "forerun/sync/wire.hpp"

namespace forerun::sync {
namespace {

constexpr std::uint8_t kHasTarget = 1;
constexpr std::uint8_t kHasGoal = 2;
constexpr std::uint8_t kHandDriven = 4;
constexpr std::uint8_t kHasOdometry = 8;

constexpr double kMillisecond = 1e-3;
constexpr double kPhaseUnit = 1e-4;  // [s]

// The target relative to the robot, or nothing when it is too far away to write.
std::optional<std::array<std::int16_t, 2>> target_units(const robot::Report& report) noexcept {
  if (!report.target) return std::nullopt;
  bool fits = true;
  const Vec2 ahead = *report.target - report.state.pose.position();
  const std::array<std::int16_t, 2> units{to_units<std::int16_t>(ahead.x, kTargetUnit, fits),
                                          to_units<std::int16_t>(ahead.y, kTargetUnit, fits)};
  return fits ? std::optional(units) : std::nullopt;
}

void write_motion(const robot::Report& report, ByteWriter& out, bool& fits) noexcept {
  const robot::State& state = report.state;
  out.i32(to_units<std::int32_t>(state.pose.x, kPositionUnit, fits));
  out.i32(to_units<std::int32_t>(state.pose.y, kPositionUnit, fits));
  out.u16(heading_to_units(state.pose.theta, fits));
  out.i16(to_units<std::int16_t>(state.velocity.vx, kSpeedUnit, fits));
  out.i16(to_units<std::int16_t>(state.velocity.vy, kSpeedUnit, fits));
  out.i16(to_units<std::int16_t>(state.velocity.w, kTurnRateUnit, fits));
  out.i16(to_units<std::int16_t>(report.acceleration.v, kAccelerationUnit, fits));
  out.i16(to_units<std::int16_t>(report.acceleration.w, kTurnAccelerationUnit, fits));
}

void write_error(const robot::PoseError& error, ByteWriter& out, bool& fits) noexcept {
  out.u16(to_units_up_to<std::uint16_t>(error.sigma_x, kSigmaUnit, fits));
  out.u16(to_units_up_to<std::uint16_t>(error.sigma_y, kSigmaUnit, fits));
  out.u16(to_units_up_to<std::uint16_t>(error.sigma_heading, kSigmaHeadingUnit, fits));
  out.i8(to_units<std::int8_t>(error.correlation, kCorrelationUnit, fits));
}

void read_motion(ByteReader& in, robot::Report& report) noexcept {
  robot::State& state = report.state;
  state.pose.x = in.i32() * kPositionUnit;
  state.pose.y = in.i32() * kPositionUnit;
  state.pose.theta = heading_from_units(in.u16());
  state.velocity.vx = in.i16() * kSpeedUnit;
  state.velocity.vy = in.i16() * kSpeedUnit;
  state.velocity.w = in.i16() * kTurnRateUnit;
  report.acceleration.v = in.i16() * kAccelerationUnit;
  report.acceleration.w = in.i16() * kTurnAccelerationUnit;
}

void read_error(ByteReader& in, robot::PoseError& error) noexcept {
  error.sigma_x = in.u16() * kSigmaUnit;
  error.sigma_y = in.u16() * kSigmaUnit;
  error.sigma_heading = in.u16() * kSigmaHeadingUnit;
  error.correlation = in.i8() * kCorrelationUnit;
}

// Positions and turns that are too large begin anew: only differences count.
void write_odometry(const Pose2& odometry, ByteWriter& out, bool& fits) noexcept {
  bool small = true;
  out.i24(to_units<std::int32_t>(odometry.x, kOdometryUnit, small));
  out.i24(to_units<std::int32_t>(odometry.y, kOdometryUnit, small));
  const auto turned = to_units<std::int32_t>(odometry.theta, kOdometryTurnUnit, small);
  out.u16(static_cast<std::uint16_t>(turned));
  fits = fits && small;
}

Pose2 read_odometry(ByteReader& in) noexcept {
  const double x = in.i24() * kOdometryUnit;
  const double y = in.i24() * kOdometryUnit;
  return {x, y, in.i16() * kOdometryTurnUnit};
}

bool is_within(Vec2 p, double limit) noexcept { return p.x >= -limit && p.x <= limit && p.y >= -limit && p.y <= limit; }

}  // namespace

std::optional<ReportBody> encode_report(const robot::Report& report) noexcept {
  ReportBody body;
  body.resize(kReportBodySize + (report.odometry ? kOdometrySize : 0));
  ByteWriter out(MutableBytes(body.data(), body.size()));
  bool fits = is_plausible_time(report.time.ns);
  const auto target = target_units(report);
  const Vec2 goal = report.goal.value_or(Vec2{});

  out.u32(report.sequence);
  out.u32(report.robot);
  out.u64(report.model);
  out.i64(report.time.ns);
  write_motion(report, out, fits);
  out.i16(target ? (*target)[0] : std::int16_t{0});
  out.i16(target ? (*target)[1] : std::int16_t{0});
  out.i32(to_units<std::int32_t>(goal.x, kGoalUnit, fits));
  out.i32(to_units<std::int32_t>(goal.y, kGoalUnit, fits));
  out.u32(to_units_up_to<std::uint32_t>(to_seconds(report.remaining_wait), kMillisecond, fits));
  out.u16(to_units_up_to<std::uint16_t>(to_seconds(report.until_decision), kPhaseUnit, fits));
  out.u16(to_units_up_to<std::uint16_t>(report.limits.max_speed, kSpeedUnit, fits));
  out.u16(to_units_up_to<std::uint16_t>(report.limits.max_turn_rate, kTurnRateUnit, fits));
  write_error(report.error, out, fits);
  out.u8(static_cast<std::uint8_t>(report.task));
  out.u8(static_cast<std::uint8_t>(report.motors));
  out.u8(static_cast<std::uint8_t>((target ? kHasTarget : 0) | (report.goal ? kHasGoal : 0) |
                                   (report.hand_driven ? kHandDriven : 0) | (report.odometry ? kHasOdometry : 0)));
  if (report.odometry) write_odometry(*report.odometry, out, fits);
  const bool near = is_within(report.state.pose.position(), kFarthest) && is_within(goal, kFarthest);
  if (!fits || !near || !out.ok()) return std::nullopt;
  return body;
}

std::optional<SyncBody> encode_report(const robot::Report& report, Bytes sections) noexcept {
  const auto fixed = encode_report(report);
  if (!fixed || sections.size() > kMostSectionBytes || !has_whole_sections(sections)) return std::nullopt;
  SyncBody body;
  body.resize(fixed->size() + sections.size());
  ByteWriter out(MutableBytes(body.data(), body.size()));
  out.bytes(*fixed);
  out.bytes(sections);
  return body;
}

Bytes sections_of(Bytes body) noexcept {
  if (body.size() < kReportBodySize) return {};
  const bool has_odometry = (body[kReportBodySize - 1] & kHasOdometry) != 0;
  return body.subspan(std::min(body.size(), kReportBodySize + (has_odometry ? kOdometrySize : 0)));
}

DecodedReport decode_report(Bytes body) noexcept {
  ByteReader in(body);
  robot::Report report;
  report.sequence = in.u32();
  report.robot = in.u32();
  report.model = in.u64();
  report.time.ns = in.i64();
  read_motion(in, report);
  const Vec2 ahead{in.i16() * kTargetUnit, in.i16() * kTargetUnit};
  const Vec2 goal{in.i32() * kGoalUnit, in.i32() * kGoalUnit};
  report.remaining_wait = from_seconds(in.u32() * kMillisecond);
  report.until_decision = from_seconds(in.u16() * kPhaseUnit);
  report.limits.max_speed = in.u16() * kSpeedUnit;
  report.limits.max_turn_rate = in.u16() * kTurnRateUnit;
  read_error(in, report.error);
  const std::uint8_t task = in.u8();
  const std::uint8_t motors = in.u8();
  const std::uint8_t flags = in.u8();
  if ((flags & kHasOdometry) != 0) report.odometry = read_odometry(in);

  const Bytes sections = sections_of(body);
  if (!in.ok() || sections.size() > kMostSectionBytes || !has_whole_sections(sections)) {
    return {std::nullopt, Drop::malformed};
  }
  if (!is_plausible_time(report.time.ns)) return {std::nullopt, Drop::bad_time};
  if (!is_within(report.state.pose.position(), kFarthest) || !is_within(goal, kFarthest)) {
    return {std::nullopt, Drop::outside_world};
  }
  const bool known = task < robot::kTaskStates && motors < robot::kMotorStates;
  if (!known || report.error.correlation < -1) return {std::nullopt, Drop::bad_state};

  report.task = static_cast<robot::TaskState>(task);
  report.motors = static_cast<robot::MotorState>(motors);
  if ((flags & kHasTarget) != 0) report.target = report.state.pose.position() + ahead;
  if ((flags & kHasGoal) != 0) report.goal = goal;
  report.hand_driven = (flags & kHandDriven) != 0;
  return {report, {}, sections};
}

}  // namespace forerun::sync
