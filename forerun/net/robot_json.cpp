#include "forerun/net/robot_json.hpp"

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <vector>

#include "forerun/base/fields.hpp"
#include "forerun/base/hex.hpp"
#include "forerun/base/math.hpp"
#include "forerun/mission/action.hpp"
#include "forerun/net/hindrance_json.hpp"
#include "forerun/net/object_reader.hpp"
#include "forerun/net/seen_json.hpp"
#include "forerun/robot/report_fields.hpp"

namespace forerun::net {
namespace {

using Json = nlohmann::ordered_json;
using robot::Report;
using robot::ReportField;

// ranges that a command can have; those of states are in the list of a report's fields
constexpr Field kPlace{-1e5, 1e5, ""};
constexpr Field kSpeed{-16, 16, ""};
constexpr Field kTurnRate{-32, 32, ""};
constexpr Field kWheel{0, 100, ""};  // diameters and base, and how sure they are [m]
constexpr Field kTicks{-1e15, 1e15, ""};

// Exact there and back for all times in range, which nanoseconds in a double are not.
Duration from_microseconds(double s) noexcept { return {std::llround(s * 1e6) * 1000}; }
double in_microseconds(Duration d) noexcept {
  const std::int64_t whole = d.ns / 1000;
  return static_cast<double>(whole) / 1e6;
}

std::string write(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

// Takes the fields of a report out of an object. What is not there stays as it is.
struct StateReader {
  ObjectReader& in;

  void operator()(const ReportField&, std::uint32_t&) const {}  // a control system does not know these
  void operator()(const ReportField&, std::uint64_t&) const {}
  void operator()(const ReportField& f, double& value) const {
    if (in.number(f.json, value, range_of(f)) && f.wire.as == robot::Wire::turn) value = normalize_angle(value);
  }
  void operator()(const ReportField& f, RobotTime& time) const {
    if (const auto read = seconds(f)) time.ns = read->ns;
  }
  void operator()(const ReportField& f, Duration& duration) const { duration = seconds(f).value_or(duration); }
  void operator()(const ReportField& f, std::optional<Vec2>& point) const { in.point(f.json, point); }
  void operator()(const ReportField& f, std::optional<Pose2>& pose) const { in.place(f.json, pose); }
  void operator()(const ReportField& f, bool& on) const { in.flag(f.json, on); }
  template <class Enum>
  requires std::is_enum_v<Enum>
  void operator()(const ReportField& f, Enum& state) const { in.word(f.json, state, 0, n_words(state)); }

 private:
  static Field range_of(const ReportField& f) { return {f.range.low, f.range.high, f.about}; }
  std::optional<Duration> seconds(const ReportField& f) const {
    double s = 0;
    return in.number(f.json, s, range_of(f)) ? std::optional(from_microseconds(s)) : std::nullopt;
  }
};

struct StateWriter {
  Json& json;

  void operator()(const ReportField&, std::uint32_t) const {}
  void operator()(const ReportField&, std::uint64_t) const {}
  void operator()(const ReportField& f, double value) const { json[f.json] = value; }
  void operator()(const ReportField& f, RobotTime time) const { json[f.json] = in_microseconds({time.ns}); }
  void operator()(const ReportField& f, Duration duration) const { json[f.json] = in_microseconds(duration); }
  void operator()(const ReportField& f, const std::optional<Vec2>& point) const {
    json[f.json] = point ? Json::array({point->x, point->y}) : Json(nullptr);
  }
  void operator()(const ReportField& f, const std::optional<Pose2>& pose) const {
    if (pose) json[f.json] = Json::array({pose->x, pose->y, pose->theta});
  }
  void operator()(const ReportField& f, bool on) const { json[f.json] = on; }
  template <class Enum>
  requires std::is_enum_v<Enum>
  void operator()(const ReportField& f, Enum state) const { json[f.json] = to_string(state); }
};

void read_velocity(ObjectReader& in, robot::Twist& velocity) {
  for (const char* key : {"v_mps", "w_radps"}) in.require(key);
  in.number("v_mps", velocity.vx, kSpeed);
  in.number("vy_mps", velocity.vy, kSpeed);
  in.number("w_radps", velocity.w, kTurnRate);
}

constexpr Field kMissionTime{0, 4e6, ""};  // on the path [s]
constexpr Field kStarts{0, robot::kAnyStart, ""};

void read_mission(ObjectReader& in, std::optional<robot::MissionStatus>& mission) {
  robot::MissionStatus read;
  const bool named = in.hex("mission", read.number);
  in.word("mission_state", read.state, 0, robot::kMissionStates);
  in.word("mission_departure", read.departure, 0, robot::kDepartures);
  in.number("mission_time_s", read.time, kMissionTime);
  if (double starts = 0; in.number("mission_starts", starts, kStarts)) read.starts = static_cast<std::uint16_t>(starts);
  if (named) mission = read;
}

void write_mission(const robot::MissionStatus& mission, Json& json) {
  json["mission"] = to_hex(mission.number);
  json["mission_state"] = to_string(mission.state);
  json["mission_departure"] = to_string(mission.departure);
  json["mission_time_s"] = mission.time;
  json["mission_starts"] = mission.starts;
}

constexpr Field kHeight{-32, 32, ""};
constexpr Field kLean{-3.2, 3.2, ""};
constexpr Field kFlipper{-6.5, 6.5, ""};

// Height, roll, pitch; then flippers and belts of robots that have them.
void read_posture(ObjectReader& in, std::optional<robot::Posture>& posture) {
  robot::Posture read;
  bool said = in.number("height_m", read.height, kHeight);
  said = in.number("roll_rad", read.roll, kLean) || said;
  said = in.number("pitch_rad", read.pitch, kLean) || said;
  said = in.numbers("flippers_rad", read.flippers, kFlipper) || said;
  if (std::array<double, 2> belts{}; in.numbers("belts_mps", belts, kSpeed)) {
    read.left_speed = belts[0];
    read.right_speed = belts[1];
    said = true;
  }
  said = in.word("standing", read.standing, 0, robot::kStandings) || said;
  if (said) posture = read;
}

void write_posture(const robot::Posture& posture, Json& json) {
  json["height_m"] = posture.height;
  json["roll_rad"] = posture.roll;
  json["pitch_rad"] = posture.pitch;
  json["flippers_rad"] = posture.flippers;
  json["belts_mps"] = {posture.left_speed, posture.right_speed};
  json["standing"] = to_string(posture.standing);
}

void write_start(const robot::Command& command, Json& json) {
  json["mission"] = to_hex(command.mission);
  if (command.starts != robot::kAnyStart) json["starts"] = command.starts;
}

}  // namespace

Result<TickedState> parse_ticked_state(std::string_view line, const Report& usual) {
  TickedState state{usual, std::nullopt};
  Report& report = state.report;
  ObjectReader in(line);
  visit_report(report, [&](const ReportField& field, const auto&) {
    if (field.need == robot::Need::required) in.require(field.json);
  });
  visit_report(report, StateReader{in});
  in.path("plan", report.planned_path);
  if (std::array<double, 6> w{}; in.numbers("wheels", w, kWheel)) {
    report.wheels = robot::FoundWheels{{w[0], w[1], w[2]}, {w[3], w[4], w[5]}};
  }
  read_posture(in, report.posture);
  read_mission(in, report.mission);
  read_seen(in, report.seen);
  read_hindrance(in, report.hindrance);
  if (std::array<double, 2> ticks{}; in.numbers("ticks", ticks, kTicks)) state.ticks = {ticks[0], ticks[1]};
  in.finish();
  if (in.failed()) return Error{in.message()};
  return state;
}

Result<Report> parse_robot_state(std::string_view line, const Report& usual) {
  const auto state = parse_ticked_state(line, usual);
  if (!state) return state.error();
  return state->report;
}

std::string write_robot_state(const Report& report) {
  Json json;
  visit_report(report, StateWriter{json});
  if (report.planned_path) {
    json["plan"] = Json::array();
    for (const Vec2 point : *report.planned_path) json["plan"].push_back({point.x, point.y});
  }
  if (report.wheels) {
    const auto& [w, s] = *report.wheels;
    json["wheels"] = {w.left_diameter, w.right_diameter, w.base, s.left_diameter, s.right_diameter, s.base};
  }
  if (report.posture) write_posture(*report.posture, json);
  if (report.mission) write_mission(*report.mission, json);
  if (report.seen) write_seen(*report.seen, json);
  if (report.hindrance) write_hindrance(*report.hindrance, json);
  return write(json);
}

std::string write_robot_command(const RobotCommand& command) {
  Json json;
  json["command"] = to_string(command.command.kind);
  json["number"] = command.number;
  if (command.command.kind == robot::CommandKind::goal) {
    json["x_m"] = command.command.goal.x;
    json["y_m"] = command.command.goal.y;
  }
  if (command.command.kind == robot::CommandKind::drive) {
    json["v_mps"] = command.command.velocity.vx;
    json["vy_mps"] = command.command.velocity.vy;
    json["w_radps"] = command.command.velocity.w;
    if (command.command.flippers) json["flippers_rad"] = *command.command.flippers;
    if (command.timeout) json["reason"] = "timeout";
  }
  if (command.command.kind == robot::CommandKind::start) write_start(command.command, json);
  return write(json);
}

Result<RobotCommand> parse_robot_command(std::string_view line) {
  RobotCommand read;
  ObjectReader in(line);
  in.require("command");
  in.word("command", read.command.kind, 1, 6);
  in.whole("number", read.number);
  if (read.command.kind == robot::CommandKind::goal) {
    for (const char* key : {"x_m", "y_m"}) in.require(key);
    in.number("x_m", read.command.goal.x, kPlace);
    in.number("y_m", read.command.goal.y, kPlace);
  }
  if (read.command.kind == robot::CommandKind::drive) {
    read_velocity(in, read.command.velocity);
    if (robot::FlipperAngles angles{}; in.numbers("flippers_rad", angles, kFlipper)) read.command.flippers = angles;
    read.timeout = in.word("reason", "timeout");
  }
  if (read.command.kind == robot::CommandKind::start) {
    in.require("mission");
    in.hex("mission", read.command.mission);
    if (double starts = 0; in.number("starts", starts, kStarts)) {
      read.command.starts = static_cast<std::uint16_t>(starts);
    }
  }
  in.finish();
  if (in.failed()) return Error{in.message()};
  return read;
}

std::string write_robot_action(const RobotAction& action) {
  return write(Json{{"command", "action"}, {"number", action.number}, {"action", action.name}});
}

std::optional<RobotAction> parse_robot_action(std::string_view line) {
  ObjectReader in(line);
  if (!in.has("action")) return std::nullopt;
  RobotAction action;
  robot::Words name;
  in.word("command", "action");
  in.whole("number", action.number);
  in.text("action", name);
  in.finish();
  action.name = name.view();
  if (in.failed() || !mission::is_action_name(action.name)) return std::nullopt;
  return action;
}

std::optional<Result<RobotAnswer>> parse_robot_answer(std::string_view line) {
  // states come many times a second, and are not read twice
  if (line.find("\"t_s\"") != line.npos) return std::nullopt;
  ObjectReader in(line);
  RobotAnswer answer;
  if (in.has("answers")) {
    bool answers = false;
    in.flag("answers", answers);
    if (!answers) in.fail("answers must be true, or be left out");
  } else if (in.has("accepted")) {
    in.whole("accepted", answer.number);
  } else if (in.has("refused")) {
    answer.reply = robot::refuse(robot::Refusal::other);
    in.whole("refused", answer.number);
    in.text("reason", answer.reply.words);
    in.word("kind", answer.reply.refusal, 1, robot::kRefusals);
  } else if (in.has("done")) {
    answer.over = true;
    in.whole("done", answer.number);
  } else if (in.has("failed")) {
    answer = {0, robot::refuse(robot::Refusal::other), true};
    in.whole("failed", answer.number);
    in.text("reason", answer.reply.words);
  } else {
    return std::nullopt;
  }
  in.finish();
  if (in.failed()) return Result<RobotAnswer>(Error{in.message()});
  return Result<RobotAnswer>(answer);
}

std::string write_robot_answer(const RobotAnswer& answer) {
  if (answer.number == 0) return write(Json{{"answers", true}});
  const bool refused = answer.reply.state == robot::Reply::State::refused;
  if (answer.over && refused) {
    return write(Json{{"failed", answer.number}, {"reason", std::string(answer.reply.words.view())}});
  }
  if (!refused) return write(Json{{answer.over ? "done" : "accepted", answer.number}});
  Json json{{"refused", answer.number}, {"reason", std::string(answer.reply.words.view())}};
  json["kind"] = to_string(answer.reply.refusal);
  return write(json);
}

std::string write_robot_error(std::string_view sentence) { return write(Json{{"error", std::string(sentence)}}); }

}  // namespace forerun::net
