// Where a datagram comes from or goes to. Sessions only compare addresses; what they mean is the transport's business.
#pragma once

#include <array>
#include <cstdint>

namespace forerun::sync {

struct Address {
  std::array<std::uint8_t, 16> ip{};  // IPv6, or IPv4 as ::ffff:a.b.c.d
  std::uint16_t port = 0;
  bool operator==(const Address&) const noexcept = default;
};

}  // namespace forerun::sync
