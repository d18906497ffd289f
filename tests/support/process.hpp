// Runs a real program and catches what it says.
#pragma once

#include <string>
#include <vector>

namespace forerun::test {

struct RunOptions {
  std::string folder;            // to run in; empty: where the tests run
  double interrupt_after_s = 0;  // press Ctrl-C after this time; 0: never
  double time_limit_s = 240;     // killed after this time
  std::string home;              // takes the place of the user's own folder; empty: `folder`
};

struct Outcome {
  int exit_code = -1;  // as a shell would show it: 128 + n when signal n ended the program
  std::string out;
  std::string err;
};

// After a fork: becomes the program, in the folder and with the home of the options. Programs under test never see the
// keys and settings of whoever runs the tests.
[[noreturn]] void become(const std::vector<std::string>& command, const RunOptions& options);

// `command` begins with the program.
[[nodiscard]] Outcome run_process(const std::vector<std::string>& command, const RunOptions& options = {});

// The `forerun` program of this build with arguments, as a command.
[[nodiscard]] std::vector<std::string> forerun_command(std::vector<std::string> arguments);
[[nodiscard]] Outcome run_forerun(std::vector<std::string> arguments, const RunOptions& options = {});

}  // namespace forerun::test
