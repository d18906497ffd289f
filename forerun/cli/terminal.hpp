// Talking to the person at the terminal: complaints, progress, and Ctrl-C. All of it goes to standard error, so that
// standard output holds results and nothing else.
#pragma once

#include <chrono>
#include <string>

#include "forerun/base/result.hpp"
#include "forerun/cli/command_line.hpp"

namespace forerun::cli {

// Prints `forerun: <sentence>` and gives the exit code that belongs to the kind of error.
[[nodiscard]] int complain(const Error& error);

// One line that is written over and over, at most ten times a second. Shows nothing where there is no terminal.
class StatusLine {
 public:
  StatusLine();
  ~StatusLine();  // wipes the line
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  // True when a new text would be shown now; lets the caller skip composing it.
  [[nodiscard]] bool due() const;
  void show(const std::string& text);
  void wipe();

 private:
  using Clock = std::chrono::steady_clock;

  bool on_terminal_;
  bool shown_ = false;
  Clock::time_point next_;
};

// A bar for work that can say how much of it is done; appears when it has lasted two seconds.
class Progress {
 public:
  explicit Progress(std::string label);
  void update(double share_done);  // 0…1

 private:
  std::string label_;
  std::chrono::steady_clock::time_point start_;
  StatusLine line_;
};

// Ctrl-C and SIGTERM end the program with `kInterrupted`, and files that are not whole are removed.
void end_on_interrupt();

// From here on Ctrl-C only raises a flag. The work looks at it between steps and ends with `kInterrupted`; a second
// Ctrl-C ends the program at once.
void catch_interrupts();
[[nodiscard]] bool interrupted() noexcept;

}  // namespace forerun::cli
