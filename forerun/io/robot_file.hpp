// Robots from YAML. The keys are described in docs/formats.md.
#pragma once

#include <string>
#include <string_view>

#include "forerun/base/result.hpp"
#include "forerun/robot/description.hpp"

namespace forerun::io {

[[nodiscard]] Result<robot::Description> load_robot(const std::string& path);

// The same from memory; `file` is the name used in messages.
[[nodiscard]] Result<robot::Description> parse_robot(std::string_view text, const std::string& file);

}  // namespace forerun::io
