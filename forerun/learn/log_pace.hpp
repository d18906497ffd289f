// Whether a drive log can be one of this robot in the units that its columns name: logs in milliseconds or degrees make
// figures that look like results.
#pragma once

#include <string>

#include "forerun/base/result.hpp"
#include "forerun/learn/logged_drive.hpp"

namespace forerun::learn {

// An error where most rows are far apart, or where the robot would mostly drive or turn several times faster than it
// can. `file` is the name used in messages.
[[nodiscard]] Result<void> check_pace(const LoggedDrive& logged, const std::string& file, const robot::Limits& limits);

}  // namespace forerun::learn
