#include "forerun/io/robot_writer.hpp"

#include <yaml-cpp/yaml.h>

#include <charconv>
#include <exception>
#include <type_traits>
#include <variant>

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

// Of drives of the same kind.
void set_drive(YAML::Node& document, const robot::Drive& before, const robot::Drive& wanted) {
  if (before.kind != wanted.kind) return;
  std::visit(
      [&](const auto& old) {
        using Kind = std::decay_t<decltype(old)>;
        set_fields(document, "drive", old, std::get<Kind>(wanted.geometry));
      },
      before.geometry);
}

// Every field of a struct as a section.
template <class Params>
void put_section(YAML::Node& document, const char* section, Params params) {
  visit_fields(params, [&](const char* key, auto& value, const Field&) { document[section][key] = digits(value); });
}

std::string to_text(const std::string& about, const YAML::Node& document) {
  YAML::Emitter emitter;
  emitter << document;
  return "# " + about + "\n" + emitter.c_str() + "\n";
}

YAML::Node rewrite(std::string_view text, const robot::Description& before, const robot::Description& robot) {
  YAML::Node document = YAML::Load(std::string(text));
  set_fields(document, "limits", before.limits, robot.limits);
  set_fields(document, "control", before.control, robot.control);
  set_drive(document, before.drive, robot.drive);
  return document;
}

}  // namespace

Ros2Control to_ros2_control(const robot::DifferentialGeometry& nominal, const robot::DifferentialGeometry& calibrated) {
  const double diameter = (nominal.left_diameter + nominal.right_diameter) / 2;
  return {diameter / 2, nominal.base, calibrated.left_diameter / diameter, calibrated.right_diameter / diameter,
          calibrated.base / nominal.base};
}

Result<std::string> rewrite_robot(std::string_view text, const std::string& file, const robot::Description& robot,
                                  const std::string& about, const std::optional<Ros2Control>& ros2_control) {
  const auto before = parse_robot(text, file);
  if (!before) return before.error();
  try {
    YAML::Node document = rewrite(text, *before, robot);
    if (ros2_control) put_section(document, "ros2_control", *ros2_control);
    return to_text(about, document);
  } catch (const std::exception& problem) {
    return Error{file + ": cannot be written with other limits: " + problem.what()};
  }
}

std::string write_drive(const robot::DifferentialGeometry& wheels, double ticks_per_turn,
                        const Ros2Control& ros2_control, const std::string& about) {
  YAML::Node document;
  document["drive"]["type"] = "differential";
  put_section(document, "drive", wheels);
  document["drive"]["ticks_per_turn"] = digits(ticks_per_turn);
  put_section(document, "ros2_control", ros2_control);
  return to_text(about, document);
}

}  // namespace forerun::io
