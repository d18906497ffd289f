// Walks through the lines of a text file held in memory.
#pragma once

#include <string_view>

namespace forerun::io {

class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}

  // The next line without its end ("\n" or "\r\n"); false when there is none.
  bool next(std::string_view& line) {
    if (rest_.empty()) return false;
    const std::size_t end = rest_.find('\n');
    line = rest_.substr(0, end);
    rest_ = end == std::string_view::npos ? std::string_view() : rest_.substr(end + 1);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    ++number_;
    return true;
  }
  // Of the line that was returned last, counted from 1.
  [[nodiscard]] int number() const { return number_; }

 private:
  std::string_view rest_;
  int number_ = 0;
};

}  // namespace forerun::io
