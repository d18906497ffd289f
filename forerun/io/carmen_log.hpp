// CARMEN logs: a message a line. FLASER or ROBOTLASER1, whichever comes first, gives the scans; ODOM what lies between.
#pragma once

#include <string>
#include <string_view>

#include "forerun/io/scan_log.hpp"

namespace forerun::io {

[[nodiscard]] Result<ScanLog> parse_carmen_log(std::string_view text, const std::string& file);

}  // namespace forerun::io
