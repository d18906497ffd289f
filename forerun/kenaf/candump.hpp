// Frames as lines of text, as candump -L writes and canplayer reads them: (seconds) interface id#data
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "forerun/kenaf/can_frames.hpp"

namespace forerun::kenaf {

struct LoggedFrame {
  std::int64_t time_us = 0;  // since 1970
  std::string interface;
  CanFrame frame;
};

// Without a line break.
[[nodiscard]] std::string to_candump(const LoggedFrame& logged);
// Nothing for frames with 29 bits of number, for remote and for longer ones, and for what is no such line.
[[nodiscard]] std::optional<LoggedFrame> parse_candump(std::string_view line);

}  // namespace forerun::kenaf
