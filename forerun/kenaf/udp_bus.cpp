#include "forerun/kenaf/udp_bus.hpp"

#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <random>

#include "forerun/kenaf/datagram.hpp"

namespace forerun::kenaf {
namespace {

class UdpBus final : public Bus {
 public:
  UdpBus(int socket, std::string address) : socket_(socket), address_(std::move(address)) {
    session_ = std::random_device{}();
  }
  UdpBus(const UdpBus&) = delete;
  UdpBus& operator=(const UdpBus&) = delete;
  ~UdpBus() override { ::close(socket_); }

  void send(std::span<const CanFrame> frames) override {
    const auto bytes = encode(Datagram{session_, ++sequence_, {frames.begin(), frames.end()}});
    static_cast<void>(::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL));
  }

  void receive(std::vector<CanFrame>& frames) override {
    std::array<std::uint8_t, kLargestDatagram + 1> buffer;
    // not more than this at a time: a flood must not keep commands from going out
    for (int i = 0; i < 32; ++i) {
      const ssize_t n = ::recv(socket_, buffer.data(), buffer.size(), 0);
      if (n < 0) {
        if (errno == ECONNREFUSED || errno == EINTR) continue;  // nobody listens there now, perhaps later
        return;
      }
      if (const auto datagram = decode({buffer.data(), static_cast<std::size_t>(n)})) take(*datagram, frames);
    }
  }

  [[nodiscard]] int descriptor() const noexcept override { return socket_; }
  [[nodiscard]] std::string name() const override { return address_; }

 private:
  // Datagrams that were overtaken are too late.
  void take(const Datagram& datagram, std::vector<CanFrame>& frames) {
    if (theirs_ && theirs_->session == datagram.session && !is_newer(datagram.sequence, theirs_->sequence)) return;
    theirs_ = {datagram.session, datagram.sequence, {}};
    frames.insert(frames.end(), datagram.frames.begin(), datagram.frames.end());
  }

  int socket_;
  std::string address_;
  std::uint32_t session_ = 0, sequence_ = 0;
  std::optional<Datagram> theirs_;  // the newest, without its frames
};

// "host:port" in its two parts; the port is empty where it cannot be.
std::array<std::string, 2> split(const std::string& address) {
  const std::size_t colon = address.rfind(':');
  if (colon == std::string::npos) return {address, ""};
  std::string host = address.substr(0, colon);
  if (host.size() > 1 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
  return {host, address.substr(colon + 1)};
}

}  // namespace

OpenedBus open_udp_bus(const std::string& address) {
  const auto [host, port] = split(address);
  if (host.empty() || port.empty()) {
    return {nullptr, "HRT_KENAF_ADDRESS is \"" + address + "\", but must be host:port"};
  }
  addrinfo hints{}, *found = nullptr;
  hints.ai_socktype = SOCK_DGRAM;
  hints.ai_flags = AI_NUMERICSERV;
  if (const int error = ::getaddrinfo(host.c_str(), port.c_str(), &hints, &found); error != 0) {
    return {nullptr, "HRT_KENAF_ADDRESS is \"" + address + "\", which cannot be found: " + ::gai_strerror(error)};
  }
  const int socket = ::socket(found->ai_family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const bool connected = socket >= 0 && ::connect(socket, found->ai_addr, found->ai_addrlen) == 0;
  const std::string reason = std::strerror(errno);
  ::freeaddrinfo(found);
  if (connected) return {std::make_unique<UdpBus>(socket, address), ""};
  if (socket >= 0) ::close(socket);
  return {nullptr, "no way to " + address + ": " + reason};
}

}  // namespace forerun::kenaf
