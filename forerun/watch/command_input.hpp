// Commands as JSON lines from a file, a pipe or a terminal, which is left as it was found: it is shared with a shell.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <utility>

#include "forerun/net/complaint.hpp"
#include "forerun/net/line_buffer.hpp"
#include "forerun/net/viewer.hpp"
#include "forerun/watch/page_feed.hpp"

namespace forerun::watch {

class CommandInput {
 public:
  // Who reads from a terminal ignores SIGTTIN: reading from the background then fails instead of stopping the program.
  explicit CommandInput(int descriptor, net::OnComplaint on_complaint = net::print_complaint)
      : descriptor_{descriptor}, on_complaint_(std::move(on_complaint)) {}

  // Empty while nothing may be read, and once the input has ended.
  [[nodiscard]] std::span<const int> descriptors() const;
  // At most one buffer, without waiting: the link comes first, however fast the input is. `feed`, where there is one,
  // follows the commands.
  void read(net::Viewer& viewer, PageFeed* feed);

 private:
  void give(std::string_view line, net::Viewer& viewer, PageFeed* feed);

  std::array<int, 1> descriptor_;
  net::OnComplaint on_complaint_;
  bool open_ = true;
  net::LineBuffer lines_;
};

}  // namespace forerun::watch
