// Datagrams on their way out, collected for few system calls. Neighbours of one size to one address become one message
// that the kernel cuts again (UDP_SEGMENT): a bulk transfer costs a fraction of its datagrams.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "forerun/base/bytes.hpp"
#include "forerun/net/socket_address.hpp"
#include "forerun/net/udp_socket.hpp"

namespace forerun::net {

// The system's side of sending; tests put a moody one in its place.
class SendPort {
 public:
  virtual ~SendPort() = default;
  // How many messages, from the first on, were taken; when the first one was not, the negative error number.
  [[nodiscard]] virtual int send(std::span<mmsghdr> messages) noexcept = 0;
  // After an error that says there is no room: for a millisecond, or until there is some.
  virtual void wait_for_room(int error) noexcept = 0;
};

class KernelSendPort final : public SendPort {
 public:
  explicit KernelSendPort(int descriptor) noexcept : descriptor_(descriptor) {}
  [[nodiscard]] int send(std::span<mmsghdr> messages) noexcept override;
  void wait_for_room(int error) noexcept override;

 private:
  int descriptor_;
};

class SendQueue {
 public:
  // The port must outlive the outbox. `family` is AF_INET6 or AF_INET.
  SendQueue(SendPort& port, int family, bool segmentation) noexcept;
  SendQueue(const SendQueue&) = delete;  // headers point into the object
  SendQueue& operator=(const SendQueue&) = delete;

  [[nodiscard]] MutableBytes begin(std::size_t size, SocketCounts& counts) noexcept;
  void commit(std::size_t size, const Address& to, SocketCounts& counts) noexcept;
  // Gives all to the system. Waits ten times at most since the last flush; what is not taken then is dropped.
  void flush(SocketCounts& counts) noexcept;

 private:
  // One message for the kernel: `n_datagrams` of `size` bytes each, of which the last may be shorter.
  struct Message {
    Address to;
    std::size_t size = 0;
    std::size_t n_datagrams = 0;
    bool open = false;  // a neighbour may still join
  };
  struct alignas(cmsghdr) Control {
    std::array<std::uint8_t, CMSG_SPACE(sizeof(std::uint16_t))> bytes{};
  };
  // What to do about a message that the system refused.
  enum class Verdict { waited, retry, divide, skip, give_up };

  [[nodiscard]] bool joins(std::size_t size, const Address& to) const noexcept;
  void mark_segments(std::size_t at) noexcept;
  static void count_sent(const Message& message, SocketCounts& counts) noexcept;
  [[nodiscard]] Verdict judge(int error, bool segmented, bool retried) noexcept;
  void send_one_by_one(std::size_t at, SocketCounts& counts) noexcept;
  void deliver(SocketCounts& counts) noexcept;

  static constexpr int kMaxWaits = 10;

  SendPort* port_;
  int family_;
  bool segmentation_;
  int waits_left_ = kMaxWaits;  // until the next flush
  std::size_t begun_ = 0;
  std::size_t n_messages_ = 0;
  std::size_t n_bytes_ = 0;
  std::array<Message, kBatch> messages_;
  std::array<SocketAddress, kBatch> addresses_;
  std::array<iovec, kBatch> pieces_{};
  std::array<Control, kBatch> controls_;
  std::array<mmsghdr, kBatch> headers_{};
  std::array<std::uint8_t, kBatch * kMaxDatagram> bytes_;  // datagrams back to back
};

}  // namespace forerun::net
