// Reading the command line: every subcommand describes its flags with CLI11 and parses them here, so that help and
// complaints look the same everywhere.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "forerun/base/check.hpp"
#include "forerun/base/fields.hpp"
#include "forerun/base/result.hpp"
#include "forerun/cli/command_line.hpp"
#include "forerun/geom/vec.hpp"

namespace CLI {
class App;
class Option;
class Validator;
}  // namespace CLI

namespace forerun::cli {

// Fills the variables bound to `app`. Gives an exit code when the command ends here: after `--help`, or after one
// sentence on standard error about wrong usage.
//   if (const auto code = parse_or_exit(app, arguments)) return *code;
[[nodiscard]] std::optional<int> parse_or_exit(CLI::App& app, Arguments arguments);

// One field of a list as an option; a field without a range takes every value.
CLI::Option* bind_option(CLI::App& app, const std::string& flag, double& value, const Field& field);
CLI::Option* bind_option(CLI::App& app, const std::string& flag, int& value, const Field& field);
CLI::Option* bind_option(CLI::App& app, const std::string& flag, std::uint32_t& value, const Field& field);
CLI::Option* bind_option(CLI::App& app, const std::string& flag, std::uint64_t& value, const Field& field);
CLI::Option* bind_option(CLI::App& app, const std::string& flag, std::string& value, const Field& field);
CLI::Option* bind_option(CLI::App& app, const std::string& flag, bool& value, const Field& field);  // a flag

// An option that sets a field of a parameter struct: range, default and help come from the struct's own list.
//   add_param_option(app, "--loss", options.settings, "loss");
template <class Params>
CLI::Option* add_param_option(CLI::App& app, const std::string& flag, Params& params, std::string_view key) {
  CLI::Option* option = nullptr;
  visit_fields(params, [&](const char* name, auto& value, const Field& field) {
    if (key == name) option = bind_option(app, flag, value, field);
  });
  FORERUN_CHECK(option != nullptr);
  return option;
}

// "--dead-time-s" for the key "dead_time_s".
[[nodiscard]] std::string flag_of(std::string_view key);
// Several of them, with flags that follow from their keys.
template <class Params>
void add_param_options(CLI::App& app, Params& params, std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) add_param_option(app, flag_of(key), params, key);
}

// What the list says of one field, and its range as a check: for an option that is not bound to it.
[[nodiscard]] CLI::Validator check_range(const Field& field);
template <class Params>
[[nodiscard]] Field field_of(std::string_view key) {
  Params params;
  Field found{};
  visit_fields(params, [&](const char* name, auto&, const Field& field) {
    if (key == name) found = field;
  });
  FORERUN_CHECK(found.low < found.high);
  return found;
}

// Reads "x,y" in metres, as in `--from -1,2.5`. `flag` names the option in the complaint.
[[nodiscard]] Result<Vec2> parse_point(std::string_view flag, const std::string& text);

}  // namespace forerun::cli
