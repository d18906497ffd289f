// Programs that run side by side, so many at once, for a study that is made of other studies.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace forerun::papers {

enum class ChildState { waiting, running, ended };

struct ChildProgram {
  std::vector<std::string> command;  // begins with the program's file
  ChildState state = ChildState::waiting;
  int exit_code = -1;      // as a shell shows it: 128 + n where signal n ended it
  double duration_s = 0;   // so far, or in the end
  std::string complaints;  // what it said on standard error
};

// Is told how they stand, some times a second, and ends all of them by giving false.
using OnChildren = std::function<bool(std::span<const ChildProgram>)>;

// Runs all of them in their order, `at_once` at a time; standard output is thrown away. None outlives this call, and
// when this program is killed they are told to end. False when `go_on` ended them.
[[nodiscard]] bool run_children(std::span<ChildProgram> children, int at_once, const OnChildren& go_on);

}  // namespace forerun::papers
