// Our addresses as the system's.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include "forerun/sync/address.hpp"

namespace forerun::net {

union SocketAddress {
  sockaddr any;
  sockaddr_in ipv4;
  sockaddr_in6 ipv6;
};

[[nodiscard]] bool is_ipv4(const sync::Address& address) noexcept;  // ::ffff:a.b.c.d
[[nodiscard]] bool is_any(const sync::Address& address) noexcept;   // :: or 0.0.0.0, which name no host

// The length, or 0 when an address of IPv6 is asked of IPv4.
[[nodiscard]] socklen_t to_socket_address(const sync::Address& address, int family, SocketAddress& result) noexcept;
[[nodiscard]] sync::Address from_socket_address(const SocketAddress& address) noexcept;

}  // namespace forerun::net
