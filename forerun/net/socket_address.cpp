#include "forerun/net/socket_address.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace forerun::net {
namespace {

constexpr std::array<std::uint8_t, 12> kMappedPrefix = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

}  // namespace

bool is_ipv4(const sync::Address& address) noexcept {
  return std::equal(kMappedPrefix.begin(), kMappedPrefix.end(), address.ip.begin());
}

bool is_any(const sync::Address& address) noexcept {
  const auto is_zero = [](std::uint8_t byte) { return byte == 0; };
  const auto begin = address.ip.begin() + (is_ipv4(address) ? kMappedPrefix.size() : 0);
  return std::all_of(begin, address.ip.end(), is_zero);
}

socklen_t to_socket_address(const sync::Address& address, int family, SocketAddress& result) noexcept {
  std::memset(&result, 0, sizeof result);
  if (family == AF_INET6) {
    result.ipv6.sin6_family = AF_INET6;
    result.ipv6.sin6_port = htons(address.port);
    std::memcpy(&result.ipv6.sin6_addr, address.ip.data(), address.ip.size());
    return sizeof result.ipv6;
  }
  // "any" has the same meaning in both families
  const bool any = std::all_of(address.ip.begin(), address.ip.end(), [](std::uint8_t byte) { return byte == 0; });
  if (!any && !is_ipv4(address)) return 0;
  result.ipv4.sin_family = AF_INET;
  result.ipv4.sin_port = htons(address.port);
  std::memcpy(&result.ipv4.sin_addr, address.ip.data() + kMappedPrefix.size(), sizeof result.ipv4.sin_addr);
  return sizeof result.ipv4;
}

sync::Address from_socket_address(const SocketAddress& address) noexcept {
  sync::Address result;
  if (address.any.sa_family == AF_INET6) {
    std::memcpy(result.ip.data(), &address.ipv6.sin6_addr, result.ip.size());
    result.port = ntohs(address.ipv6.sin6_port);
  } else {
    std::copy(kMappedPrefix.begin(), kMappedPrefix.end(), result.ip.begin());
    std::memcpy(result.ip.data() + kMappedPrefix.size(), &address.ipv4.sin_addr, sizeof address.ipv4.sin_addr);
    result.port = ntohs(address.ipv4.sin_port);
  }
  return result;
}

}  // namespace forerun::net
