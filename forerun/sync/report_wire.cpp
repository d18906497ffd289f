#include "forerun/sync/report_wire.hpp"

#include <algorithm>
#include <array>

#include "forerun/base/fixed_point.hpp"
#include "forerun/robot/report_fields.hpp"
#include "forerun/sync/hindrance_wire.hpp"
#include "forerun/sync/live_scan_wire.hpp"
#include "forerun/sync/planned_path_wire.hpp"
#include "forerun/sync/posture_wire.hpp"
#include "forerun/sync/seen_things_wire.hpp"
#include "forerun/sync/units.hpp"
#include "forerun/sync/wire.hpp"

namespace forerun::sync {
namespace {

using robot::ReportField;
using robot::Wire;

constexpr std::size_t kFlagsAt = kReportBodySize - 1;  // the last byte of what every report has
constexpr std::uint8_t kHasOdometry = 8;

bool is_within(Vec2 p, double limit) noexcept { return p.x >= -limit && p.x <= limit && p.y >= -limit && p.y <= limit; }

// Writes the fields as they come in the list.
class BodyWriter {
 public:
  BodyWriter(MutableBytes body, Vec2 here) noexcept : out_(body), here_(here) {}

  void operator()(const ReportField&, std::uint32_t number) noexcept { out_.u32(number); }
  void operator()(const ReportField&, std::uint64_t number) noexcept { out_.u64(number); }
  void operator()(const ReportField&, RobotTime time) noexcept {
    fits_ = fits_ && is_plausible_time(time.ns);
    out_.i64(time.ns);
  }
  void operator()(const ReportField& field, Duration duration) noexcept { quantity(field, to_seconds(duration)); }
  void operator()(const ReportField& field, double value) noexcept { quantity(field, value); }
  void operator()(const ReportField& field, const std::optional<Vec2>& point) noexcept {
    if (field.wire.as == Wire::ahead) return ahead(field, point);
    const Vec2 place = point.value_or(Vec2{});
    fits_ = fits_ && is_within(place, kFarthest);
    quantity(field, place.x);
    quantity(field, place.y);
    if (point) flags_ |= field.flag;
  }
  // Positions and turns that are too large wrap around: only differences count.
  void operator()(const ReportField& field, const std::optional<Pose2>& pose) noexcept {
    if (!pose) return;
    flags_ |= field.flag;
    quantity(field, pose->x);
    quantity(field, pose->y);
    out_.u16(static_cast<std::uint16_t>(to_units<std::int32_t>(pose->theta, robot::kOdometryTurnStep, fits_)));
  }
  template <class Enum>
  requires std::is_enum_v<Enum>
  void operator()(const ReportField&, Enum state) noexcept { out_.u8(static_cast<std::uint8_t>(state)); }
  void operator()(const ReportField& field, bool on) noexcept {
    if (on) flags_ |= field.flag;
    out_.u8(0);  // the flags: known when all fields are
  }

  [[nodiscard]] bool fits() const noexcept { return fits_ && out_.ok(); }
  [[nodiscard]] std::uint8_t flags() const noexcept { return flags_; }

 private:
  void ahead(const ReportField& field, const std::optional<Vec2>& point) noexcept {
    bool near = point.has_value();
    const Vec2 way = point.value_or(here_) - here_;
    const auto x = to_units<std::int16_t>(way.x, field.wire.step, near);
    const auto y = to_units<std::int16_t>(way.y, field.wire.step, near);
    if (near) flags_ |= field.flag;
    out_.i16(near ? x : std::int16_t{0});
    out_.i16(near ? y : std::int16_t{0});
  }
  void quantity(const ReportField& field, double value) noexcept {
    const double step = field.wire.step;
    switch (field.wire.as) {
      case Wire::i8:
        return out_.i8(to_units<std::int8_t>(value, step, fits_));
      case Wire::u16:
        return out_.u16(to_units_up_to<std::uint16_t>(value, step, fits_));
      case Wire::i16:
        return out_.i16(to_units<std::int16_t>(value, step, fits_));
      case Wire::i24:
        return out_.i24(to_units<std::int32_t>(value, step, fits_));
      case Wire::u32:
        return out_.u32(to_units_up_to<std::uint32_t>(value, step, fits_));
      case Wire::i32:
        return out_.i32(to_units<std::int32_t>(value, step, fits_));
      case Wire::turn:
        return out_.u16(heading_to_units(value, fits_));
      default:
        fits_ = false;  // no quantity travels in this way
    }
  }

