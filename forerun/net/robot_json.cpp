#include "forerun/net/robot_json.hpp"

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <vector>

#include "forerun/base/fields.hpp"
#include "forerun/base/math.hpp"
#include "forerun/robot/planned_path.hpp"
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
constexpr std::size_t kMostPlanPoints = 1000;  // more than a line can hold

// Exact there and back for all times in range, which nanoseconds in a double are not.
Duration from_microseconds(double s) noexcept { return {std::llround(s * 1e6) * 1000}; }
double in_microseconds(Duration d) noexcept {
  const std::int64_t whole = d.ns / 1000;
  return static_cast<double>(whole) / 1e6;
}

std::string write(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

// What was sent, short enough for a sentence.
std::string shown(const Json& value) {
  constexpr std::size_t kLongest = 40;
  std::string text = write(value);
  if (text.size() > kLongest) text = text.substr(0, kLongest) + "…";
  return text;
}

bool is_point(const Json& json) {
  const auto is_coordinate = [](const Json& c) { return c.is_number() && std::fabs(c.get<double>()) <= kPlace.high; };
  return json.is_array() && json.size() == 2 && is_coordinate(json[0]) && is_coordinate(json[1]);
}
Vec2 to_point(const Json& json) { return {json[0].get<double>(), json[1].get<double>()}; }

// Takes fields out of an object and keeps the first complaint.
class ObjectReader {
 public:
  explicit ObjectReader(std::string_view line) : json_(Json::parse(line.begin(), line.end(), nullptr, false)) {
    if (json_.is_discarded()) {
      fail("the line is not JSON");
    } else if (!json_.is_object()) {
      fail("the line is " + shown(json_) + ", but must be a JSON object");
    }
  }

  void fail(std::string sentence) {
    if (message_.empty()) message_ = std::move(sentence);
  }
  void require(const char* key) {
    if (!failed() && !json_.contains(key)) fail(std::string(key) + " is missing");
  }
  // Whether it was there and right.
  bool number(const char* key, double& value, const Field& field) {
    const Json* found = take(key);
    if (found == nullptr) return false;
    if (!found->is_number()) return complain(key, *found, "a number");
    const double number = found->get<double>();
    if (!(number >= field.low && number <= field.high)) {
      return complain(key, *found, shown(field.low) + " to " + shown(field.high));
    }
    value = number;
    return true;
  }
  void point(const char* key, std::optional<Vec2>& value) {
    const Json* found = take(key);
    if (found == nullptr) return;
    value.reset();
    if (found->is_null()) return;
    if (is_point(*found)) {
      value = to_point(*found);
    } else {
      complain(key, *found, "null or [x, y] within 100 km");
    }
  }
  void place(const char* key, std::optional<Pose2>& value) {
    const Json* found = take(key);
    if (found == nullptr) return;
    value.reset();
    if (found->is_null()) return;
    bool right = found->is_array() && found->size() == 3;
    for (std::size_t i = 0; right && i < 3; ++i) {
      const Json& part = (*found)[i];
      right = part.is_number() && std::fabs(part.get<double>()) <= kPlace.high;
    }
    if (right) {
      value = Pose2{(*found)[0].get<double>(), (*found)[1].get<double>(), (*found)[2].get<double>()};
    } else {
      complain(key, *found, "null or [x, y, heading], each within ±100000");
    }
  }
  // As many numbers as there are places, all within `field`. Whether they were there and right.
  bool numbers(const char* key, std::span<double> values, const Field& field) {
    const Json* found = take(key);
    if (found == nullptr || found->is_null()) return false;
    bool right = found->is_array() && found->size() == values.size();
    for (std::size_t i = 0; right && i < values.size(); ++i) {
      const Json& part = (*found)[i];
      right = part.is_number() && part.get<double>() >= field.low && part.get<double>() <= field.high;
      if (right) values[i] = part.get<double>();
    }
    const std::string allowed =
        std::to_string(values.size()) + " numbers from " + shown(field.low) + " to " + shown(field.high);
    return right || complain(key, *found, "null or " + allowed);
  }
  void path(const char* key, std::optional<robot::PlannedPath>& value) {
    const Json* found = take(key);
    if (found == nullptr) return;
    std::vector<Vec2> points;
    bool right = found->is_null() || (found->is_array() && found->size() <= kMostPlanPoints);
    for (std::size_t i = 0; right && i < found->size(); ++i) {
      right = is_point((*found)[i]);
      if (right) points.push_back(to_point((*found)[i]));
    }
    if (right) {
      value = robot::thin_path(points);
    } else {
      complain(key, *found, "null or a list of at most 1000 points [x, y] within 100 km");
    }
  }
  void flag(const char* key, bool& value) {
    const Json* found = take(key);
    if (found == nullptr) return;
    if (found->is_boolean()) {
      value = found->get<bool>();
    } else {
      complain(key, *found, "true or false");
    }
  }
  // One of the words that `to_string` gives.
  template <class Enum>
  bool word(const char* key, Enum& value, std::uint8_t first, std::uint8_t end) {
    const Json* found = take(key);
    if (found == nullptr) return false;
    std::string words;
    for (std::uint8_t i = first; i < end; ++i) {
      const char* word = to_string(static_cast<Enum>(i));
      if (found->is_string() && found->get_ref<const std::string&>() == word) {
        value = static_cast<Enum>(i);
        return true;
      }
      words += std::string(i == first ? "" : i + 1 == end ? " or " : ", ") + word;
    }
    return complain(key, *found, words);
  }
  // This word or nothing.
  bool word(const char* key, const char* only) {
    const Json* found = take(key);
    if (found == nullptr) return false;
    return *found == only || complain(key, *found, only);
  }
  bool whole(const char* key, std::uint64_t& value) {
    const Json* found = take(key);
    if (found == nullptr) return false;
    if (!found->is_number_unsigned()) return complain(key, *found, "a whole number, 0 or more");
    value = found->get<std::uint64_t>();
    return true;
  }
  bool text(const char* key, robot::Words& value) {
    const Json* found = take(key);
    if (found == nullptr) return false;
    if (!found->is_string()) return complain(key, *found, "a text");
    value = robot::Words(found->get_ref<const std::string&>());
    return true;
  }
  [[nodiscard]] bool has(const char* key) const { return !failed() && json_.contains(key); }
  [[nodiscard]] bool failed() const { return !message_.empty(); }
  // What was not asked for is a slip of the pen.
  void finish() {
    if (failed()) return;
    for (const auto& [key, value] : json_.items()) {
      bool known = false;
      for (const char* taken : taken_) known = known || key == taken;
      if (!known) fail(shown(Json(key)) + " is no field that may stand here");
    }
  }
  [[nodiscard]] const std::string& message() const { return message_; }

 private:
  const Json* take(const char* key) {
    taken_.push_back(key);
    return has(key) ? &json_.at(key) : nullptr;
  }
  bool complain(const char* key, const Json& value, const std::string& allowed) {
    fail(std::string(key) + " is " + shown(value) + ", but must be " + allowed);
    return false;
  }

  Json json_;
  std::string message_;
  std::vector<const char*> taken_;
};

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
    if (command.timeout) json["reason"] = "timeout";
  }
  return write(json);
}

