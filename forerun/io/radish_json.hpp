// Scans and poses as the JSON of Radish's pairs has them: {"map": {"<stamp>": {"range": […], "x", "y", "theta"}}}.
#pragma once

#include <string>
#include <string_view>

#include "forerun/io/scan_log.hpp"

namespace forerun::io {

// Its poses become the scans' odometry: the file does not say which ones they are.
[[nodiscard]] Result<ScanLog> parse_radish_json(std::string_view text, const std::string& file);

}  // namespace forerun::io
