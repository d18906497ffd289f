#include "forerun/net/resolve.hpp"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>

#include <charconv>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>

#include "forerun/net/socket_address.hpp"

namespace forerun::net {
namespace {

constexpr std::size_t kLongestText = 300;  // of a name 253, of a port 5

struct Parts {
  std::string host;  // empty: any address
  std::string_view port;
  bool bracketed = false;
};

// One line whatever the text holds.
std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char letter : text.substr(0, 80)) {
    result += static_cast<unsigned char>(letter) < 0x20 || letter == 0x7f ? '?' : letter;
  }
  return result + (text.size() > 80 ? "…\"" : "\"");
}

std::optional<Parts> split(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || text.size() > kLongestText) return std::nullopt;
  const std::string_view host = text.substr(0, colon);
  const bool bracketed = host.size() > 2 && host.front() == '[' && host.back() == ']';
  // without brackets nobody can tell the port from the last part of an IPv6 address
  if (!bracketed && host.find_first_of(":[]") != std::string_view::npos) return std::nullopt;
  return Parts{std::string(bracketed ? host.substr(1, host.size() - 2) : host), text.substr(colon + 1), bracketed};
}

std::optional<std::uint16_t> parse_port(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return port;
}

Result<Address> look_up(const Parts& parts, std::uint16_t port) {
  addrinfo hints{};
  hints.ai_family = parts.bracketed ? AF_INET6 : AF_UNSPEC;
  hints.ai_socktype = SOCK_DGRAM;
  hints.ai_flags = parts.bracketed ? AI_NUMERICHOST : 0;
  addrinfo* found = nullptr;
  if (const int failure = getaddrinfo(parts.host.c_str(), nullptr, &hints, &found); failure != 0) {
    return Error{quoted(parts.host) + " is no known host: " + gai_strerror(failure), ErrorKind::impossible};
  }
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> list(found, freeaddrinfo);
  for (const addrinfo* entry = found; entry != nullptr; entry = entry->ai_next) {
    SocketAddress found_address{};
    if (entry->ai_addrlen > sizeof found_address) continue;
    std::memcpy(&found_address, entry->ai_addr, entry->ai_addrlen);
    Address address = from_socket_address(found_address);
    address.port = port;
    return address;
  }
  return Error{quoted(parts.host) + " has neither an IPv4 nor an IPv6 address", ErrorKind::impossible};
}

}  // namespace

Result<Address> resolve(std::string_view text) {
  const auto parts = split(text);
  if (!parts) return Error{quoted(text) + " is no address; allowed are host:port, [IPv6]:port and :port"};
  const auto port = parse_port(parts->port);
  if (!port) return Error{quoted(text) + " has the port " + quoted(parts->port) + ", but a port is 0 to 65535"};
  if (parts->host.find('%') != std::string::npos) {
    return Error{quoted(text) + " names an interface, but addresses of one interface only are not supported"};
  }
  if (parts->host.empty()) return Address{.ip = {}, .port = *port};
  return look_up(*parts, *port);
}

std::string to_string(const Address& address) {
  char text[INET6_ADDRSTRLEN] = "";
  const std::string port = ":" + std::to_string(address.port);
  if (is_ipv4(address)) {
    inet_ntop(AF_INET, address.ip.data() + 12, text, sizeof text);
    return text + port;
  }
  inet_ntop(AF_INET6, address.ip.data(), text, sizeof text);
  return "[" + std::string(text) + "]" + port;
}

}  // namespace forerun::net
