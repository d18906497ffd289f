// What `forerun calibrate` found, for programs and as a page.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "forerun/learn/wheel_calibration.hpp"

namespace forerun::study {

// What was not shown by the drives is null.
[[nodiscard]] nlohmann::ordered_json to_json(const learn::WheelResult& result);
// A page with the ways before and after, and how the parameters came to be known.
[[nodiscard]] std::string wheel_page(const learn::WheelResult& result);

}  // namespace forerun::study
