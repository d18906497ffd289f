#include "forerun/watch/command_input.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "forerun/net/robot_json.hpp"
#include "forerun/net/wait.hpp"

namespace forerun::watch {
namespace {

// A terminal is read only by those in front of it; whatever is not this session's terminal, always.
bool in_foreground(int descriptor) {
  const pid_t group = tcgetpgrp(descriptor);
  return group < 0 || group == getpgrp();
}

}  // namespace

void CommandInput::give(std::string_view line, net::Viewer& viewer, PageFeed* feed) {
  const auto command = net::parse_robot_command(line);
  if (!command) return on_complaint_(command.error().message);
  const auto number = viewer.give(command->command);
  if (feed != nullptr) feed->follow(command->command, number);
  if (!number) {
    on_complaint_(std::string(robot::to_string(command->command.kind)) +
                  " was not sent: " + why_not_given(viewer, command->command));
  }
}

std::span<const int> CommandInput::descriptors() const {
  return {descriptor_.data(), open_ && in_foreground(descriptor_[0]) ? 1u : 0u};
}

void CommandInput::read(net::Viewer& viewer, PageFeed* feed) {
  if (descriptors().empty() || !net::wait_readable(descriptor_, 0)) return;
  std::array<char, 4096> bytes;
  const ssize_t n = ::read(descriptor_[0], bytes.data(), bytes.size());
  const int reason = errno;
  if (n < 0 && (reason == EINTR || reason == EAGAIN || !in_foreground(descriptor_[0]))) return;
  if (n < 0) on_complaint_(std::string("commands cannot be read: ") + std::strerror(reason));
  const auto take = [&](std::string_view line) { give(line, viewer, feed); };
  const auto too_long = [&] { on_complaint_("a line of commands is too long"); };
  if (n > 0) return lines_.feed({bytes.data(), static_cast<std::size_t>(n)}, take, too_long);
  open_ = false;
  lines_.finish(take, too_long);
}

}  // namespace forerun::watch
