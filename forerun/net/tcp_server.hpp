// Bytes to and from several programs over TCP, without waiting for any of them. A program that does not read loses its
// connection, and never holds up the others.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "forerun/base/result.hpp"
#include "forerun/net/resolve.hpp"

namespace forerun::net {

struct TcpHandlers {
  std::function<void(int client)> on_connect;
  std::function<void(int client, std::string_view bytes)> on_bytes;
  std::function<void(int client)> on_close;  // whoever closed it
};

class TcpServer {
 public:
  static constexpr std::size_t kMostClients = 64;
  static constexpr std::size_t kMostWaiting = std::size_t{4} << 20;   // bytes that a client has not read
  static constexpr std::size_t kMostReading = std::size_t{64} << 10;  // bytes of one client a call

  // Port zero is any port.
  [[nodiscard]] static Result<TcpServer> open(const Address& bind_to, TcpHandlers handlers);
  TcpServer(TcpServer&&) noexcept;
  TcpServer& operator=(TcpServer&&) noexcept = delete;
  ~TcpServer();

  [[nodiscard]] Address local_address() const noexcept;
  // Welcomes, reads and writes what can be, without waiting.
  void serve();
  // Goes out at once, or as the client reads; one that has too much waiting is closed by serve().
  void send(int client, std::string_view bytes);
  void close(int client);
  // How much of what was sent has not gone out yet.
  [[nodiscard]] std::size_t waiting(int client) const noexcept;
  // For those who wait until something can be done.
  [[nodiscard]] std::vector<int> descriptors() const;

 private:
  struct Client {
    int descriptor = -1;
    std::string waiting;
  };
  TcpServer(int listener, TcpHandlers handlers) noexcept;
  void welcome();
  // False: the client has gone.
  bool read(int number);
  bool write(Client& client);

  int listener_ = -1;
  TcpHandlers handlers_;
  std::map<int, Client> clients_;
  int next_ = 0;
};

}  // namespace forerun::net
