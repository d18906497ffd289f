// Prints docs/params.md: every parameter struct's field list as a table, so that the page cannot differ from the code.
#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdio>
#include <string>

#include "forerun/app/arguments.hpp"
#include "forerun/app/commands.hpp"
#include "forerun/impair/profile.hpp"
#include "forerun/robot/description.hpp"

namespace forerun::app {
namespace {

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

std::string value_text(double value) { return number(value); }
std::string value_text(int value) { return std::to_string(value); }
std::string value_text(std::uint64_t value) { return std::to_string(value); }
std::string value_text(const std::string& value) { return value; }
std::string value_text(const Pose2& value) {
  return number(value.x) + ", " + number(value.y) + ", " + number(value.theta);
}

std::string range_text(const Field& field) {
  if (field.low == field.high) return "";
  return number(field.low) + " … " + number(field.high);
}

// One table: the defaults are those of a freshly made struct.
template <class Params>
void add_table(std::string& page, const char* title) {
  page += std::string("\n## ") + title + "\n\n| key | default | allowed | meaning |\n| --- | --- | --- | --- |\n";
  Params params;
  visit_fields(params, [&](const char* key, auto& value, const Field& field) {
    page += std::string("| `") + key + "` | " + value_text(value) + " | " + range_text(field) + " | " + field.about +
            " |\n";
  });
}

template <std::size_t... I>
void add_drive_tables(std::string& page, std::index_sequence<I...>) {
  (add_table<std::variant_alternative_t<I, robot::Geometry>>(
       page, (std::string("Robot: `drive` of type `") + robot::kDriveNames[I] + "`").c_str()),
   ...);
}

std::string params_page() {
  std::string page =
      "# Parameters\n\nWritten by `make params` from the field lists in the code. Units are in the names.\n";
  add_drive_tables(page, std::make_index_sequence<std::variant_size_v<robot::Geometry>>{});
  add_table<robot::Limits>(page, "Robot: `limits`");
  add_table<robot::Control>(page, "Robot: `control`");
  robot::for_each_sensor_kind([&](const auto& sensor) {
    using Kind = std::decay_t<decltype(sensor)>;
    const std::string each = Kind::kKind.most > 1 ? "each of " : "";
    add_table<Kind>(page, ("Robot: " + each + "`" + Kind::kKind.key + "`").c_str());
  });
  add_table<impair::LinkProfile>(page, "Link profile");
  add_table<impair::LinkPath>(page, "Link profile: `both`, `up` and `down`");
  add_table<impair::Blackout>(page, "Link profile: each of `blackouts`");
  return page;
}

}  // namespace

int run_params(Arguments arguments) {
  CLI::App app("Prints every parameter with its default, its range and its meaning, as Markdown.", "params");
  app.footer("Example:\n  forerun params > docs/params.md");
  if (const auto code = parse_or_exit(app, arguments)) return *code;
  std::fputs(params_page().c_str(), stdout);
  return kDone;
}

}  // namespace forerun::app
