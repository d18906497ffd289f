// How a mission is going: where the robot should be, where it is predicted to be, and where it said it was.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "forerun/predict/live_robot.hpp"
#include "forerun/sync/client.hpp"
#include "forerun/watch/mission_fetch.hpp"

namespace forerun::watch {

struct MissionProgress {
  robot::MissionStatus said;  // in the newest report
  double age_s = 0;           // of that report
  double duration_s = 0;      // of the path
  std::string action;         // that is under way, or that it stopped at; empty: none
  Pose2 reported;
  // where there is a prediction
  std::optional<Pose2> planned;    // for now, by the path's clock
  std::optional<Pose2> predicted;  // now
  double off_path_m = 0;           // from where it was reported to the path
};

// Nothing while the robot has no mission, or its path is not here yet.
[[nodiscard]] std::optional<MissionProgress> look_at_mission(const sync::Client& client, const MissionFetch& mission,
                                                             predict::LiveRobot& live, OperatorTime now);
[[nodiscard]] nlohmann::ordered_json to_json(const MissionProgress& progress, const MissionFetch& mission);
[[nodiscard]] std::string to_line(const MissionProgress& progress);

}  // namespace forerun::watch
