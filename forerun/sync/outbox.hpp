// Where datagrams go that are to be sent. The transport behind it decides when.
#pragma once

#include <cstddef>

#include "forerun/base/bytes.hpp"
#include "forerun/sync/address.hpp"

namespace forerun::sync {

class Outbox {
 public:
  virtual ~Outbox() = default;

  // Room for one datagram of up to kLargestDatagram bytes. Calling it again without `send` gives the same room.
  [[nodiscard]] virtual MutableBytes begin() noexcept = 0;
  // The first `size` bytes of that room are the datagram.
  virtual void send(std::size_t size, const Address& to) noexcept = 0;
};

}  // namespace forerun::sync
