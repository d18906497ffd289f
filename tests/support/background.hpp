// Programs that run beside a test: a server, a relay, a viewer. They end with the object.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

#include "tests/support/process.hpp"

namespace forerun::test {

class Background {
 public:
  // `command` begins with the program; `options` as for run_process, of which folder and home count.
  explicit Background(const std::vector<std::string>& command, const RunOptions& options = {});
  ~Background();  // Ctrl-C, and a moment later the plug
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  // The first line of standard output, from the next unread one on, for which `wanted` holds; empty when the time is up
  // or the program has ended.
  [[nodiscard]] std::string await_line(const std::function<bool(const std::string&)>& wanted, double time_limit_s);
  void write_line(const std::string& line) const;
  void write_text(const std::string& text) const;  // as it is, without a line break
  void close_input();
  void signal(int number) const;
  // Waits for the end; as a shell would show it.
  int finish(double time_limit_s = 20);
  [[nodiscard]] pid_t pid() const { return child_; }
  [[nodiscard]] const std::string& seen() const { return seen_; }  // all output so far

 private:
  bool read_more(double timeout_s);

  pid_t child_ = -1;
  int in_ = -1;
  int out_ = -1;
  std::string seen_;
  std::size_t at_ = 0;  // where the next unread line begins
};

}  // namespace forerun::test
