#include "forerun/net/tcp_server.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "forerun/net/socket_address.hpp"

namespace forerun::net {
namespace {

bool later() noexcept { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

}  // namespace

TcpServer::TcpServer(int listener, TcpHandlers handlers) noexcept
    : listener_(listener), handlers_(std::move(handlers)) {}

TcpServer::TcpServer(TcpServer&& other) noexcept
    : listener_(std::exchange(other.listener_, -1)),
      handlers_(std::move(other.handlers_)),
      clients_(std::move(other.clients_)),
      next_(other.next_) {
  other.clients_.clear();
}

TcpServer::~TcpServer() {
  for (const auto& [number, client] : clients_) ::close(client.descriptor);
  if (listener_ >= 0) ::close(listener_);
}

Result<TcpServer> TcpServer::open(const Address& bind_to, TcpHandlers handlers) {
  const int family = is_ipv4(bind_to) || is_any(bind_to) ? AF_INET : AF_INET6;
  const auto failed = [&] {
    return Error{"cannot listen on TCP " + to_string(bind_to) + ": " + std::strerror(errno), ErrorKind::impossible};
  };
  const int listener = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (listener < 0) return failed();
  TcpServer server(listener, std::move(handlers));
  const int yes = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  SocketAddress address{};
  socklen_t size = to_socket_address(bind_to, family, address);
  if (is_any(bind_to)) {
    address.ipv4 = {.sin_family = AF_INET, .sin_port = htons(bind_to.port), .sin_addr = {INADDR_ANY}, .sin_zero = {}};
    size = sizeof address.ipv4;
  }
  if (bind(listener, &address.any, size) != 0 || listen(listener, 16) != 0) return failed();
  return server;
}

Address TcpServer::local_address() const noexcept {
  SocketAddress address{};
  socklen_t size = sizeof address;
  getsockname(listener_, &address.any, &size);
  return from_socket_address(address);
}

void TcpServer::welcome() {
  for (;;) {
    const int descriptor = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (descriptor < 0) return;
    if (clients_.size() >= kMostClients) {
      ::close(descriptor);
      continue;
    }
    const int yes = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    const int number = next_++;
    clients_[number] = {descriptor, {}};
    handlers_.on_connect(number);
  }
}

bool TcpServer::read(int number) {
  std::array<char, 8192> buffer;
  for (std::size_t total = 0; total < kMostReading;) {
    // a handler may have closed it
    const auto found = clients_.find(number);
    if (found == clients_.end()) return false;
    const ssize_t n = recv(found->second.descriptor, buffer.data(), buffer.size(), 0);
    if (n == 0) return false;
    if (n < 0) return later();
    total += static_cast<std::size_t>(n);
    handlers_.on_bytes(number, {buffer.data(), static_cast<std::size_t>(n)});
  }
  return true;
}

bool TcpServer::write(Client& client) {
  while (!client.waiting.empty()) {
    const ssize_t n = ::send(client.descriptor, client.waiting.data(), client.waiting.size(), MSG_NOSIGNAL);
    if (n < 0) return later();
    client.waiting.erase(0, static_cast<std::size_t>(n));
  }
  return true;
}

void TcpServer::serve() {
  welcome();
  std::vector<int> numbers;
  for (const auto& [number, client] : clients_) numbers.push_back(number);
  for (const int number : numbers) {
    const bool there = read(number);
    const auto found = clients_.find(number);
    if (found == clients_.end()) continue;
    if (!there || !write(found->second) || found->second.waiting.size() > kMostWaiting) close(number);
  }
}

void TcpServer::send(int client, std::string_view bytes) {
  const auto found = clients_.find(client);
  if (found == clients_.end()) return;
  found->second.waiting += bytes;
  (void)write(found->second);  // a client that has gone is found by serve()
}

void TcpServer::close(int client) {
  const auto found = clients_.find(client);
  if (found == clients_.end()) return;
  ::close(found->second.descriptor);
  clients_.erase(found);
  handlers_.on_close(client);
}

std::size_t TcpServer::waiting(int client) const noexcept {
  const auto found = clients_.find(client);
  return found == clients_.end() ? 0 : found->second.waiting.size();
}

std::vector<int> TcpServer::descriptors() const {
  std::vector<int> all{listener_};
  for (const auto& [number, client] : clients_) all.push_back(client.descriptor);
  return all;
}

}  // namespace forerun::net
