// What all connections of one page server share. Only the server's own thread touches it, where nothing else is said.
#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "forerun/web/budget.hpp"
#include "forerun/web/web_server.hpp"

namespace forerun::web {

// A connection that has not become a WebSocket.
class WebGuest {
 public:
  virtual ~WebGuest() = default;
  virtual void hang_up() noexcept = 0;
};

// A browser with an open WebSocket.
class WebBrowser {
 public:
  virtual ~WebBrowser() = default;
  virtual void welcome(std::vector<WebMessage> first) = 0;
  virtual void send(const WebMessage& message) = 0;
  virtual void publish(std::uint32_t topic, const WebMessage& message) = 0;
  // Asks whether it is still there, and drops it when it is not; called every now and then.
  virtual void look(WebClock::time_point now) = 0;
  // At once and without a farewell.
  virtual void drop() noexcept = 0;
};

// Events on their way to another thread, which is woken by a descriptor.
class WebEvents {
 public:
  WebEvents();
  ~WebEvents();
  WebEvents(const WebEvents&) = delete;
  WebEvents& operator=(const WebEvents&) = delete;

  // False when too many wait. News that someone left is always taken.
  bool push(WebEvent event);
  [[nodiscard]] std::vector<WebEvent> take();
  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }

 private:
  int descriptor_;
  std::mutex mutex_;
  std::vector<WebEvent> events_;
};

struct ServerState {
  explicit ServerState(const WebSetup& with);

  // The file of this path; nothing where there is none.
  [[nodiscard]] const WebFile* find(std::string_view path) const;

  WebSetup setup;
  WebMessage ping;
  WebEvents events;
  std::map<std::string, WebFile, std::less<>> files;
  std::map<std::uint64_t, WebGuest*> guests;  // the oldest first
  std::unordered_map<BrowserId, WebBrowser*> browsers;
  std::uint64_t next_id = 1;
  // any thread may read these
  std::atomic<std::uint64_t> n_connections{0}, n_turned_away{0}, n_refused{0}, n_browsers{0}, n_cut_off{0},
      n_replaced{0}, n_sent{0};
  std::optional<boost::asio::ssl::context> tls;
  // the last member: it ends first, and with it all connections, which take their leave from the house
  boost::asio::io_context context{1};
};

// Each serves one connection until it ends.
void serve_plain(ServerState& house, boost::asio::ip::tcp::socket socket);
void serve_tls(ServerState& house, boost::asio::ip::tcp::socket socket);

}  // namespace forerun::web
