#include "forerun/bridge/usarsim_message.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace forerun::bridge {
namespace {

constexpr std::size_t kMostSegments = 64;

constexpr char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }
constexpr char upper(char c) noexcept { return c >= 'a' && c <= 'z' ? static_cast<char>(c - ('a' - 'A')) : c; }
constexpr bool is_space(char c) noexcept { return c == ' ' || c == '\t'; }

std::string_view trim(std::string_view text) noexcept {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

// Takes the first word off.
std::string_view next_word(std::string_view& text) noexcept {
  text = trim(text);
  const auto end = std::find_if(text.begin(), text.end(), is_space);
  const std::string_view word(text.begin(), end);
  text.remove_prefix(word.size());
  return word;
}

std::string mapped(std::string_view text, char (*change)(char) noexcept) {
  std::string made(text);
  std::transform(made.begin(), made.end(), made.begin(), change);
  return made;
}

}  // namespace

bool same_word(std::string_view a, std::string_view b) noexcept {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

std::optional<double> parse_finite(std::string_view text) noexcept {
  text = trim(text);
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<UsarsimMessage> UsarsimMessage::parse(std::string_view line) {
  UsarsimMessage message;
  std::string_view rest = trim(line);
  const auto brace = std::find_if(rest.begin(), rest.end(), [](char c) { return is_space(c) || c == '{'; });
  message.keyword_ = mapped({rest.begin(), brace}, upper);
  rest.remove_prefix(message.keyword_.size());
  if (message.keyword_.empty()) return std::nullopt;
  while (!(rest = trim(rest)).empty()) {
    if (rest.front() != '{') return std::nullopt;
    const std::size_t end = rest.find('}');
    const std::string_view inside = rest.substr(1, end == std::string_view::npos ? end : end - 1);
    if (end == std::string_view::npos || inside.find('{') != std::string_view::npos) return std::nullopt;
    if (!message.add_segment(inside)) return std::nullopt;
    rest.remove_prefix(end + 1);
  }
  return message;
}

bool UsarsimMessage::add_segment(std::string_view inside) {
  const std::string_view name = next_word(inside);
  if (name.empty()) return true;
  if (segments_.size() >= kMostSegments) return false;
  segments_.emplace_back(mapped(name, lower), std::string(trim(inside)));
  return true;
}

const std::string* UsarsimMessage::find(std::string_view name) const noexcept {
  for (const auto& [known, value] : segments_) {
    if (same_word(known, name)) return &value;
  }
  return nullptr;
}

std::string_view UsarsimMessage::text(std::string_view name) const noexcept {
  const std::string* value = find(name);
  return value != nullptr ? std::string_view(*value) : std::string_view();
}

std::optional<double> UsarsimMessage::number(std::string_view name) const noexcept { return parse_finite(text(name)); }

std::optional<Vec3> UsarsimMessage::vector(std::string_view name) const noexcept {
  std::string_view rest = trim(text(name));
  double numbers[3];
  for (double& number : numbers) {
    const std::size_t end = std::min(rest.find_first_of(", \t"), rest.size());
    const auto value = parse_finite(rest.substr(0, end));
    if (!value) return std::nullopt;
    number = *value;
    rest.remove_prefix(end);
    rest = trim(rest);
    if (!rest.empty() && rest.front() == ',') rest.remove_prefix(1);
    rest = trim(rest);
  }
  if (!rest.empty()) return std::nullopt;
  return Vec3{numbers[0], numbers[1], numbers[2]};
}

bool UsarsimMessage::is_true(std::string_view name) const noexcept { return is(name, "true") || is(name, "1"); }

bool UsarsimMessage::is(std::string_view name, std::string_view value) const noexcept {
  return same_word(text(name), value);
}

}  // namespace forerun::bridge
