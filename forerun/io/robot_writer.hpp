// Robot files with other limits and weights, all else as it was.
#pragma once

#include <string>
#include <string_view>

#include "forerun/base/result.hpp"
#include "forerun/robot/description.hpp"

namespace forerun::io {

// The robot file `text` with the limits and the control parameters of `robot`: every other value keeps its digits,
// comments are lost. `about` becomes a comment at the top. `file` is the name used in messages.
[[nodiscard]] Result<std::string> rewrite_robot(std::string_view text, const std::string& file,
                                                const robot::Description& robot, const std::string& about);

}  // namespace forerun::io
