#include "forerun/net/local_socket.hpp"

namespace forerun::net {

Result<LocalSocket> LocalSocket::open(const std::string& where) {
  const bool is_unix = where.rfind("unix:", 0) == 0;
  if (!is_unix && where.rfind("udp:", 0) != 0) {
    return Error{"the robot's socket \"" + where.substr(0, 80) +
                 "\" must be unix:PATH or udp:ADDRESS:PORT, for example udp:127.0.0.1:4711"};
  }
  auto transport = is_unix ? open_unix_lines(where.substr(5)) : open_udp_lines(where.substr(4));
  if (!transport) return transport.error();
  return LocalSocket(std::move(*transport));
}

}  // namespace forerun::net