  ByteWriter out_;
  Vec2 here_;
  std::uint8_t flags_ = 0;
  bool fits_ = true;
};

// Reads them in the same order. What is wrong is remembered, and the worst is said at the end.
class BodyReader {
 public:
  explicit BodyReader(Bytes body) noexcept : in_(body), flags_(body[kFlagsAt]) {}

  void operator()(const ReportField&, std::uint32_t& number) noexcept { number = in_.u32(); }
  void operator()(const ReportField&, std::uint64_t& number) noexcept { number = in_.u64(); }
  void operator()(const ReportField&, RobotTime& time) noexcept {
    time.ns = in_.i64();
    good_time_ = is_plausible_time(time.ns);
  }
  void operator()(const ReportField& field, Duration& duration) noexcept { duration = from_seconds(quantity(field)); }
  void operator()(const ReportField& field, double& value) noexcept { value = quantity(field); }
  void operator()(const ReportField& field, std::optional<Vec2>& point) noexcept {
    const double x = quantity(field);
    const Vec2 read{x, quantity(field)};
    near_ = near_ && is_within(read, kFarthest);
    if ((flags_ & field.flag) != 0) point = read;
  }
  void operator()(const ReportField& field, std::optional<Pose2>& pose) noexcept {
    if ((flags_ & field.flag) == 0) return;
    const double x = quantity(field), y = quantity(field);
    pose = Pose2{x, y, in_.i16() * robot::kOdometryTurnStep};
  }
  template <class Enum>
  requires std::is_enum_v<Enum>
  void operator()(const ReportField&, Enum& state) noexcept {
    const std::uint8_t code = in_.u8();
    known_ = known_ && code < n_words(state);
    if (known_) state = static_cast<Enum>(code);
  }
  void operator()(const ReportField& field, bool& on) noexcept {
    on = (flags_ & field.flag) != 0;
    in_.u8();  // the flags
  }

  [[nodiscard]] std::optional<Drop> problem(const robot::Report& report) const noexcept {
    if (!in_.ok()) return Drop::malformed;
    if (!good_time_) return Drop::bad_time;
    if (!near_ || !is_within(report.state.pose.position(), kFarthest)) return Drop::outside_world;
    if (!known_ || report.error.correlation < -1) return Drop::bad_state;
    return std::nullopt;
  }

 private:
  double quantity(const ReportField& field) noexcept {
    const double step = field.wire.step;
    switch (field.wire.as) {
      case Wire::i8:
        return in_.i8() * step;
      case Wire::u16:
        return in_.u16() * step;
      case Wire::i16:
      case Wire::ahead:
        return in_.i16() * step;
      case Wire::i24:
        return in_.i24() * step;
      case Wire::u32:
        return in_.u32() * step;
      case Wire::i32:
        return in_.i32() * step;
      case Wire::turn:
        return heading_from_units(in_.u16());
      default:
        return 0;  // no quantity travels in this way
    }
  }

