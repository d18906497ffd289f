#include "forerun/kenaf/candump.hpp"

#include <charconv>
#include <cstdio>

namespace forerun::kenaf {
namespace {

template <class T>
std::optional<T> parse_number(std::string_view text, int base) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// "seconds.micros", as it stands between the brackets.
std::optional<std::int64_t> parse_time(std::string_view text) {
  const std::size_t point = text.find('.');
  if (point == std::string_view::npos || text.size() - point != 7) return std::nullopt;
  const auto seconds = parse_number<std::uint32_t>(text.substr(0, point), 10);
  const auto micros = parse_number<std::uint32_t>(text.substr(point + 1), 10);
  if (!seconds || !micros) return std::nullopt;
  return std::int64_t{*seconds} * 1'000'000 + *micros;
}

std::optional<CanFrame> parse_frame(std::string_view text) {
  const std::size_t hash = text.find('#');
  if (hash != 3 || text.size() > hash + 17 || (text.size() - hash) % 2 == 0) return std::nullopt;
  const auto id = parse_number<std::uint16_t>(text.substr(0, hash), 16);
  if (!id || *id > 0x7ff) return std::nullopt;
  CanFrame frame{*id, static_cast<std::uint8_t>((text.size() - hash) / 2), {}};
  for (std::size_t i = 0; i < frame.length; ++i) {
    const auto byte = parse_number<std::uint8_t>(text.substr(hash + 1 + 2 * i, 2), 16);
    if (!byte) return std::nullopt;
    frame.data[i] = *byte;
  }
  return frame;
}

}  // namespace

std::string to_candump(const LoggedFrame& logged) {
  char text[64];
  std::snprintf(text, sizeof text, "(%lld.%06lld) ", static_cast<long long>(logged.time_us / 1'000'000),
                static_cast<long long>(logged.time_us % 1'000'000));
  std::string line = text + logged.interface;
  std::snprintf(text, sizeof text, " %03X#", logged.frame.id);
  line += text;
  for (std::size_t i = 0; i < logged.frame.length; ++i) {
    std::snprintf(text, sizeof text, "%02X", logged.frame.data[i]);
    line += text;
  }
  return line;
}

std::optional<LoggedFrame> parse_candump(std::string_view line) {
  const std::size_t bracket = line.find(") ");
  if (line.empty() || line.front() != '(' || bracket == std::string_view::npos) return std::nullopt;
  const auto time = parse_time(line.substr(1, bracket - 1));
  line.remove_prefix(bracket + 2);
  const std::size_t space = line.find(' ');
  if (!time || space == std::string_view::npos || space == 0) return std::nullopt;
  const auto frame = parse_frame(line.substr(space + 1));
  if (!frame) return std::nullopt;
  return LoggedFrame{*time, std::string(line.substr(0, space)), *frame};
}

}  // namespace forerun::kenaf
