#include "forerun/io/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>

namespace forerun::io {

std::string show(double value) {
  // 100000 reads better than 1e+05
  const bool plain = value == 0 || (std::fabs(value) >= 1e-4 && std::fabs(value) < 1e16);
  const auto format = plain ? std::chars_format::fixed : std::chars_format::general;
  std::array<char, 64> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format).ptr;
  return std::string(buffer.data(), end);
}

std::string one_line(std::string_view text) {
  std::string line(text);
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  return line;
}

std::string quote(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  return "\"" + one_line(text.substr(0, kLongest)) + (text.size() > kLongest ? "…\"" : "\"");
}

std::string bare_name(std::string_view path) {
  const std::size_t slash = path.find_last_of('/');
  const std::string_view name = slash == std::string_view::npos ? path : path.substr(slash + 1);
  return std::string(name.substr(0, name.find('.')));
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
