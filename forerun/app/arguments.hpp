// Reading the command line: every subcommand describes its flags with CLI11 and parses them here, so that help and
// complaints look the same everywhere.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "forerun/app/commands.hpp"
#include "forerun/base/result.hpp"
#include "forerun/geom/vec.hpp"

namespace CLI {
class App;
}

namespace forerun::app {

// Fills the variables bound to `app`. Gives an exit code when the command ends here: after `--help`, or after one
// sentence on standard error about wrong usage.
//   if (const auto code = parse_or_exit(app, arguments)) return *code;
[[nodiscard]] std::optional<int> parse_or_exit(CLI::App& app, Arguments arguments);

// Reads "x,y" in metres, as in `--from -1,2.5`. `flag` names the option in the complaint.
[[nodiscard]] Result<Vec2> parse_point(std::string_view flag, const std::string& text);

}  // namespace forerun::app
