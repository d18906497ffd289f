#include "forerun/net/local_socket.hpp"

namespace forerun::net {

Result<LocalSocket> LocalSocket::open(const std::string& where) {
  const auto colon = where.find(':');
  const std::string kind = where.substr(0, colon), place = colon == std::string::npos ? "" : where.substr(colon + 1);
  const auto open_it = [&]() -> Result<std::unique_ptr<LineTransport>> {
    if (kind == "unix") return open_unix_lines(place, LocalAccess::owner);
    if (kind == "unix-group") return open_unix_lines(place, LocalAccess::group);
    if (kind == "udp") return open_udp_lines(place);
    return Error{"the robot's socket \"" + where.substr(0, 80) +
                 "\" must be unix:PATH, unix-group:PATH or udp:ADDRESS:PORT, for example udp:127.0.0.1:4711"};
  };
  auto transport = open_it();
  if (!transport) return transport.error();
  return LocalSocket(std::move(*transport));
}

}  // namespace forerun::net
