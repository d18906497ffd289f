#include "forerun/net/udp_socket.hpp"

#include <netinet/udp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "forerun/net/resolve.hpp"
#include "forerun/net/send_queue.hpp"
#include "forerun/net/socket_address.hpp"

namespace forerun::net {
namespace {

constexpr int kBufferBytes = 4 << 20;  // asked of the system for each way; holds a burst of 10,000 small datagrams
constexpr int kMaxReceiveErrors = 16;  // read away in one call

// A file descriptor that is closed at the end.
class Descriptor {
 public:
  explicit Descriptor(int number) noexcept : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  [[nodiscard]] int number() const noexcept { return number_; }

 private:
  int number_;
};

bool set_option(int descriptor, int level, int name, int value) noexcept {
  return setsockopt(descriptor, level, name, &value, sizeof value) == 0;
}

void enlarge_buffers(int descriptor) noexcept {
  // only the administrator may go beyond the system's limits
  if (!set_option(descriptor, SOL_SOCKET, SO_RCVBUFFORCE, kBufferBytes)) {
    set_option(descriptor, SOL_SOCKET, SO_RCVBUF, kBufferBytes);
  }
  if (!set_option(descriptor, SOL_SOCKET, SO_SNDBUFFORCE, kBufferBytes)) {
    set_option(descriptor, SOL_SOCKET, SO_SNDBUF, kBufferBytes);
  }
}

// A bound socket, or -1 and errno.
Descriptor open_bound(const Address& bind_to, int family) noexcept {
  SocketAddress address;
  const socklen_t length = to_socket_address(bind_to, family, address);
  if (length == 0) {
    errno = EAFNOSUPPORT;
    return Descriptor(-1);
  }
  Descriptor made(::socket(family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (made.number() < 0) return made;
  if (family == AF_INET6) set_option(made.number(), IPPROTO_IPV6, IPV6_V6ONLY, 0);
  if (::bind(made.number(), &address.any, length) == 0) return made;
  const int reason = errno;
  { const Descriptor closed(std::move(made)); }
  errno = reason;
  return Descriptor(-1);
}

bool lacks_ipv6(int error) noexcept {
  return error == EAFNOSUPPORT || error == EPROTONOSUPPORT || error == EADDRNOTAVAIL;
}

// Datagrams on their way in.
class Inbox {
 public:
  explicit Inbox(int descriptor) noexcept : descriptor_(descriptor) {
    for (std::size_t i = 0; i < kBatch; ++i) {
      pieces_[i] = {bytes_.data() + i * kMaxDatagram, kMaxDatagram};
      headers_[i].msg_hdr.msg_name = &addresses_[i];
      headers_[i].msg_hdr.msg_iov = &pieces_[i];
      headers_[i].msg_hdr.msg_iovlen = 1;
    }
  }
  Inbox(const Inbox&) = delete;  // headers point into the object
  Inbox& operator=(const Inbox&) = delete;

  std::span<const Datagram> receive(SocketCounts& counts) noexcept {
    for (auto& header : headers_) header.msg_hdr.msg_namelen = sizeof(SocketAddress);
    const std::size_t n = read_batch(counts);
    std::size_t n_whole = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if ((headers_[i].msg_hdr.msg_flags & MSG_TRUNC) != 0) {
        ++counts.truncated;
        continue;
      }
      datagrams_[n_whole++] = {MutableBytes(bytes_).subspan(i * kMaxDatagram, headers_[i].msg_len),
                               from_socket_address(addresses_[i])};
    }
    counts.received += n_whole;
    return std::span(datagrams_).first(n_whole);
  }

 private:
  std::size_t read_batch(SocketCounts& counts) noexcept {
    for (int i = 0; i < kMaxReceiveErrors; ++i) {
      const int n = recvmmsg(descriptor_, headers_.data(), kBatch, MSG_DONTWAIT, nullptr);
      if (n >= 0) return static_cast<std::size_t>(n);
      if (errno == EAGAIN) return 0;
      if (errno != EINTR) ++counts.receive_errors;
    }
    return 0;
  }

  int descriptor_;
  std::array<Datagram, kBatch> datagrams_;
  std::array<SocketAddress, kBatch> addresses_;
  std::array<iovec, kBatch> pieces_{};
  std::array<mmsghdr, kBatch> headers_{};
  std::array<std::uint8_t, kBatch * kMaxDatagram> bytes_;
};

}  // namespace

struct UdpSocket::State {
  State(Descriptor opened, int family, bool segmentation) noexcept
      : descriptor(std::move(opened)),
        inbox(descriptor.number()),
        port(descriptor.number()),
        outbox(port, family, segmentation) {}

  Descriptor descriptor;
  SocketCounts counts;
  Inbox inbox;
  KernelSendPort port;
  SendQueue outbox;
};

UdpSocket::UdpSocket(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}
UdpSocket::UdpSocket(UdpSocket&&) noexcept = default;
UdpSocket& UdpSocket::operator=(UdpSocket&&) noexcept = default;
UdpSocket::~UdpSocket() = default;

Result<UdpSocket> UdpSocket::open(const Address& bind_to, const SocketOptions& options) {
  int family = options.ipv6 ? AF_INET6 : AF_INET;
  const auto try_family = [&] { return open_bound(bind_to, family); };
  Descriptor first = try_family();
  const bool fall_back = first.number() < 0 && family == AF_INET6 && lacks_ipv6(errno);
  if (fall_back) family = AF_INET;
  Descriptor opened = fall_back ? try_family() : std::move(first);
  if (opened.number() < 0) {
    return Error{"a socket at " + to_string(bind_to) + " cannot be opened: " + std::strerror(errno),
                 ErrorKind::impossible};
  }
  enlarge_buffers(opened.number());
  // a kernel that knows the option lets us set it to "off"
  const bool segmentation = options.segmentation && set_option(opened.number(), IPPROTO_UDP, UDP_SEGMENT, 0);
  return UdpSocket(std::make_unique<State>(std::move(opened), family, segmentation));
}

Address UdpSocket::local_address() const noexcept {
  SocketAddress address{};
  socklen_t length = sizeof address;
  if (getsockname(descriptor(), &address.any, &length) != 0) return {};
  return from_socket_address(address);
}

int UdpSocket::descriptor() const noexcept { return state_->descriptor.number(); }

std::span<const Datagram> UdpSocket::receive() noexcept { return state_->inbox.receive(state_->counts); }

MutableBytes UdpSocket::begin(std::size_t size) noexcept { return state_->outbox.begin(size, state_->counts); }

void UdpSocket::commit(std::size_t size, const Address& to) noexcept {
  state_->outbox.commit(size, to, state_->counts);
}

void UdpSocket::send(Bytes bytes, const Address& to) noexcept {
  const MutableBytes room = begin(bytes.size());
  std::copy(bytes.begin(), bytes.end(), room.begin());
  commit(bytes.size(), to);
}

void UdpSocket::flush() noexcept { state_->outbox.flush(state_->counts); }

const SocketCounts& UdpSocket::counts() const noexcept { return state_->counts; }

}  // namespace forerun::net
