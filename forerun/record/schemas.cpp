#include <array>
#include <nlohmann/json.hpp>

#include "forerun/record/messages.hpp"
#include "forerun/robot/report_fields.hpp"

namespace forerun::record {
namespace {

using Json = nlohmann::ordered_json;

struct SchemaField {
  const char* name;
  Json type;
  std::string about;
};

Json typed(const char* type) { return {{"type", type}}; }
Json maybe(const char* type) { return {{"type", Json::array({type, "null"})}}; }
Json numbers(std::size_t n) {
  return {{"type", Json::array({"array", "null"})}, {"items", typed("number")}, {"minItems", n}, {"maxItems", n}};
}
Json object_of(const std::vector<const char*>& names) {
  Json properties;
  for (const char* name : names) properties[name] = typed("number");
  return {{"type", "object"}, {"properties", std::move(properties)}};
}
Json state() { return object_of({"x_m", "y_m", "theta_rad", "v_mps", "vy_mps", "w_radps"}); }
Json array_of(Json items) { return {{"type", "array"}, {"items", std::move(items)}}; }
Json region() {
  return {{"type", "object"},
          {"properties", {{"radius_m", typed("number")}, {"rings_m", array_of(array_of(typed("number")))}}}};
}

record::McapChannel channel(const char* topic, const char* name, const char* about,
                            const std::vector<SchemaField>& fields) {
  Json properties;
  for (const SchemaField& field : fields) {
    properties[field.name] = field.type;
    if (!field.about.empty()) properties[field.name]["description"] = field.about;
  }
  const Json schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                    {"title", name},
                    {"description", about},
                    {"type", "object"},
                    {"properties", std::move(properties)}};
  return {topic, name, schema.dump()};
}

const SchemaField kRobot{"robot", typed("integer"), "number of the robot, from 1"};

// The type of a report's field, and what a reader must know beside its name.
struct Described {
  Json type;
  std::string more;
};
Described described(double) { return {typed("number"), ""}; }
Described described(Duration) { return {typed("number"), ""}; }
Described described(RobotTime) { return {typed("number"), ""}; }
Described described(bool) { return {typed("boolean"), ""}; }
Described described(const std::optional<Vec2>&) { return {numbers(2), ": x, y [m]"}; }
Described described(const std::optional<Pose2>&) { return {numbers(3), ": x, y [m] and heading [rad]"}; }
template <class Enum>
requires std::is_enum_v<Enum> Described described(Enum state) {
  std::string words;
  for (std::uint8_t i = 0; i < n_words(state); ++i) {
    words += std::string(i == 0 ? ": " : ", ") + to_string(static_cast<Enum>(i));
  }
  return {typed("string"), words};
}
// of the program, not of the control system
Described described(std::uint32_t) { return {}; }
Described described(std::uint64_t) { return {}; }

record::McapChannel report_channel() {
  std::vector<SchemaField> fields{kRobot,
                                  {"model", typed("string"), "which /model it belongs to"},
                                  {"sequence", typed("integer"), "counts the robot's reports"},
                                  {"robot_now_s", typed("number"), "robot's clock when the report had come"}};
  const robot::Report report;
  visit_report(report, [&](const robot::ReportField& field, const auto& value) {
    if (*field.json == '\0') return;
    const Described what = described(value);
    fields.push_back({field.json, what.type, field.about + what.more});
  });
  const Json points{{"type", "array"}, {"items", numbers(2)}};
  fields.push_back({"plan", points, "where it said so: points of the way it means to take, x, y [m]; none: no plan"});
  fields.push_back({"wheels", numbers(6), "where it said so: wheel diameters and base that it found, and their σ [m]"});
  fields.push_back({"mission", typed("string"), "where it has one: the number of the mission that it was given"});
  fields.push_back({"mission_state", typed("string"), "ready, running, handed back or done"});
  fields.push_back({"mission_departure", typed("string"), "why it handed back"});
  fields.push_back({"mission_time_s", typed("number"), "how far it is on the mission's path"});
  fields.push_back({"mission_starts", typed("integer"), "how often it was started"});
  fields.push_back({"sections", typed("string"), "where there are any: what followed the fixed part, in base64"});
  return channel("/report", "forerun.Report", "what the robot said of itself", fields);
}

record::McapChannel prediction_channel() {
  const Json number = typed("number");
  return channel(
      "/prediction", "forerun.Prediction", "where the robot was predicted to be",
      {kRobot,
       {"t_s", number, "robot's clock that the prediction is for"},
       {"gap_s", number, "since the newest report"},
       {"status", typed("string"), "fresh, predicted or stale"},
       {"predicted", state(), "by the replica"},
       {"extrapolated", state(), "at the report's velocities forever: the papers' baseline"},
       {"region50", region(),
        "the robot's middle is within with 50 %: radius of the disc with the same area, and outlines, x y x y …"},
       {"region95", region(), "with 95 %"}});
}

record::McapChannel link_channel() {
  const Json warning{{"type", "object"}, {"properties", {{"kind", typed("string")}, {"text", typed("string")}}}};
  return channel("/link", "forerun.Link", "how good the link was",
                 {kRobot,
                  {"age_s", maybe("number"), "of the newest report"},
                  {"loss", typed("number"), "share of datagrams that were lost"},
                  {"round_trip_s", maybe("number"), ""},
                  {"clock_offset_s", maybe("number"), "robot's clock − operator's clock"},
                  {"clock_sigma_s", maybe("number"), ""},
                  {"state", typed("string"), "greeting, refused, open or silent"},
                  {"may_operate", typed("boolean"), ""},
                  {"warnings", {{"type", "array"}, {"items", warning}}, "late, stale or down, with a sentence"}});
}

std::vector<record::McapChannel> command_channels() {
  const SchemaField number{"number", typed("integer"), "counts the commands"};
  const SchemaField command{"command", typed("string"), "goal, cancel, stop or drive"};
  return {channel("/command", "forerun.Command", "what the operator asked for",
                  {kRobot,
                   number,
                   command,
                   {"x_m", typed("number"), "of a goal"},
                   {"y_m", typed("number"), ""},
                   {"v_mps", typed("number"), "of a drive"},
                   {"vy_mps", typed("number"), ""},
                   {"w_radps", typed("number"), ""}}),
          channel("/outcome", "forerun.Outcome", "what became of a command",
                  {kRobot,
                   number,
                   command,
                   {"state", typed("string"), "sent, confirmed, refused or failed"},
                   {"text", typed("string"), ""}})};
}

std::vector<record::McapChannel> make_channels() {
  const Json number = typed("number"), text = typed("string");
  std::vector<record::McapChannel> all{
      channel("/model", "forerun.Model", "the world and the robot that reports belong to",
              {kRobot,
               {"model", text, "first eight bytes of the bundle's SHA-256"},
               {"robot_name", text, ""},
               {"world_name", text, ""},
               {"bundle", text, "the model bundle (docs/formats.md) in base64"}}),
      report_channel(),
      channel("/truth", "forerun.Truth", "where a simulated robot truly was",
              {kRobot,
               {"t_s", number, "robot's clock"},
               {"x_m", number, ""},
               {"y_m", number, ""},
               {"theta_rad", number, ""}}),
      prediction_channel(), link_channel()};
  for (record::McapChannel& one : command_channels()) all.push_back(std::move(one));
  all.push_back(channel("/demo", "forerun.DemoSettings", "the demo's network and robot",
                        {{"loss", number, "share of datagrams lost, each way"},
                         {"delay_s", number, "each way"},
                         {"interval_s", number, "between two reports"},
                         {"blackout", typed("boolean"), "nothing passes"},
                         {"reality", text, "how far the robot departs from its copy"}}));
  return all;
}

}  // namespace

const std::vector<record::McapChannel>& recorded_channels() {
  static const std::vector<record::McapChannel> kChannels = make_channels();
  return kChannels;
}

const std::string& topic_of(Recorded kind) { return recorded_channels()[static_cast<std::size_t>(kind)].topic; }

}  // namespace forerun::record
