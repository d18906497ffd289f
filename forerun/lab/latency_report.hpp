// What `forerun latency` found: for programs, for Nav2, and as a page with the two curves of paper 4.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "forerun/learn/commanded_drive.hpp"
#include "forerun/learn/dead_time.hpp"

namespace forerun::lab {

// What the drives did not show is null.
[[nodiscard]] nlohmann::ordered_json to_json(const learn::DeadTime& found);
// Under the names of Nav2's controllers.
[[nodiscard]] std::string to_nav2(const learn::DeadTime& found);
// One line an axis, for people.
[[nodiscard]] std::string describe(const learn::DeadTime& found);
[[nodiscard]] std::string latency_page(const learn::DeadTime& found, std::span<const learn::CommandedDrive> drives);

}  // namespace forerun::lab
