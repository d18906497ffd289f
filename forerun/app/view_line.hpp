// What `forerun view --headless` says once a second, as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "forerun/app/view_prediction.hpp"
#include "forerun/base/time.hpp"
#include "forerun/sync/client.hpp"

namespace forerun::app {

// Newest state, where the robot is predicted to be now, gap, loss, round trip, clock, warnings, commands and what was
// dropped.
[[nodiscard]] nlohmann::ordered_json describe_link(sync::Client& client, ViewPrediction& prediction, OperatorTime now);

}  // namespace forerun::app
