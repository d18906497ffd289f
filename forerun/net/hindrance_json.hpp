// What hinders a robot, as its control system says it in its states (docs/robot-interface.md).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "forerun/net/object_reader.hpp"
#include "forerun/robot/hindrance.hpp"

namespace forerun::net {

// The lists `held_back` and `contact`; a list that is not there is empty.
void read_hindrance(ObjectReader& in, std::optional<robot::Hindrance>& hindrance);
void write_hindrance(const robot::Hindrance& hindrance, nlohmann::ordered_json& json);

}  // namespace forerun::net
