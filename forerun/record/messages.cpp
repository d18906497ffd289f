#include "forerun/record/messages.hpp"

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "forerun/base/hex.hpp"
#include "forerun/io/base64.hpp"
#include "forerun/io/text.hpp"
#include "forerun/net/robot_json.hpp"
#include "forerun/predict/outline.hpp"
#include "forerun/sync/sections.hpp"

namespace forerun::record {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kLatest = 9e9;  // seconds that fit into whole nanoseconds
constexpr std::array kWarningKinds{"late", "stale", "down"};
constexpr std::array kOutcomeStates{"sent", "confirmed", "refused", "failed"};
constexpr std::uint32_t kMostRobots = 1000;

// To the micrometre: more is no use and much to write.
double rounded(double value) { return std::round(value * 1e6) / 1e6; }
double seconds_of(RobotTime time) { return static_cast<double>(time.ns / 1000) / 1e6; }
Json or_null(const std::optional<double>& value) { return value ? Json(rounded(*value)) : Json(nullptr); }

std::string in_base64(const std::vector<std::uint8_t>& bytes) {
  return io::encode_base64({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

std::string dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json state_of(const robot::State& state) {
  return {{"x_m", rounded(state.pose.x)},           {"y_m", rounded(state.pose.y)},
          {"theta_rad", rounded(state.pose.theta)}, {"v_mps", rounded(state.velocity.vx)},
          {"vy_mps", rounded(state.velocity.vy)},   {"w_radps", rounded(state.velocity.w)}};
}

// Of the robot's middle: rings of x y x y …, the first point not once more at the end.
Json region_of(const predict::Region& region) {
  const predict::Outline outline = predict::outline_of(region, 0);
  Json rings = Json::array();
  std::size_t begin = 0;
  for (const std::size_t end : outline.ends) {
    Json& ring = rings.emplace_back(Json::array());
    for (std::size_t i = begin; i < end; ++i) {
      ring.push_back(rounded(outline.points[i].x));
      ring.push_back(rounded(outline.points[i].y));
    }
    begin = end;
  }
  return {{"radius_m", rounded(region.radius())}, {"rings_m", std::move(rings)}};
}

// Takes fields out of an object and remembers whether all were as they must be.
class Reader {
 public:
  explicit Reader(std::string_view text) : json_(Json::parse(text.begin(), text.end(), nullptr, false)) {
    if (!json_.is_object()) wrong_ = "it is no JSON object";
  }

  double number(const char* key, double lowest = -1e12, double highest = 1e12) {
    const Json* found = find(key);
    if (found == nullptr || !found->is_number()) return fail(key), 0;
    const double value = found->get<double>();
    if (!(value >= lowest && value <= highest)) fail(key);
    return wrong_.empty() ? value : 0;
  }
  std::optional<double> number_or_null(const char* key) {
    const Json* found = find(key);
    if (found == nullptr || found->is_null()) return std::nullopt;
    return number(key);
  }
  std::uint32_t whole(const char* key, double highest = 4294967295.0) {
    return static_cast<std::uint32_t>(number(key, 0, highest));
  }
  RobotTime time(const char* key) {
    return {static_cast<std::int64_t>(std::llround(number(key, -kLatest, kLatest) * 1e6)) * 1000};
  }
  std::string text(const char* key) {
    const Json* found = find(key);
    if (found == nullptr || !found->is_string()) return fail(key), "";
    return found->get<std::string>();
  }
  bool flag(const char* key) {
    const Json* found = find(key);
    if (found == nullptr || !found->is_boolean()) return fail(key), false;
    return found->get<bool>();
  }
  template <std::size_t n>
  const char* one_of(const char* key, const std::array<const char*, n>& words) {
    const std::string word = text(key);
    for (const char* known : words) {
      if (word == known) return known;
    }
    fail(key);
    return words[0];
  }
  void erase(const char* key) {
    if (json_.is_object()) json_.erase(key);
  }
  void fail(const std::string& key) {
    if (wrong_.empty()) wrong_ = key + " is missing or wrong";
  }

  [[nodiscard]] const Json* find(const char* key) const {
    const auto place = json_.is_object() ? json_.find(key) : json_.end();
    return place == json_.end() ? nullptr : &*place;
  }
  [[nodiscard]] const Json& json() const { return json_; }
  [[nodiscard]] bool ok() const { return wrong_.empty(); }
  [[nodiscard]] Error error(const char* what) const { return Error{std::string("in ") + what + ": " + wrong_}; }

 private:
  Json json_;
  std::string wrong_;
};

std::uint64_t model_of(Reader& in) {
  const std::string digits = in.text("model");
  const bool right = digits.size() == 16 && digits.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (!right) in.fail("model");
  return right ? std::stoull(digits, nullptr, 16) : 0;
}

std::vector<std::uint8_t> sections_in(Reader& in) {
  if (in.find("sections") == nullptr) return {};
  const auto text = io::decode_base64(in.text("sections"));
  std::vector<std::uint8_t> sections;
  if (text) sections.assign(text->begin(), text->end());
  if (!text || sections.size() > sync::kMostSectionBytes || !sync::has_whole_sections(sections)) in.fail("sections");
  return sections;
}

}  // namespace

std::string write_recorded(const RecordedModel& model) {
  return dump({{"robot", model.robot},
               {"model", to_hex(model.card.model)},
               {"robot_name", model.card.name},
               {"world_name", model.card.world},
               {"bundle", in_base64(model.bundle)}});
}

Result<RecordedModel> parse_recorded_model(std::string_view text) {
  Reader in(text);
  RecordedModel model;
  // before 0.3.0 a recording held one robot, and its model did not say whose it was
  if (in.find("robot") != nullptr) model.robot = in.whole("robot", kMostRobots);
  model.card = {.name = in.text("robot_name"), .world = in.text("world_name"), .model = model_of(in)};
  const auto bundle = io::decode_base64(in.text("bundle"));
  if (!bundle) in.fail("bundle");
  if (!in.ok()) return in.error("/model");
  model.bundle.assign(bundle->begin(), bundle->end());
  return model;
}

std::string write_recorded(const RecordedReport& report) {
  Json json{{"robot", report.robot},
            {"model", to_hex(report.report.model)},
            {"sequence", report.report.sequence},
            {"robot_now_s", seconds_of(report.robot_now)}};
  json.update(Json::parse(net::write_robot_state(report.report)));
  if (!report.sections.empty()) json["sections"] = in_base64(report.sections);
  return dump(json);
}

Result<RecordedReport> parse_recorded_report(std::string_view text) {
  Reader in(text);
  RecordedReport read{.robot = in.whole("robot", kMostRobots)};
  robot::Report usual;
  usual.robot = read.robot;
  usual.model = model_of(in);
  usual.sequence = in.whole("sequence");
  read.robot_now = in.time("robot_now_s");
  read.sections = sections_in(in);
  if (!in.ok()) return in.error("/report");
  for (const char* key : {"robot", "model", "sequence", "robot_now_s", "sections"}) in.erase(key);
  const auto report = net::parse_robot_state(dump(in.json()), usual);
  if (!report) return Error{"in /report: " + report.error().message};
  read.report = *report;
  return read;
}

std::string write_recorded(const RecordedTruth& truth) {
  return dump({{"robot", truth.robot},
               {"t_s", seconds_of(truth.time)},
               {"x_m", rounded(truth.pose.x)},
               {"y_m", rounded(truth.pose.y)},
               {"theta_rad", rounded(truth.pose.theta)}});
}

Result<RecordedTruth> parse_recorded_truth(std::string_view text) {
  Reader in(text);
  const RecordedTruth truth{.robot = in.whole("robot", kMostRobots),
                            .time = in.time("t_s"),
                            .pose = {in.number("x_m"), in.number("y_m"), in.number("theta_rad")}};
  if (!in.ok()) return in.error("/truth");
  return truth;
}

std::string write_recorded(const RecordedPrediction& recorded) {
  const predict::Prediction& predicted = recorded.prediction;
  return dump({{"robot", recorded.robot},
               {"t_s", seconds_of(predicted.time)},
               {"gap_s", rounded(to_seconds(predicted.gap))},
               {"status", predict::to_string(predicted.status)},
               {"predicted", state_of(predicted.state)},
               {"extrapolated", state_of(predicted.extrapolated)},
               {"region50", region_of(predicted.region50)},
               {"region95", region_of(predicted.region95)}});
}

std::string write_recorded(const RecordedLink& recorded) {
  const web::PageLink& link = recorded.link;
  Json warnings = Json::array();
  for (const web::PageWarning& warning : link.warnings) {
    warnings.push_back({{"kind", warning.kind}, {"text", warning.text}});
  }
  return dump({{"robot", recorded.robot},
               {"age_s", or_null(link.age)},
               {"loss", rounded(link.loss)},
               {"round_trip_s", or_null(link.round_trip)},
               {"clock_offset_s", or_null(link.clock_offset)},
               {"clock_sigma_s", or_null(link.clock_sigma)},
               {"state", link.state},
               {"may_operate", link.may_operate},
               {"warnings", std::move(warnings)}});
}

Result<RecordedLink> parse_recorded_link(std::string_view text) {
  Reader in(text);
  RecordedLink read{.robot = in.whole("robot", kMostRobots), .link = {}};
  web::PageLink& link = read.link;
  link.age = in.number_or_null("age_s");
  link.loss = in.number("loss", 0, 1);
  link.round_trip = in.number_or_null("round_trip_s");
  link.clock_offset = in.number_or_null("clock_offset_s");
  link.clock_sigma = in.number_or_null("clock_sigma_s");
  link.state = in.text("state");
  link.may_operate = in.flag("may_operate");
  const Json* warnings = in.find("warnings");
  if (warnings == nullptr || !warnings->is_array() || warnings->size() > 100) in.fail("warnings");
  if (!in.ok()) return in.error("/link");
  for (const Json& warning : *warnings) {
    Reader entry(dump(warning));
    link.warnings.push_back({entry.one_of("kind", kWarningKinds), entry.text("text")});
    if (!entry.ok()) return entry.error("/link");
  }
  return read;
}

std::string write_recorded(const RecordedCommand& command) {
  Json json{{"robot", command.robot}};
  json.update(Json::parse(net::write_robot_command({.number = command.number, .command = command.command})));
  return dump(json);
}

std::string write_recorded(const RecordedOutcome& recorded) {
  const web::PageOutcome& outcome = recorded.outcome;
  return dump({{"robot", recorded.robot},
               {"number", outcome.number},
               {"command", robot::to_string(outcome.kind)},
               {"state", outcome.state},
               {"text", outcome.text}});
}

Result<RecordedOutcome> parse_recorded_outcome(std::string_view text) {
  using robot::CommandKind;
  Reader in(text);
  RecordedOutcome read{.robot = in.whole("robot", kMostRobots), .outcome = {}};
  read.outcome.number = in.whole("number");
  read.outcome.state = in.one_of("state", kOutcomeStates);
  read.outcome.text = in.text("text");
  const std::string word = in.text("command");
  bool known = false;
  for (const CommandKind kind :
       {CommandKind::goal, CommandKind::cancel, CommandKind::stop, CommandKind::drive, CommandKind::start}) {
    if (word != robot::to_string(kind)) continue;
    read.outcome.kind = kind;
    known = true;
  }
  if (!known) in.fail("command");
  if (!in.ok()) return in.error("/outcome");
  return read;
}

std::string write_recorded(const web::DemoSettings& settings) {
  return dump({{"loss", settings.loss},
               {"delay_s", settings.delay_s},
               {"interval_s", settings.interval_s},
               {"blackout", settings.blackout},
               {"reality", settings.reality}});
}

Result<web::DemoSettings> parse_recorded_demo(std::string_view text) {
  Reader in(text);
  const web::DemoSettings settings{.loss = in.number("loss", 0, 1),
                                   .delay_s = in.number("delay_s", 0, 1e6),
                                   .interval_s = in.number("interval_s", 0, 1e6),
                                   .blackout = in.flag("blackout"),
                                   .reality = in.text("reality")};
  if (!in.ok()) return in.error("/demo");
  return settings;
}

}  // namespace forerun::record
