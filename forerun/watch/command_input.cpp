#include "forerun/watch/command_input.hpp"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "forerun/net/robot_json.hpp"
#include "forerun/net/wait.hpp"

namespace forerun::watch {
namespace {

// A terminal is read only by those in front of it; whatever is not this session's terminal, always.
bool in_foreground() {
  const pid_t group = tcgetpgrp(STDIN_FILENO);
  return group < 0 || group == getpgrp();
}

void give(std::string_view line, net::Viewer& viewer, PageFeed* feed) {
  const auto command = net::parse_robot_command(line);
  if (!command) {
    std::fprintf(stderr, "forerun: %s\n", command.error().message.c_str());
    return;
  }
  const auto number = viewer.give(command->command);
  if (feed != nullptr) feed->follow(command->command, number);
  if (!number) {
    std::fprintf(stderr, "forerun: %s was not sent: %s\n", robot::to_string(command->command.kind),
                 why_not_given(viewer, command->command));
  }
}

}  // namespace

CommandInput::CommandInput() : descriptor_{STDIN_FILENO} { std::signal(SIGTTIN, SIG_IGN); }

std::span<const int> CommandInput::descriptors() const {
  return {descriptor_.data(), open_ && in_foreground() ? 1u : 0u};
}

void CommandInput::read(net::Viewer& viewer, PageFeed* feed) {
  if (descriptors().empty() || !net::wait_readable(descriptor_, 0)) return;
  std::array<char, 4096> bytes;
  const ssize_t n = ::read(STDIN_FILENO, bytes.data(), bytes.size());
  const int reason = errno;
  if (n < 0 && (reason == EINTR || reason == EAGAIN || !in_foreground())) return;
  if (n < 0) std::fprintf(stderr, "forerun: standard input cannot be read: %s\n", std::strerror(reason));
  const auto take = [&](std::string_view line) { give(line, viewer, feed); };
  const auto too_long = [] { std::fprintf(stderr, "forerun: a line of commands is too long\n"); };
  if (n > 0) return lines_.feed({bytes.data(), static_cast<std::size_t>(n)}, take, too_long);
  open_ = false;
  lines_.finish(take, too_long);
}

}  // namespace forerun::watch