Result<RobotCommand> parse_robot_command(std::string_view line) {
  RobotCommand read;
  ObjectReader in(line);
  in.require("command");
  in.word("command", read.command.kind, 1, 5);
  in.whole("number", read.number);
  if (read.command.kind == robot::CommandKind::goal) {
    for (const char* key : {"x_m", "y_m"}) in.require(key);
    in.number("x_m", read.command.goal.x, kPlace);
    in.number("y_m", read.command.goal.y, kPlace);
  }
  if (read.command.kind == robot::CommandKind::drive) {
    read_velocity(in, read.command.velocity);
    read.timeout = in.word("reason", "timeout");
  }
  in.finish();
  if (in.failed()) return Error{in.message()};
  return read;
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
  } else {
    return std::nullopt;
  }
  in.finish();
  if (in.failed()) return Result<RobotAnswer>(Error{in.message()});
  return Result<RobotAnswer>(answer);
}

std::string write_robot_answer(const RobotAnswer& answer) {
  if (answer.number == 0) return write(Json{{"answers", true}});
  if (answer.reply.state != robot::Reply::State::refused) return write(Json{{"accepted", answer.number}});
  Json json{{"refused", answer.number}, {"reason", std::string(answer.reply.words.view())}};
  json["kind"] = to_string(answer.reply.refusal);
  return write(json);
}

std::string write_robot_error(std::string_view sentence) { return write(Json{{"error", std::string(sentence)}}); }

}  // namespace forerun::net
