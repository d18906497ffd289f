#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "forerun/net/line_buffer.hpp"
#include "forerun/net/local_socket.hpp"
#include "forerun/net/resolve.hpp"
#include "forerun/net/socket_address.hpp"

namespace forerun::net {
namespace {

constexpr std::size_t kLargestDatagramHere = 1 << 16;  // [bytes]
constexpr int kMostDatagrams = 64;                     // a call, 64 KiB in all

bool is_loopback(const Address& address) noexcept {
  if (is_ipv4(address)) return address.ip[12] == 127;
  for (std::size_t i = 0; i < 15; ++i) {
    if (address.ip[i] != 0) return false;
  }
  return address.ip[15] == 1;
}

class UdpLines final : public LineTransport {
 public:
  UdpLines(int socket, int family) : socket_(socket), family_(family), buffer_(kLargestDatagramHere) {}
  ~UdpLines() override { close(socket_); }

  void receive(const LineHandlers& handlers) override {
    std::size_t total = 0;
    for (int i = 0; i < kMostDatagrams && total < kLargestDatagramHere; ++i) {
      SocketAddress from{};
      socklen_t size = sizeof from;
      const ssize_t n = recvfrom(socket_, buffer_.data(), buffer_.size(), 0, &from.any, &size);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return;
      total += static_cast<std::size_t>(n);
      const Address sender = from_socket_address(from);
      if (!is_loopback(sender)) continue;
      if (!connected() || !(sender == peer_)) ++counts.connected;
      peer_ = sender;
      feed({buffer_.data(), static_cast<std::size_t>(n)}, handlers);
    }
  }

  bool send(std::string_view line, bool) override {
    SocketAddress to{};
    const socklen_t size = connected() ? to_socket_address(peer_, family_, to) : 0;
    const std::string text = std::string(line) + '\n';
    const bool sent = size > 0 && sendto(socket_, text.data(), text.size(), MSG_NOSIGNAL, &to.any, size) > 0;
    if (!sent) ++counts.unsent;
    return sent;
  }

  [[nodiscard]] bool connected() const noexcept override { return peer_.port != 0; }
  [[nodiscard]] FixedVector<int, 2> descriptors() const noexcept override {
    FixedVector<int, 2> all;
    all.push_back(socket_);
    return all;
  }
  [[nodiscard]] std::string where() const override {
    SocketAddress here{};
    socklen_t size = sizeof here;
    getsockname(socket_, &here.any, &size);
    return "udp:" + to_string(from_socket_address(here));
  }

 private:
  void feed(std::string_view bytes, const LineHandlers& handlers) {
    const auto on_line = [&](std::string_view line) {
      ++counts.lines;
      handlers.on_line(line);
    };
    const auto on_too_long = [&] {
      ++counts.too_long;
      handlers.on_too_long();
    };
    // no line goes on in the next datagram
    LineBuffer lines;
    lines.feed(bytes, on_line, on_too_long);
    lines.finish(on_line, on_too_long);
  }

  int socket_;
  int family_;
  Address peer_;
  std::vector<char> buffer_;
};

}  // namespace

Result<std::unique_ptr<LineTransport>> open_udp_lines(const std::string& address) {
  const auto place = resolve(address);
  if (!place) return place.error();
  if (!is_loopback(*place)) {
    return Error{"udp:" + address + " must be an address of this machine alone, 127.0.0.1 or [::1]: whoever can send " +
                 "there steers the robot"};
  }
  const int family = is_ipv4(*place) ? AF_INET : AF_INET6;
  const int socket = ::socket(family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  SocketAddress here{};
  const socklen_t size = to_socket_address(*place, family, here);
  if (socket < 0 || bind(socket, &here.any, size) != 0) {
    const std::string why = std::strerror(errno);
    if (socket >= 0) close(socket);
    return Error{"udp:" + address + " cannot be opened: " + why, ErrorKind::impossible};
  }
  return std::unique_ptr<LineTransport>(std::make_unique<UdpLines>(socket, family));
}

}  // namespace forerun::net
