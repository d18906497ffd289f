#include "forerun/papers/child_programs.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <memory>
#include <thread>

namespace forerun::papers {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto kLookEvery = 50ms;
constexpr auto kTimeToEnd = 5s;  // after the polite signal, before the one that nobody can refuse
constexpr std::size_t kMostComplaints = std::size_t{64} << 10;

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

// In the child, between fork and exec: only calls that are safe there.
[[noreturn]] void become(char* const* arguments, int standard_error, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(127);  // it ended before it could be followed
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(nothing, STDIN_FILENO);
  dup2(nothing, STDOUT_FILENO);
  dup2(standard_error, STDERR_FILENO);
  execv(arguments[0], arguments);
  _exit(127);
}

std::string read_all(std::FILE* file) {
  std::rewind(file);
  std::string text(kMostComplaints, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file));
  return text;
}

// One running child.
class Running {
 public:
  explicit Running(ChildProgram& program) : program_(&program), complaints_(std::tmpfile()), begin_(Clock::now()) {
    std::vector<char*> arguments;
    for (std::string& word : program.command) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const int standard_error = complaints_ ? fileno(complaints_.get()) : STDERR_FILENO;
    const pid_t parent = getpid();
    program.state = ChildState::running;
    pid_ = fork();
    if (pid_ == 0) become(arguments.data(), standard_error, parent);
    if (pid_ < 0) end(127, "cannot be started");
  }

  // Looks whether it has ended.
  [[nodiscard]] bool has_ended() {
    if (program_->state == ChildState::ended) return true;
    program_->duration_s = std::chrono::duration<double>(Clock::now() - begin_).count();
    int status = 0;
    if (waitpid(pid_, &status, WNOHANG) != pid_) return false;
    end(WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status),
        complaints_ ? read_all(complaints_.get()) : "");
    return true;
  }

  void send(int signal) const {
    if (program_->state == ChildState::running) kill(pid_, signal);
  }

 private:
  void end(int exit_code, std::string complaints) {
    program_->state = ChildState::ended;
    program_->exit_code = exit_code;
    program_->complaints = std::move(complaints);
  }

  ChildProgram* program_;
  File complaints_;
  Clock::time_point begin_;
  pid_t pid_ = -1;
};

void drop_ended(std::vector<Running>& running) {
  running.erase(std::remove_if(running.begin(), running.end(), [](Running& child) { return child.has_ended(); }),
                running.end());
}

void end_all(std::vector<Running>& running) {
  for (const Running& child : running) child.send(SIGTERM);
  const auto patience = Clock::now() + kTimeToEnd;
  for (drop_ended(running); !running.empty(); drop_ended(running)) {
    if (Clock::now() > patience) {
      for (const Running& child : running) child.send(SIGKILL);
    }
    std::this_thread::sleep_for(kLookEvery);
  }
}

}  // namespace

bool run_children(std::span<ChildProgram> children, int at_once, const OnChildren& go_on) {
  std::vector<Running> running;
  auto next = children.begin();
  while (next != children.end() || !running.empty()) {
    while (next != children.end() && running.size() < static_cast<std::size_t>(at_once)) running.emplace_back(*next++);
    drop_ended(running);
    if (!go_on(children)) {
      end_all(running);
      return false;
    }
    if (!running.empty()) std::this_thread::sleep_for(kLookEvery);
  }
  return true;
}

}  // namespace forerun::papers
