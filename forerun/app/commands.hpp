// The subcommands of the `forerun` program: one file each, one row each in the table of commands.cpp. Those that find
// something out are in lab/commands.hpp.
#pragma once

#include <span>

#include "forerun/cli/command_line.hpp"

namespace forerun::app {

struct Command {
  const char* name;
  const char* about;                     // one line of help
  int (*run)(cli::Arguments arguments);  // returns the exit code
};

// In the order in which the overview shows them.
[[nodiscard]] std::span<const Command> commands() noexcept;

// The whole program; `arguments` begins after the program's own name.
[[nodiscard]] int run_program(cli::Arguments arguments);

[[nodiscard]] int run_sim(cli::Arguments arguments);
[[nodiscard]] int run_plan(cli::Arguments arguments);
[[nodiscard]] int run_params(cli::Arguments arguments);
[[nodiscard]] int run_world(cli::Arguments arguments);
[[nodiscard]] int run_serve(cli::Arguments arguments);
[[nodiscard]] int run_view(cli::Arguments arguments);
[[nodiscard]] int run_demo(cli::Arguments arguments);
[[nodiscard]] int run_relay(cli::Arguments arguments);
[[nodiscard]] int run_mission(cli::Arguments arguments);
[[nodiscard]] int run_kenaf(cli::Arguments arguments);
[[nodiscard]] int run_keys(cli::Arguments arguments);
[[nodiscard]] int run_impair(cli::Arguments arguments);

}  // namespace forerun::app
