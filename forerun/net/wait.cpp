#include "forerun/net/wait.hpp"

#include <poll.h>

#include <algorithm>
#include <array>
#include <ctime>

#include "forerun/base/check.hpp"

namespace forerun::net {

namespace {

constexpr std::size_t kMost = 8;

bool wait_for(std::span<pollfd> watched, double timeout_s) noexcept {
  const double rest_s = std::clamp(timeout_s, 0.0, 3600.0);
  timespec timeout{};
  timeout.tv_sec = static_cast<time_t>(rest_s);
  timeout.tv_nsec = static_cast<long>((rest_s - static_cast<double>(timeout.tv_sec)) * 1e9);
  return ppoll(watched.data(), watched.size(), &timeout, nullptr) > 0;
}

}  // namespace

bool wait_readable(std::span<const int> descriptors, double timeout_s) noexcept {
  return wait_readable_or_writable(descriptors, -1, timeout_s);
}

bool wait_readable_or_writable(std::span<const int> descriptors, int writable, double timeout_s) noexcept {
  std::array<pollfd, kMost + 1> watched{};
  FORERUN_CHECK(descriptors.size() <= kMost);
  for (std::size_t i = 0; i < descriptors.size(); ++i) watched[i] = {descriptors[i], POLLIN, 0};
  // the system ignores a descriptor of -1
  watched[descriptors.size()] = {writable, POLLOUT, 0};
  return wait_for(std::span(watched).first(descriptors.size() + 1), timeout_s);
}

bool is_writable(int descriptor) noexcept {
  pollfd watched{descriptor, POLLOUT, 0};
  return wait_for({&watched, 1}, 0);
}

}  // namespace forerun::net
