// Commands as JSON lines on standard input, which is left as it was found: a terminal is shared with a shell.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "forerun/net/line_buffer.hpp"
#include "forerun/net/viewer.hpp"
#include "forerun/watch/page_feed.hpp"

namespace forerun::watch {

class CommandInput {
 public:
  // Reading from the background then fails instead of stopping the program.
  CommandInput();

  // Empty while nothing may be read, and once the input has ended.
  [[nodiscard]] std::span<const int> descriptors() const;
  // At most one buffer, without waiting: the link comes first, however fast the input is. `feed`, where there is one,
  // follows the commands.
  void read(net::Viewer& viewer, PageFeed* feed);

 private:
  std::array<int, 1> descriptor_;
  bool open_ = true;
  net::LineBuffer lines_;
};

}  // namespace forerun::watch
