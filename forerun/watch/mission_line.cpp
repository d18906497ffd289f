#include "forerun/watch/mission_line.hpp"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "forerun/base/hex.hpp"
#include "forerun/mission/trial.hpp"

namespace forerun::watch {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const std::optional<Pose2>& pose) {
  if (!pose) return nullptr;
  return {{"x_m", pose->x}, {"y_m", pose->y}, {"theta_rad", normalize_angle(pose->theta)}};
}

// The path's clock stands at an action's time while the robot is about it, and where it was handed back for it.
std::string action_of(const robot::MissionStatus& said, std::span<const mission::Action> actions) {
  const bool about_it = said.state == robot::MissionState::running ||
                        said.departure == robot::Departure::action_failed ||
                        said.departure == robot::Departure::action_not_done;
  const mission::Action* action = about_it ? mission::action_at(actions, said.time) : nullptr;
  return action != nullptr && action->name != mission::kHold ? action->name : "";
}

std::string place_of(const char* word, const std::optional<Pose2>& pose) {
  if (!pose) return "";
  char text[64];
  std::snprintf(text, sizeof text, "   %s %.2f, %.2f", word, pose->x, pose->y);
  return text;
}

}  // namespace

std::optional<MissionProgress> look_at_mission(const sync::Client& client, const MissionFetch& mission,
                                               predict::LiveRobot& live, OperatorTime now) {
  const auto& newest = client.newest();
  const bool known = newest && newest->mission && newest->mission->number == mission.number() && mission.path();
  if (!known) return std::nullopt;
  const robot::TimedPath& path = *mission.path();
  MissionProgress progress{.said = *newest->mission, .duration_s = path.back().time, .reported = newest->state.pose};
  progress.action = action_of(progress.said, mission.actions());
  progress.off_path_m = mission::cross_track(path, progress.said.time, newest->state.pose.position());
  if (!client.clock().ready()) return progress;
  const RobotTime robot_now = std::max(client.clock().to_remote(now).time, newest->time);
  progress.age_s = to_seconds(robot_now - newest->time);
  const predict::Prediction prediction = live.at(robot_now);
  if (prediction.status == predict::Status::none) return progress;
  const bool runs = progress.said.state == robot::MissionState::running && progress.action.empty();
  progress.planned = robot::point_at(path, progress.said.time + (runs ? progress.age_s : 0)).pose;
  progress.predicted = prediction.state.pose;
  return progress;
}

Json to_json(const MissionProgress& progress, const MissionFetch& mission) {
  return {{"mission", to_hex(progress.said.number)},
          {"name", mission.name()},
          {"state", to_string(progress.said.state)},
          {"departure", to_string(progress.said.departure)},
          {"action", progress.action.empty() ? Json() : Json(progress.action)},
          {"time_s", progress.said.time},
          {"duration_s", progress.duration_s},
          {"age_s", progress.age_s},
          {"planned", to_json(progress.planned)},
          {"predicted", to_json(progress.predicted)},
          {"reported", to_json(std::optional(progress.reported))},
          {"off_path_m", progress.off_path_m}};
}

std::string to_line(const MissionProgress& progress) {
  char text[160];
  std::snprintf(text, sizeof text, "%s   %.1f of %.1f s", to_string(progress.said.state), progress.said.time,
                progress.duration_s);
  const std::string action = progress.action.empty() ? "" : "   " + progress.action;
  std::string line = text + action + place_of("planned", progress.planned) + place_of("predicted", progress.predicted) +
                     place_of("reported", progress.reported);
  std::snprintf(text, sizeof text, " %.1f s ago, %.2f m from its path", progress.age_s, progress.off_path_m);
  return line + text;
}

}  // namespace forerun::watch
