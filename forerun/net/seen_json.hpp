// What a control system sees that is not as the world's model says, as it says it in its states
// (docs/robot-interface.md).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "forerun/net/object_reader.hpp"
#include "forerun/robot/seen_things.hpp"

namespace forerun::net {

// The lists `seen_boxes`, `seen_doors` and `seen_moving`; with one of them, those that are not there are empty. Things
// are numbered as they come.
void read_seen(ObjectReader& in, std::optional<robot::SeenThings>& seen);
void write_seen(const robot::SeenThings& seen, nlohmann::ordered_json& json);

}  // namespace forerun::net
