#include "forerun/papers/paper_exhibits.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

namespace forerun::papers {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kSame = 1e-9;  // of a number that chooses an element, relative

std::optional<double> to_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// What stands before the separator, which goes with it.
std::string_view take(std::string_view& text, char separator) {
  const std::size_t end = text.find(separator);
  const std::string_view first = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  return first;
}

// Whether an element has a value like `size_mm=200`.
bool matches(const Json& element, std::string_view wanted) {
  const std::string name(take(wanted, '='));
  if (!element.is_object() || !element.contains(name)) return false;
  const Json& value = element[name];
  if (value.is_string()) return value.get<std::string>() == wanted;
  const auto number = to_number(wanted);
  return number && value.is_number() && std::fabs(value.get<double>() - *number) <= kSame * (1 + std::fabs(*number));
}

bool matches_all(const Json& element, std::string_view conditions) {
  while (!conditions.empty()) {
    if (!matches(element, take(conditions, ','))) return false;
  }
  return true;
}

std::optional<double> largest(const Json& array, std::string_view rest) {
  std::optional<double> most;
  for (const Json& element : array) {
    const auto value = find_figure(element, rest);
    if (value && (!most || *value > *most)) most = value;
  }
  return most;
}

// One step along a path: the element of that name or index, or the one that is chosen.
const Json* step_into(const Json& json, std::string_view step) {
  if (json.is_object()) {
    const auto found = json.find(std::string(step));
    return found == json.end() ? nullptr : &*found;
  }
  if (!json.is_array()) return nullptr;
  if (step.find('=') != std::string_view::npos) {
    const auto found = std::find_if(json.begin(), json.end(), [&](const Json& e) { return matches_all(e, step); });
    return found == json.end() ? nullptr : &*found;
  }
  const auto index = to_number(step);
  if (!index || *index < 0 || *index >= static_cast<double>(json.size())) return nullptr;
  return &json[static_cast<std::size_t>(*index)];
}

}  // namespace

std::optional<double> find_figure(const Json& json, std::string_view path) {
  if (path.empty()) {
    if (json.is_boolean()) return json.get<bool>() ? 1.0 : 0.0;
    return json.is_number() ? std::optional(json.get<double>()) : std::nullopt;
  }
  const std::string_view step = take(path, '/');
  if (step == "*" && json.is_array()) return largest(json, path);
  const Json* next = step_into(json, step);
  return next == nullptr ? std::nullopt : find_figure(*next, path);
}

std::span<const Paper> five_papers() {
  static const Paper papers[] = {paper_prediction(), paper_kenaf(), paper_latency(), paper_decoupled(),
                                 beyond_the_papers()};
  return papers;
}

}  // namespace forerun::papers
