#include "forerun/load/bench_browsers.hpp"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "forerun/load/bench_process.hpp"
#include "forerun/net/steady_time.hpp"
#include "forerun/sync/report_wire.hpp"

namespace forerun::load {
namespace {

constexpr std::uint8_t kBinaryFrame = 0x82;
constexpr std::uint8_t kPing = 0x89;
constexpr std::size_t kPageHeader = 16;  // of a binary message to the page

struct Browser {
  int descriptor = -1;
  bool open = false;     // the handshake is done
  bool welcome = false;  // the first message came
  std::string waiting;   // bytes of a frame that is not whole yet
};

class Browsers {
 public:
  Browsers(const BrowsersSetup& setup, BrowserBoard& board)
      : setup_(setup), board_(board), epoll_(epoll_create1(0)), bytes_(1 << 16) {
    browsers_.reserve(setup.count);
  }
  ~Browsers() {
    for (const Browser& browser : browsers_) close(browser.descriptor);
    close(epoll_);
  }
  Browsers(const Browsers&) = delete;
  Browsers& operator=(const Browsers&) = delete;

  void run() {
    const std::int64_t start = net::read_steady_time();
    while (!board_.quit) {
      // they come one after the other, as people do
      const double due = static_cast<double>(net::read_steady_time() - start) * 1e-9 * setup_.connections_per_s;
      while (browsers_.size() < setup_.count && static_cast<double>(browsers_.size()) < due) {
        if (!add()) {
          board_.failed = true;
          return;
        }
      }
      receive();
    }
  }

 private:
  bool add() {
    Browser browser{.descriptor = socket(AF_INET, SOCK_STREAM, 0)};
    const sockaddr_in to = loopback(setup_.port);
    if (browser.descriptor < 0 || connect(browser.descriptor, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0) {
      return false;
    }
    const std::string host = "localhost:" + std::to_string(setup_.port);
    const std::string hello =
        "GET /ws HTTP/1.1\r\nHost: " + host + "\r\nOrigin: http://" + host +
        "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: Zm9yZXJ1biBicm93c2VyIQ==\r\nSec-WebSocket-Protocol: forerun.1\r\n\r\n";
    if (send(browser.descriptor, hello.data(), hello.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(hello.size())) {
      return false;
    }
    epoll_event event{.events = EPOLLIN, .data = {.u64 = browsers_.size()}};
    epoll_ctl(epoll_, EPOLL_CTL_ADD, browser.descriptor, &event);
    browsers_.push_back(std::move(browser));
    return true;
  }

  void receive() {
    std::array<epoll_event, 256> events;
    const int n = epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), 1);
    for (int i = 0; i < n; ++i) read(browsers_[events[static_cast<std::size_t>(i)].data.u64]);
  }

  void read(Browser& browser) {
    const ssize_t n = recv(browser.descriptor, bytes_.data(), bytes_.size(), MSG_DONTWAIT);
    if (n <= 0) {
      epoll_ctl(epoll_, EPOLL_CTL_DEL, browser.descriptor, nullptr);
      return;
    }
    const std::int64_t now = net::read_steady_time();
    browser.waiting.append(bytes_.data(), static_cast<std::size_t>(n));
    if (!browser.open) {
      const auto end = browser.waiting.find("\r\n\r\n");
      if (end == std::string::npos) return;
      browser.open = browser.waiting.starts_with("HTTP/1.1 101");
      if (!browser.open) board_.failed = true;
      browser.waiting.erase(0, end + 4);
    }
    std::size_t used = 0;
    while (const std::size_t size = take_frame(browser, used, now)) used += size;
    browser.waiting.erase(0, used);
  }

  // The frame's size; zero while it is not whole.
  std::size_t take_frame(Browser& browser, std::size_t at, std::int64_t now) {
    const Bytes bytes(reinterpret_cast<const std::uint8_t*>(browser.waiting.data()) + at, browser.waiting.size() - at);
    if (bytes.size() < 2) return 0;
    std::size_t header = 2;
    std::size_t length = bytes[1] & 0x7fu;
    if (length == 126) {
      if (bytes.size() < 4) return 0;
      header = 4;
      length = std::size_t{bytes[2]} << 8 | bytes[3];
    }
    if (bytes.size() < header + length) return 0;
    take_message(browser, bytes[0], bytes.subspan(header, length), now);
    return header + length;
  }

  void take_message(Browser& browser, std::uint8_t kind, Bytes message, std::int64_t now) {
    if (kind == kPing) {
      const std::array<std::uint8_t, 6> pong{0x8a, 0x80, 0, 0, 0, 0};
      send(browser.descriptor, pong.data(), pong.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    }
    if (!browser.welcome) {
      browser.welcome = true;
      ++board_.connected;
    }
    if (kind != kBinaryFrame || message.size() < kPageHeader || message[0] != 1) return;
    const auto decoded = sync::decode_report(message.subspan(kPageHeader));
    if (!decoded.report) return;
    if (!board_.count(decoded.report->sequence)) return;
    const std::int64_t took = now - decoded.report->time.ns;
    board_.longest_ns = std::max(board_.longest_ns.load(), took);
    const double bin = std::clamp(static_cast<double>(took) * 1e-9 / kLatencyBin, 0.0, kLatencyBins - 1.0);
    ++board_.latency[static_cast<std::size_t>(bin)];
  }

  BrowsersSetup setup_;
  BrowserBoard& board_;
  int epoll_;
  std::vector<char> bytes_;
  std::vector<Browser> browsers_;
};

}  // namespace

void run_browsers(const BrowsersSetup& setup, BrowserBoard& board) { Browsers(setup, board).run(); }

}  // namespace forerun::load
