#include "tests/support/background.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <utility>

namespace forerun::test {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

}  // namespace

Background::Background(const std::vector<std::string>& command, const RunOptions& options) {
  int in[2];
  int out[2];
  if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) return;
  child_ = fork();
  if (child_ == 0) {
    dup2(in[0], STDIN_FILENO);
    dup2(out[1], STDOUT_FILENO);
    become(command, options);
  }
  close(in[0]);
  close(out[1]);
  in_ = in[1];
  out_ = out[0];
}

Background::~Background() {
  if (child_ > 0) {
    signal(SIGINT);
    finish(5);
  }
  close(in_);
  close(out_);
}

bool Background::read_more(double timeout_s) {
  pollfd watched{out_, POLLIN, 0};
  if (poll(&watched, 1, static_cast<int>(timeout_s * 1000)) <= 0) return true;
  std::array<char, 65536> buffer;
  const ssize_t n = read(out_, buffer.data(), buffer.size());
  if (n > 0) seen_.append(buffer.data(), static_cast<std::size_t>(n));
  return n > 0;
}

std::string Background::await_line(const std::function<bool(const std::string&)>& wanted, double time_limit_s) {
  const auto start = Clock::now();
  bool open = true;
  while (true) {
    for (std::size_t end; (end = seen_.find('\n', at_)) != std::string::npos;) {
      const std::string line = seen_.substr(at_, end - at_);
      at_ = end + 1;
      if (wanted(line)) return line;
    }
    if (!open || seconds_since(start) > time_limit_s) return "";
    open = read_more(0.05);
  }
}

void Background::write_line(const std::string& line) const { write_text(line + "\n"); }

void Background::write_text(const std::string& text) const {
  // a program that has gone takes nothing: the test will see that
  static_cast<void>(!write(in_, text.data(), text.size()));
}

void Background::close_input() { close(std::exchange(in_, -1)); }

void Background::signal(int number) const {
  if (child_ > 0) kill(child_, number);
}

int Background::finish(double time_limit_s) {
  if (child_ <= 0) return -1;
  const auto start = Clock::now();
  int status = 0;
  while (waitpid(child_, &status, WNOHANG) == 0) {
    read_more(0.02);
    if (seconds_since(start) > time_limit_s) kill(child_, SIGKILL);
  }
  child_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace forerun::test
