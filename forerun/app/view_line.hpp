// What `forerun view --headless` says once a second, as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "forerun/base/time.hpp"
#include "forerun/sync/client.hpp"

namespace forerun::app {

// Newest state, gap, loss, round trip, clock, warnings, commands and what was dropped.
[[nodiscard]] nlohmann::ordered_json describe_link(sync::Client& client, OperatorTime now);

}  // namespace forerun::app
