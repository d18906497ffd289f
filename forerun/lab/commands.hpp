// Commands that find something out: experiments, load tests, and what recorded drives tell of a robot.
#pragma once

#include "forerun/cli/command_line.hpp"

namespace forerun::lab {

// Each is one command of the program: arguments are what follows its name.
[[nodiscard]] int run_study(cli::Arguments arguments);
[[nodiscard]] int run_fit(cli::Arguments arguments);
[[nodiscard]] int run_calibrate(cli::Arguments arguments);
[[nodiscard]] int run_map(cli::Arguments arguments);
[[nodiscard]] int run_train(cli::Arguments arguments);
[[nodiscard]] int run_evaluate(cli::Arguments arguments);
[[nodiscard]] int run_latency(cli::Arguments arguments);
[[nodiscard]] int run_localize(cli::Arguments arguments);
[[nodiscard]] int run_bench_fanout(cli::Arguments arguments);
[[nodiscard]] int run_bench_relay(cli::Arguments arguments);

}  // namespace forerun::lab
