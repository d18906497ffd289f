#include "forerun/io/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace forerun::io {

std::string show(double value) {
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return std::string(buffer.data(), end);
}

std::string quote(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  std::string quoted = "\"";
  for (const char c : text.substr(0, kLongest)) {
    quoted += (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) ? '?' : c;
  }
  return quoted + (text.size() > kLongest ? "…\"" : "\"");
}

int edit_distance(std::string_view a, std::string_view b) {
  // three rows of the table of distances between beginnings of a and of b
  std::vector<int> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int replace = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replace, above[j] + 1, row[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

std::string nearest_word(std::string_view word, const std::vector<std::string>& words) {
  // a key longer than this is no slip of the pen, and the table would grow with its square
  constexpr std::size_t kLongest = 100;
  std::string nearest;
  int smallest = std::numeric_limits<int>::max();
  for (const std::string& known : words) {
    const int distance = edit_distance(word.substr(0, kLongest), known);
    if (distance >= smallest) continue;
    smallest = distance;
    nearest = known;
  }
  return nearest;
}

std::string join_choices(const std::vector<std::string>& words) {
  std::string joined;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) joined += i + 1 == words.size() ? " or " : ", ";
    joined += words[i];
  }
  return joined;
}

std::optional<double> parse_number(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size() || text.empty()) return std::nullopt;
  // beyond the range of double: as good as infinite, or as good as zero
  if (error == std::errc::result_out_of_range) return std::numeric_limits<double>::infinity();
  if (error != std::errc{}) return std::nullopt;
  return value;
}

}  // namespace forerun::io
