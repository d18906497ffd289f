#include <cmath>
#include <nlohmann/json.hpp>

#include "forerun/base/hex.hpp"
#include "forerun/robot/report_fields.hpp"
#include "forerun/web/page_hub.hpp"

namespace forerun::web {
namespace {

using Json = nlohmann::json;
using robot::CommandKind;

constexpr double kLongestReplay = 1e10;  // [s]

Error out_of_range(const char* field, double lowest, double highest) {
  char text[160];
  std::snprintf(text, sizeof text, "%s must be a number from %g to %g", field, lowest, highest);
  return Error{text};
}

// A number within the range.
Result<double> number_of(const Json& message, const char* field, double lowest, double highest) {
  const auto place = message.find(field);
  if (place == message.end() || !place->is_number()) return out_of_range(field, lowest, highest);
  const double value = place->get<double>();
  if (!(value >= lowest && value <= highest)) return out_of_range(field, lowest, highest);
  return value;
}

Result<double> number_of(const Json& message, const char* field, const robot::FieldRange& range) {
  return number_of(message, field, range.low, range.high);
}

Result<robot::Command> with_flippers(const Json& message, robot::Command command) {
  constexpr double kMost = 6.5;  // either way [rad]
  const auto place = message.find("flippers");
  if (place == message.end()) return command;
  const Error wrong{"flippers must be four numbers from -6.5 to 6.5"};
  robot::FlipperAngles angles{};
  if (!place->is_array() || place->size() != angles.size()) return wrong;
  for (std::size_t i = 0; i < angles.size(); ++i) {
    const Json& angle = (*place)[i];
    if (!angle.is_number() || !(std::fabs(angle.get<double>()) <= kMost)) return wrong;
    angles[i] = angle.get<double>();
  }
  command.flippers = angles;
  return command;
}

// Where a robot may be sent and how fast it may be driven is what it could report.
Result<robot::Command> command_of(const Json& message, CommandKind kind) {
  using namespace robot::report_fields;
  const bool goal = kind == CommandKind::goal;
  const auto first = goal ? number_of(message, "x", kPlace) : number_of(message, "v", kSpeed);
  if (!first) return first.error();
  const auto second = goal ? number_of(message, "y", kPlace) : number_of(message, "w", kTurnRate);
  if (!second) return second.error();
  robot::Command command{.kind = kind};
  if (goal) {
    command.goal = {*first, *second};
    return command;
  }
  command.velocity = {*first, 0, *second};
  if (message.contains("vy")) {
    const auto sideways = number_of(message, "vy", kSpeed);
    if (!sideways) return sideways.error();
    command.velocity.vy = *sideways;
  }
  return with_flippers(message, command);
}

// One setting, where the message has it.
Result<void> read_setting(const Json& message, const char* key, double& value, const Field& field) {
  const auto number = number_of(message, key, field.low, field.high);
  if (!number) return number.error();
  value = *number;
  return {};
}

Result<void> read_setting(const Json& message, const char* key, bool& value, const Field&) {
  const auto place = message.find(key);
  if (!place->is_boolean()) return Error{std::string(key) + " must be true or false"};
  value = place->get<bool>();
  return {};
}

Result<void> read_setting(const Json& message, const char* key, std::string& value, const Field&) {
  const auto place = message.find(key);
  if (!place->is_string()) return Error{std::string(key) + " must be the name of a level"};
  value = place->get<std::string>();
  return {};
}

Result<DemoSettings> settings_of(const Json& message, const DemoSettings& now) {
  DemoSettings settings = now;
  Result<void> read;
  visit_fields(settings, [&](const char* key, auto& value, const Field& field) {
    if (read && message.contains(key)) read = read_setting(message, key, value, field);
  });
  if (!read) return read.error();
  return settings;
}

Result<ReplayWish> replay_of(const Json& message) {
  ReplayWish wish;
  if (message.contains("at_s")) {
    const auto at = number_of(message, "at_s", 0, kLongestReplay);
    if (!at) return at.error();
    wish.at_s = *at;
  }
  if (message.contains("pace")) {
    const auto pace = number_of(message, "pace", 0.1, 16);
    if (!pace) return pace.error();
    wish.pace = *pace;
  }
  if (const auto place = message.find("paused"); place != message.end()) {
    if (!place->is_boolean()) return Error{"paused must be true or false"};
    wish.paused = place->get<bool>();
  }
  return wish;
}

Result<MissionPart> mission_part_of(const Json& message) {
  constexpr double kMostParts = 4096;
  const auto part = number_of(message, "part", 0, kMostParts), of = number_of(message, "of", 1, kMostParts);
  if (!part) return part.error();
  if (!of) return of.error();
  const auto bytes = message.find("bytes");
  if (bytes == message.end() || !bytes->is_string()) return Error{"bytes must be a text in base64"};
  return MissionPart{static_cast<std::uint32_t>(*part), static_cast<std::uint32_t>(*of), bytes->get<std::string>()};
}

Result<image::Cameras> look_of(const Json& message) {
  const Error wrong{"cameras must be a list of numbers from 0 to 7"};
  const auto place = message.find("cameras");
  if (place == message.end() || !place->is_array()) return wrong;
  image::Cameras cameras = image::kNoCamera;
  for (const Json& camera : *place) {
    if (!camera.is_number_unsigned() || camera.get<std::uint64_t>() >= image::kMostCameras) return wrong;
    cameras |= static_cast<image::Cameras>(1U << camera.get<unsigned>());
  }
  return cameras;
}

Result<robot::Command> start_of(const Json& message) {
  const auto place = message.find("mission");
  const auto number =
      place != message.end() && place->is_string() ? from_hex(place->get_ref<const std::string&>()) : std::nullopt;
  if (!number) return Error{"mission must be 16 hexadecimal digits"};
  return robot::Command{.kind = CommandKind::start, .mission = *number};
}

Result<robot::Command> command_named(const std::string& type, const Json& message) {
  if (type == "stop") return robot::Command{.kind = CommandKind::stop};
  if (type == "cancel") return robot::Command{.kind = CommandKind::cancel};
  if (type == "goal") return command_of(message, CommandKind::goal);
  if (type == "drive") return command_of(message, CommandKind::drive);
  if (type == "start") return start_of(message);
  return Error{"type must be goal, stop, cancel, drive, mission, start, look, demo or replay"};
}

// The wish with this part of it, where it could be read.
template <class Part>
Result<PageWish> put(std::optional<Part>& place, const Result<Part>& read, const PageWish& wish) {
  if (!read) return read.error();
  place = *read;
  return wish;
}

}  // namespace

Result<PageWish> parse_page_wish(std::string_view text, const DemoSettings& now) {
  const Json message = Json::parse(text.begin(), text.end(), nullptr, false);
  if (!message.is_object() || !message.contains("type") || !message["type"].is_string()) {
    return Error{"a message must be a JSON object with a type"};
  }
  const std::string type = message["type"].get<std::string>();
  PageWish wish;
  if (type == "demo") return put(wish.demo, settings_of(message, now), wish);
  if (type == "replay") return put(wish.replay, replay_of(message), wish);
  const auto robot = number_of(message, "robot", 1, 1e6);
  if (!robot) return robot.error();
  wish.robot = static_cast<std::uint32_t>(*robot);
  if (type == "mission") return put(wish.mission, mission_part_of(message), wish);
  if (type == "look") return put(wish.look, look_of(message), wish);
  return put(wish.command, command_named(type, message), wish);
}

}  // namespace forerun::web
