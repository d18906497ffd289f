// What `forerun view --headless` says once a second, as JSON.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "forerun/base/time.hpp"
#include "forerun/physics/terrain_predictor.hpp"
#include "forerun/predict/live_robot.hpp"
#include "forerun/sync/client.hpp"
#include "forerun/watch/model_fetch.hpp"

namespace forerun::watch {

struct ViewedRobot {
  predict::LiveRobot live;
  std::optional<physics::TerrainPredictor> terrain;  // of a tracked robot on rough ground, beside it
  std::uint64_t commands_told = 0;                   // how many of the viewer's commands they know
  std::string problem;                               // why there is no prediction; empty: nothing is wrong
};

// Newest state, where the robot is predicted to be now and when the newest command lands, gap, loss, round trip, clock,
// warnings, commands and what was dropped.
[[nodiscard]] nlohmann::ordered_json describe_link(sync::Client& client, ViewedRobot& viewed, const ModelFetch& model,
                                                   OperatorTime now);

}  // namespace forerun::watch
