#include "forerun/io/robot_writer.hpp"

#include <yaml-cpp/yaml.h>

#include <charconv>
#include <exception>

#include "forerun/io/robot_file.hpp"

namespace forerun::io {
namespace {

// The fewest digits that give the same number back.
template <class Number>
std::string digits(Number value) {
  char text[64];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

// Sets in the section what differs from `before`; other keys stay as they are written.
template <class Params>
void set_fields(YAML::Node& document, const char* section, Params before, Params wanted) {
  const auto put = [&](const char* key, const auto& value) { document[section][key] = digits(value); };
  visit_fields(wanted, [&](const char* key, auto& value, const Field&) {
    const std::string_view name = key;
    visit_fields(before, [&](const char* other, auto& old, const Field&) {
      if constexpr (std::is_same_v<decltype(value), decltype(old)>) {
        if (name == other && old != value) put(key, value);
      }
    });
  });
}

std::string rewrite(std::string_view text, const robot::Description& before, const robot::Description& robot) {
  YAML::Node document = YAML::Load(std::string(text));
  set_fields(document, "limits", before.limits, robot.limits);
  set_fields(document, "control", before.control, robot.control);
  YAML::Emitter emitter;
  emitter << document;
  return emitter.c_str();
}

}  // namespace

Result<std::string> rewrite_robot(std::string_view text, const std::string& file, const robot::Description& robot,
                                  const std::string& about) {
  const auto before = parse_robot(text, file);
  if (!before) return before.error();
  try {
    return "# " + about + "\n" + rewrite(text, *before, robot) + "\n";
  } catch (const std::exception& problem) {
    return Error{file + ": cannot be written with other limits: " + problem.what()};
  }
}

}  // namespace forerun::io
