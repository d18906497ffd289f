// Lets sessions send through a UDP socket, in batches.
#pragma once

#include "forerun/net/udp_socket.hpp"
#include "forerun/sync/outbox.hpp"
#include "forerun/sync/wire.hpp"

namespace forerun::net {

class UdpOutbox final : public sync::Outbox {
 public:
  // `socket` must outlive the outbox.
  explicit UdpOutbox(UdpSocket& socket) noexcept : socket_(socket) {}

  MutableBytes begin() noexcept override { return socket_.begin(sync::kLargestDatagram); }
  void send(std::size_t size, const sync::Address& to) noexcept override { socket_.commit(size, to); }

 private:
  UdpSocket& socket_;
};

}  // namespace forerun::net