  ByteReader in_;
  std::uint8_t flags_;
  bool good_time_ = true, near_ = true, known_ = true;
};

using FixedPart = FixedVector<std::uint8_t, kReportBodySize + kOdometrySize>;

std::optional<FixedPart> encode_fixed_part(const robot::Report& report) noexcept {
  FixedPart body;
  body.resize(kReportBodySize + (report.odometry ? kOdometrySize : 0));
  const Vec2 here = report.state.pose.position();
  BodyWriter out(MutableBytes(body.data(), body.size()), here);
  visit_report(report, out);
  if (!out.fits() || !is_within(here, kFarthest)) return std::nullopt;
  body[kFlagsAt] = out.flags();
  return body;
}

constexpr double kWheelUnit = 1e-6;  // [m]

bool add_wheels(const robot::FoundWheels& found, SectionWriter& out) noexcept {
  std::array<std::uint8_t, kWheelsSize> content{};
  ByteWriter bytes(content);
  bool fits = true;
  const auto& [w, s] = found;
  for (const double value : {w.left_diameter, w.right_diameter, w.base}) {
    bytes.u32(to_units<std::uint32_t>(value, kWheelUnit, fits));
  }
  for (const double sigma : {s.left_diameter, s.right_diameter, s.base}) {
    bytes.u16(to_units_up_to<std::uint16_t>(sigma, kWheelUnit, fits));
  }
  return fits && out.add(SectionKind::calibration, content);
}

std::optional<robot::FoundWheels> decode_wheels(Bytes content) noexcept {
  ByteReader in(content);
  std::array<double, 6> values{};
  for (std::size_t i = 0; i < 6; ++i)
    values[i] = (i < 3 ? in.u32() : in.u16()) / 1e6;  // divided: short numbers stay short
  if (!in.ok()) return std::nullopt;
  return robot::FoundWheels{{values[0], values[1], values[2]}, {values[3], values[4], values[5]}};
}

constexpr double kMissionTimeUnit = 1e-3;  // [s]

bool add_mission(const robot::MissionStatus& mission, SectionWriter& out) noexcept {
  std::array<std::uint8_t, kMissionSize> content{};
  ByteWriter bytes(content);
  bool fits = true;
  bytes.u64(mission.number);
  bytes.u8(static_cast<std::uint8_t>(mission.state));
  bytes.u8(static_cast<std::uint8_t>(mission.departure));
  bytes.u32(to_units_up_to<std::uint32_t>(mission.time, kMissionTimeUnit, fits));
  bytes.u16(mission.starts);
  return fits && out.add(SectionKind::mission, content);
}

std::optional<robot::MissionStatus> decode_mission(Bytes content) noexcept {
  ByteReader in(content);
  robot::MissionStatus mission;
  mission.number = in.u64();
  const std::uint8_t state = in.u8(), departure = in.u8();
  mission.time = in.u32() * kMissionTimeUnit;
  mission.starts = in.u16();
  if (!in.ok() || mission.number == 0 || state >= robot::kMissionStates || departure >= robot::kDepartures)
    return std::nullopt;
  mission.state = static_cast<robot::MissionState>(state);
  mission.departure = static_cast<robot::Departure>(departure);
  return mission;
}

constexpr double kResponseUnit = 1e-4;  // [s]
constexpr std::uint16_t kNotFound = 0xffff;

bool add_response(const robot::FoundResponse& response, SectionWriter& out) noexcept {
  std::array<std::uint8_t, kResponseSize> content{};
  ByteWriter bytes(content);
  bool fits = true;
  for (const auto& axis : {response.forward, response.turn}) {
    bytes.u16(axis ? to_units_up_to<std::uint16_t>(axis->delay, kResponseUnit, fits) : kNotFound);
    bytes.u16(axis ? to_units_up_to<std::uint16_t>(axis->lag, kResponseUnit, fits) : kNotFound);
  }
  return fits && out.add(SectionKind::response, content);
}

std::optional<robot::FoundResponse> decode_response(Bytes content) noexcept {
  ByteReader in(content);
  robot::FoundResponse response;
  for (auto* axis : {&response.forward, &response.turn}) {
    const std::uint16_t delay = in.u16(), lag = in.u16();
    if (delay != kNotFound && lag != kNotFound) *axis = {delay * kResponseUnit, lag * kResponseUnit};
  }
  if (!in.ok()) return std::nullopt;
  return response;
}

// The report's own sections, but for those that it is sent with already.
bool add_sections(const robot::Report& report, Bytes sections, SectionWriter& out) noexcept {
  if (report.wheels && !find_section(sections, SectionKind::calibration) && !add_wheels(*report.wheels, out))
    return false;
  if (report.response && !find_section(sections, SectionKind::response) && !add_response(*report.response, out))
    return false;
  if (report.posture && !find_section(sections, SectionKind::attitude) && !add_posture(*report.posture, out))
    return false;
  if (report.mission && !find_section(sections, SectionKind::mission) && !add_mission(*report.mission, out))
    return false;
  if (report.hindrance && !find_section(sections, SectionKind::hindrance) && !add_hindrance(*report.hindrance, out))
    return false;
  if (report.seen && !find_section(sections, SectionKind::things_seen) &&
      !add_seen_things(*report.seen, report.state.pose.position(), out))
    return false;
  if (report.scan && !find_section(sections, SectionKind::live_scan) && !add_live_scan(*report.scan, out)) return false;
  if (!report.planned_path || find_section(sections, SectionKind::planned_path)) return true;
  const auto content = encode_planned_path(*report.planned_path, report.state.pose.position());
  return content && out.add(SectionKind::planned_path, *content);
}

}  // namespace

std::optional<SyncBody> encode_report(const robot::Report& report, Bytes sections) noexcept {
  const auto fixed = encode_fixed_part(report);
  if (!fixed || sections.size() > kMostSectionBytes || !has_whole_sections(sections)) return std::nullopt;
  SectionWriter own;
  if (!add_sections(report, sections, own)) return std::nullopt;
  if (own.written().size() > kMostSectionBytes - sections.size()) return std::nullopt;
  SyncBody body;
  body.resize(fixed->size() + sections.size() + own.written().size());
  ByteWriter out(MutableBytes(body.data(), body.size()));
  out.bytes(*fixed);
  out.bytes(sections);
  out.bytes(own.written());
  return body;
}

Bytes sections_of(Bytes body) noexcept {
  if (body.size() < kReportBodySize) return {};
  const bool has_odometry = (body[kFlagsAt] & kHasOdometry) != 0;
  return body.subspan(std::min(body.size(), kReportBodySize + (has_odometry ? kOdometrySize : 0)));
}

DecodedReport decode_report(Bytes body) noexcept {
  if (body.size() < kReportBodySize) return {std::nullopt, Drop::malformed, {}};
  const Bytes sections = sections_of(body);
  if (sections.size() > kMostSectionBytes || !has_whole_sections(sections)) {
    return {std::nullopt, Drop::malformed, {}};
  }
  robot::Report report;
  BodyReader in(body);
  visit_report(report, in);
  if (const auto problem = in.problem(report)) return {std::nullopt, *problem, {}};
  // a target counts from the position
  if (report.target) *report.target = report.state.pose.position() + *report.target;
  // who plans badly still is where it is: a section that is wrong says nothing
  if (const auto path = find_section(sections, SectionKind::planned_path)) {
    report.planned_path = decode_planned_path(*path, report.state.pose.position());
  }
  if (const auto wheels = find_section(sections, SectionKind::calibration)) report.wheels = decode_wheels(*wheels);
  if (const auto found = find_section(sections, SectionKind::response)) report.response = decode_response(*found);
  if (const auto posture = find_section(sections, SectionKind::attitude)) report.posture = decode_posture(*posture);
  if (const auto mission = find_section(sections, SectionKind::mission)) report.mission = decode_mission(*mission);
  if (const auto found = find_section(sections, SectionKind::hindrance)) report.hindrance = decode_hindrance(*found);
  if (const auto seen = find_section(sections, SectionKind::things_seen)) {
    report.seen = decode_seen_things(*seen, report.state.pose.position());
  }
  if (const auto scan = find_section(sections, SectionKind::live_scan)) report.scan = decode_live_scan(*scan);
  return {report, {}, sections};
}

}  // namespace forerun::sync
