// Cuts a stream of bytes into lines, whatever the pieces in which it arrives. Memory is bounded by the longest line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace forerun::net {

inline constexpr std::size_t kLongestLine = 4096;  // bytes, without the line break

class LineBuffer {
 public:
  // Calls `on_line(std::string_view)` for each line that is complete now, without its break, and `on_too_long()` once
  // for each that is too long and so was skipped. Empty lines are left out.
  template <class OnLine, class OnTooLong>
  void feed(std::string_view bytes, OnLine&& on_line, OnTooLong&& on_too_long) {
    while (!bytes.empty()) {
      const std::size_t end = bytes.find('\n');
      keep(bytes.substr(0, end));
      if (end == std::string_view::npos) return;
      finish(on_line, on_too_long);
      bytes.remove_prefix(end + 1);
    }
  }
  // What has come is the end of a line, though no break follows.
  template <class OnLine, class OnTooLong>
  void finish(OnLine&& on_line, OnTooLong&& on_too_long) {
    if (too_long_) {
      on_too_long();
    } else {
      if (!line_.empty() && line_.back() == '\r') line_.pop_back();
      if (!line_.empty()) on_line(std::string_view(line_));
    }
    clear();
  }
  void clear() noexcept {
    line_.clear();
    too_long_ = false;
  }

 private:
  void keep(std::string_view piece) {
    too_long_ = too_long_ || line_.size() + piece.size() > kLongestLine;
    if (!too_long_) line_.append(piece);
  }

  std::string line_;
  bool too_long_ = false;
};

}  // namespace forerun::net
