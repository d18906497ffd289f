#include "forerun/bridge/kenaf_sockets.hpp"

#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <utility>

#include "forerun/net/socket_address.hpp"

namespace forerun::bridge {
namespace {

int family_of(const net::Address& address) {
  return net::is_ipv4(address) || net::is_any(address) ? AF_INET : AF_INET6;
}

bool wait_for(int socket, short events, double timeout_s) {
  pollfd watched{socket, events, 0};
  return ::poll(&watched, 1, static_cast<int>(timeout_s * 1000)) > 0;
}

// How long ago the system got it, by its own stamp.
double read_age(const msghdr& message) {
  for (const cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr;
       part = CMSG_NXTHDR(const_cast<msghdr*>(&message), const_cast<cmsghdr*>(part))) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_TIMESTAMPNS) continue;
    timespec stamp{}, now{};
    std::memcpy(&stamp, CMSG_DATA(part), sizeof stamp);
    ::clock_gettime(CLOCK_REALTIME, &now);
    const double age =
        static_cast<double>(now.tv_sec - stamp.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec - stamp.tv_nsec);
    return age > 0 && age < 10 ? age : 0;  // else somebody has set the clock
  }
  return 0;
}

}  // namespace

Result<ControllerSocket> ControllerSocket::open(const net::Address& bind_to) {
  const int family = family_of(bind_to);
  const int socket = ::socket(family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  net::SocketAddress address;
  const socklen_t length = net::to_socket_address(bind_to, family, address);
  if (socket < 0 || ::bind(socket, &address.any, length) != 0) {
    const std::string reason = std::strerror(errno);
    if (socket >= 0) ::close(socket);
    return Error{"cannot listen at " + net::to_string(bind_to) + ": " + reason, ErrorKind::impossible};
  }
  const int on = 1;
  static_cast<void>(::setsockopt(socket, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on));
  return ControllerSocket(socket, family);
}

ControllerSocket::ControllerSocket(ControllerSocket&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)), family_(other.family_) {}

ControllerSocket::~ControllerSocket() {
  if (socket_ >= 0) ::close(socket_);
}

net::Address ControllerSocket::local_address() const noexcept {
  net::SocketAddress address{};
  socklen_t length = sizeof address;
  if (::getsockname(socket_, &address.any, &length) != 0) return {};
  return net::from_socket_address(address);
}

std::optional<ControllerSocket::Arrived> ControllerSocket::receive(double timeout_s) {
  if (!wait_for(socket_, POLLIN, timeout_s)) return std::nullopt;
  net::SocketAddress from{};
  iovec part{buffer_.data(), buffer_.size()};
  alignas(cmsghdr) std::array<char, 128> control;
  msghdr message{};
  message.msg_name = &from;
  message.msg_namelen = sizeof from;
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  const ssize_t n = ::recvmsg(socket_, &message, 0);
  if (n < 0) return std::nullopt;
  return Arrived{{buffer_.data(), static_cast<std::size_t>(n)}, net::from_socket_address(from), read_age(message)};
}

void ControllerSocket::send(std::span<const std::uint8_t> bytes, const net::Address& to) const noexcept {
  net::SocketAddress address;
  const socklen_t length = net::to_socket_address(to, family_, address);
  if (length == 0) return;
  static_cast<void>(::sendto(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT, &address.any, length));
}

bool SimulatorConnection::connect(const net::Address& to, double timeout_s) {
  close();
  const int family = family_of(to);
  const int socket = ::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (socket < 0) return false;
  net::SocketAddress address;
  const socklen_t length = net::to_socket_address(to, family, address);
  bool connected = ::connect(socket, &address.any, length) == 0;
  if (!connected && errno == EINPROGRESS && wait_for(socket, POLLOUT, timeout_s)) {
    int error = 0;
    socklen_t size = sizeof error;
    connected = ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0;
  }
  if (!connected) {
    ::close(socket);
    return false;
  }
  const int on = 1;
  static_cast<void>(::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on));
  const std::lock_guard lock(mutex_);
  socket_ = socket;
  return true;
}

std::optional<std::string_view> SimulatorConnection::receive(double timeout_s) {
  if (!wait_for(socket_, POLLIN, timeout_s)) return std::string_view{};
  const ssize_t n = ::recv(socket_, buffer_.data(), buffer_.size(), 0);
  if (n > 0) return std::string_view(buffer_.data(), static_cast<std::size_t>(n));
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return std::string_view{};
  return std::nullopt;
}

void SimulatorConnection::close() {
  const std::lock_guard lock(mutex_);
  if (socket_ >= 0) ::close(socket_);
  socket_ = -1;
  waiting_.clear();
}

bool SimulatorConnection::send(std::string_view lines) {
  const std::lock_guard lock(mutex_);
  if (socket_ < 0 || !flush()) return false;
  waiting_ = lines;
  static_cast<void>(flush());
  return true;
}

bool SimulatorConnection::flush() {
  while (!waiting_.empty()) {
    const ssize_t n = ::send(socket_, waiting_.data(), waiting_.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n <= 0) return false;  // no room now; or it has gone, which the reader will notice
    waiting_.erase(0, static_cast<std::size_t>(n));
  }
  return true;
}

}  // namespace forerun::bridge
