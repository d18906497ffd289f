// Lines of USARSim's protocol: a keyword and segments `{Name value}`. Names count without regard to case, and what is
// not understood is left to the caller to ignore.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "forerun/geom/vec.hpp"

namespace forerun::bridge {

inline constexpr std::size_t kLongestLine = 4096;  // in bytes; what is longer is dropped

class UsarsimMessage {
 public:
  // Nothing where there is no keyword, or braces do not match.
  [[nodiscard]] static std::optional<UsarsimMessage> parse(std::string_view line);

  // In upper case.
  [[nodiscard]] const std::string& keyword() const noexcept { return keyword_; }
  [[nodiscard]] bool has(std::string_view name) const noexcept { return find(name) != nullptr; }
  // The value of the first segment of this name; empty where there is none.
  [[nodiscard]] std::string_view text(std::string_view name) const noexcept;
  // Finite numbers only.
  [[nodiscard]] std::optional<double> number(std::string_view name) const noexcept;
  // Three numbers, with commas or spaces between them.
  [[nodiscard]] std::optional<Vec3> vector(std::string_view name) const noexcept;
  // "True" or "1" in any case.
  [[nodiscard]] bool is_true(std::string_view name) const noexcept;
  [[nodiscard]] bool is(std::string_view name, std::string_view value) const noexcept;
  // All of them, names in lower case, in the order of the line.
  [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& segments() const noexcept { return segments_; }

 private:
  [[nodiscard]] const std::string* find(std::string_view name) const noexcept;
  bool add_segment(std::string_view inside);

  std::string keyword_;
  std::vector<std::pair<std::string, std::string>> segments_;
};

// A finite number that fills the whole text.
[[nodiscard]] std::optional<double> parse_finite(std::string_view text) noexcept;
[[nodiscard]] bool same_word(std::string_view a, std::string_view b) noexcept;

// Gathers bytes into lines, ended by LF or CR LF; longer ones than allowed are dropped whole.
class LineGatherer {
 public:
  // Calls `take(line)` for each line that is complete.
  template <class Take>
  void add(std::string_view bytes, Take&& take) {
    for (const char c : bytes) {
      if (c == '\n') {
        if (!too_long_ && !line_.empty()) take(std::string_view(line_));
        line_.clear();
        too_long_ = false;
      } else if (c != '\r' && !too_long_) {
        too_long_ = line_.size() >= kLongestLine;
        if (too_long_) {
          line_.clear();
        } else {
          line_ += c;
        }
      }
    }
  }

 private:
  std::string line_;
  bool too_long_ = false;
};

}  // namespace forerun::bridge
