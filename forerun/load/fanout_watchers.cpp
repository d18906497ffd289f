#include "forerun/load/fanout_watchers.hpp"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "forerun/load/bench_process.hpp"
#include "forerun/net/sodium_cipher.hpp"
#include "forerun/net/steady_time.hpp"
#include "forerun/sync/client.hpp"

namespace forerun::load {
namespace {

// Sends at once through a socket: watchers say little.
class DirectOutbox final : public sync::Outbox {
 public:
  DirectOutbox(int descriptor, const sockaddr_in& to) : descriptor_(descriptor), to_(to) {}
  MutableBytes begin() noexcept override { return room_; }
  void send(std::size_t size, const sync::Address&) noexcept override {
    ::sendto(descriptor_, room_.data(), size, 0, reinterpret_cast<const sockaddr*>(&to_), sizeof to_);
  }

 private:
  int descriptor_;
  sockaddr_in to_;
  static inline std::array<std::uint8_t, sync::kLargestDatagram> room_{};
};

struct Watcher {
  int descriptor = -1;
  std::unique_ptr<sync::Client> client;
  std::uint64_t n_reports = 0;
  bool connected = false;
};

class Watchers {
 public:
  Watchers(const WatchersSetup& setup, FanoutBoard& board)
      : setup_(setup), board_(board), server_(loopback(setup.server.port)), epoll_(epoll_create1(0)) {}
  ~Watchers() {
    for (const Watcher& watcher : watchers_) close(watcher.descriptor);
    close(epoll_);
  }
  Watchers(const Watchers&) = delete;
  Watchers& operator=(const Watchers&) = delete;

  void run() {
    const OperatorTime start = now();
    while (!board_.quit) {
      // they come one after the other, as people do
      const double due = to_seconds(now() - start) * setup_.greetings_per_s;
      while (watchers_.size() < setup_.count && static_cast<double>(watchers_.size()) < due) {
        if (!add()) return;
      }
      receive();
      tick_some();
    }
  }

 private:
  static OperatorTime now() { return net::now_on<OperatorClock>(); }

  bool add() {
    Watcher watcher;
    watcher.descriptor = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
    sockaddr_in own = loopback(0);
    socklen_t size = sizeof own;
    epoll_event event{.events = EPOLLIN, .data = {.u64 = watchers_.size()}};
    const bool open = watcher.descriptor >= 0 &&
                      bind(watcher.descriptor, reinterpret_cast<sockaddr*>(&own), size) == 0 &&
                      getsockname(watcher.descriptor, reinterpret_cast<sockaddr*>(&own), &size) == 0 &&
                      epoll_ctl(epoll_, EPOLL_CTL_ADD, watcher.descriptor, &event) == 0;
    if (!open) {
      board_.failed = true;
      return false;
    }
    watcher.client =
        std::make_unique<sync::Client>(cipher_, sync::make_key_pair(cipher_), setup_.server_key, setup_.server,
                                       sync::ClientParams{.wanted = sync::Role::watch}, now());
    board_.ports[watchers_.size()] = ntohs(own.sin_port);
    watchers_.push_back(std::move(watcher));
    DirectOutbox outbox(watchers_.back().descriptor, server_);
    watchers_.back().client->tick(now(), outbox);
    return true;
  }

  void receive() {
    std::array<epoll_event, 256> events;
    const int n = epoll_wait(epoll_, events.data(), events.size(), 2);
    for (int i = 0; i < n; ++i) receive(watchers_[events[static_cast<std::size_t>(i)].data.u64]);
  }

  void receive(Watcher& watcher) {
    std::array<std::uint8_t, 2048> bytes;
    DirectOutbox outbox(watcher.descriptor, server_);
    for (int i = 0; i < 8; ++i) {
      const ssize_t n = recv(watcher.descriptor, bytes.data(), bytes.size(), 0);
      if (n < 0) return;
      watcher.client->receive(now(), setup_.server, Bytes(bytes).first(static_cast<std::size_t>(n)), outbox);
      note(watcher);
    }
  }

  void note(Watcher& watcher) {
    const sync::Client& client = *watcher.client;
    if (!watcher.connected && client.counts().reports > 0) {
      watcher.connected = true;
      ++board_.connected;
    }
    if (client.counts().reports == watcher.n_reports) return;
    watcher.n_reports = client.counts().reports;
    (void)board_.count(client.newest()->sequence);
  }

  // All get their turn five times a second.
  void tick_some() {
    const OperatorTime time = now();
    if (time - ticked_at_ < from_seconds(0.01)) return;
    ticked_at_ = time;
    const std::size_t n = std::min(watchers_.size(), watchers_.size() / 20 + 1);
    for (std::size_t i = 0; i < n; ++i) {
      next_ = next_ + 1 < watchers_.size() ? next_ + 1 : 0;
      DirectOutbox outbox(watchers_[next_].descriptor, server_);
      watchers_[next_].client->tick(time, outbox);
    }
  }

  WatchersSetup setup_;
  FanoutBoard& board_;
  sockaddr_in server_;
  int epoll_;
  net::SodiumCipher cipher_;
  std::vector<Watcher> watchers_;
  std::size_t next_ = 0;
  OperatorTime ticked_at_;
};

}  // namespace

void run_watchers(const WatchersSetup& setup, FanoutBoard& board) { Watchers(setup, board).run(); }

}  // namespace forerun::load
