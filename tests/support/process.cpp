#include "tests/support/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>

namespace forerun::test {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Appends what has arrived; false at the end of the stream.
bool drain(int stream, std::string& text) {
  std::array<char, 65536> buffer;
  const ssize_t n = read(stream, buffer.data(), buffer.size());
  if (n > 0) text.append(buffer.data(), static_cast<std::size_t>(n));
  return n > 0;
}

// Listens until both streams end, pressing Ctrl-C or pulling the plug on time.
void listen(pid_t child, std::array<int, 2> streams, const RunOptions& options, Outcome& outcome) {
  const auto start = Clock::now();
  bool interrupt_due = options.interrupt_after_s > 0;
  std::array<pollfd, 2> watched{{{streams[0], POLLIN, 0}, {streams[1], POLLIN, 0}}};
  while (watched[0].fd >= 0 || watched[1].fd >= 0) {
    poll(watched.data(), watched.size(), 20);
    for (std::size_t i = 0; i < 2; ++i) {
      if (watched[i].fd < 0 || watched[i].revents == 0) continue;
      if (!drain(watched[i].fd, i == 0 ? outcome.out : outcome.err)) watched[i].fd = -1;
    }
    const double elapsed = seconds_since(start);
    if (interrupt_due && elapsed > options.interrupt_after_s) {
      interrupt_due = false;
      kill(child, SIGINT);
    }
    if (elapsed > options.time_limit_s) kill(child, SIGKILL);
  }
}

}  // namespace

void become(const std::vector<std::string>& command, const RunOptions& options) {
  if (!options.folder.empty() && chdir(options.folder.c_str()) != 0) _exit(126);
  const std::string& home = options.home.empty() ? options.folder : options.home;
  setenv("HOME", home.empty() ? "/nonexistent" : home.c_str(), 1);
  unsetenv("XDG_CONFIG_HOME");
  unsetenv("FORERUN_KEYS");
  std::vector<char*> arguments;
  for (const auto& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  _exit(127);
}

Outcome run_process(const std::vector<std::string>& command, const RunOptions& options) {
  Outcome outcome;
  int out[2];
  int err[2];
  if (pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0) return outcome;
  const pid_t child = fork();
  if (child == 0) {
    dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
    dup2(out[1], STDOUT_FILENO);
    dup2(err[1], STDERR_FILENO);
    become(command, options);
  }
  close(out[1]);
  close(err[1]);
  listen(child, {out[0], err[0]}, options, outcome);
  close(out[0]);
  close(err[0]);
  int status = 0;
  waitpid(child, &status, 0);
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return outcome;
}

std::vector<std::string> forerun_command(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), FORERUN_BINARY);
  return arguments;
}

Outcome run_forerun(std::vector<std::string> arguments, const RunOptions& options) {
  return run_process(forerun_command(std::move(arguments)), options);
}

}  // namespace forerun::test
