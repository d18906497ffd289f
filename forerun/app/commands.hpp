// The subcommands of the `forerun` program: one file each, one row each in the table of commands.cpp.
#pragma once

#include <span>

namespace forerun::app {

// What stands on the command line after the subcommand's name.
using Arguments = std::span<const char* const>;

// Exit codes of the program.
inline constexpr int kDone = 0;
inline constexpr int kCannot = 1;         // understood, but could not do what was asked
inline constexpr int kBadInput = 2;       // wrong usage, file or value
inline constexpr int kInterrupted = 130;  // stopped by the user

struct Command {
  const char* name;
  const char* about;                // one line of help
  int (*run)(Arguments arguments);  // returns the exit code
};

// In the order in which the overview shows them.
[[nodiscard]] std::span<const Command> commands() noexcept;

// The whole program; `arguments` begins after the program's own name.
[[nodiscard]] int run_program(Arguments arguments);

[[nodiscard]] int run_sim(Arguments arguments);
[[nodiscard]] int run_plan(Arguments arguments);
[[nodiscard]] int run_params(Arguments arguments);
[[nodiscard]] int run_world(Arguments arguments);
[[nodiscard]] int run_serve(Arguments arguments);
[[nodiscard]] int run_view(Arguments arguments);
[[nodiscard]] int run_demo(Arguments arguments);
[[nodiscard]] int run_relay(Arguments arguments);
[[nodiscard]] int run_study(Arguments arguments);
[[nodiscard]] int run_fit(Arguments arguments);
[[nodiscard]] int run_calibrate(Arguments arguments);
[[nodiscard]] int run_mission(Arguments arguments);
[[nodiscard]] int run_bench_fanout(Arguments arguments);
[[nodiscard]] int run_bench_relay(Arguments arguments);
[[nodiscard]] int run_keys(Arguments arguments);
[[nodiscard]] int run_impair(Arguments arguments);

}  // namespace forerun::app
