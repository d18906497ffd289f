// Datagrams in batches: one thread, one system call for up to 64 messages each way, nothing allocated after opening.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "forerun/base/bytes.hpp"
#include "forerun/base/result.hpp"
#include "forerun/sync/address.hpp"

namespace forerun::net {

using sync::Address;

inline constexpr std::size_t kMaxDatagram = 2048;  // bytes; far above what networks carry in one piece
inline constexpr std::size_t kBatch = 64;          // messages in a system call

struct Datagram {
  MutableBytes bytes;  // may be decrypted in place
  Address from;
};

struct SocketCounts {
  std::uint64_t received = 0;
  std::uint64_t truncated = 0;       // longer than kMaxDatagram, dropped
  std::uint64_t receive_errors = 0;  // mostly notices that a datagram found no listener
  std::uint64_t sent = 0;
  std::uint64_t send_errors = 0;  // datagrams that the system refused for themselves (no route, too long), dropped
  std::uint64_t congested = 0;    // datagrams dropped because the system took no more
  std::uint64_t send_calls = 0;
  std::uint64_t segmented = 0;  // datagrams that left as part of a longer buffer (GSO)
};

struct SocketOptions {
  bool ipv6 = true;          // false: IPv4 only, as on machines that have nothing else
  bool segmentation = true;  // let the kernel cut buffers into datagrams where it can
};

class UdpSocket {
 public:
  // Address zero is any address, of IPv6 and IPv4; port zero any port.
  [[nodiscard]] static Result<UdpSocket> open(const Address& bind_to, const SocketOptions& options = {});
  UdpSocket(UdpSocket&&) noexcept;
  UdpSocket& operator=(UdpSocket&&) noexcept;
  ~UdpSocket();

  [[nodiscard]] Address local_address() const noexcept;
  [[nodiscard]] int descriptor() const noexcept;  // for wait_readable()

  // What has arrived, at most kBatch datagrams, without waiting. They live until the next call.
  [[nodiscard]] std::span<const Datagram> receive() noexcept;

  // Room for a datagram of up to `size` bytes, at most kMaxDatagram; flushes first when all room is taken.
  [[nodiscard]] MutableBytes begin(std::size_t size) noexcept;
  // The room of the last begin() becomes a datagram; `size` may be smaller than asked for.
  void commit(std::size_t size, const Address& to) noexcept;
  // Both, with a copy.
  void send(Bytes bytes, const Address& to) noexcept;
  // Gives the system all that was committed. Waits up to ten milliseconds between two calls of this when it takes no
  // more; what it has not taken by then is dropped and counted, as any network may drop it.
  void flush() noexcept;

  [[nodiscard]] const SocketCounts& counts() const noexcept;

 private:
  struct State;
  explicit UdpSocket(std::unique_ptr<State> state) noexcept;

  std::unique_ptr<State> state_;
};

}  // namespace forerun::net
