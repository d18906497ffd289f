#include "forerun/web/web_server.hpp"

#include <unistd.h>

#include <algorithm>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <deque>
#include <exception>
#include <thread>
#include <utility>

#include "forerun/net/resolve.hpp"
#include "forerun/net/socket_address.hpp"
#include "forerun/web/server_state.hpp"

namespace forerun::web {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using tcp = asio::ip::tcp;

constexpr auto kLongestWait = std::chrono::seconds(1);               // of a message for all that has a successor
constexpr int kNeighbours = 20;                                      // of a port that is taken
constexpr auto kPauseAfterException = std::chrono::milliseconds(1);  // memory may come back
constexpr auto kPauseAfterFailure = std::chrono::milliseconds(100);  // such as no more descriptors

// A message for all.
struct Round {
  std::uint32_t topic = 0;
  WebMessage message;
  WebClock::time_point at;
};

tcp::endpoint to_endpoint(const sync::Address& address, bool ipv6) {
  if (net::is_ipv4(address)) {
    asio::ip::address_v4::bytes_type bytes;
    std::copy(address.ip.begin() + 12, address.ip.end(), bytes.begin());
    return {asio::ip::address_v4(bytes), address.port};
  }
  if (!ipv6) return {asio::ip::address_v4::any(), address.port};
  return {asio::ip::address_v6(address.ip), address.port};
}

sync::Address from_endpoint(const tcp::endpoint& endpoint) {
  const auto ip = endpoint.address();
  const auto v6 = ip.is_v6() ? ip.to_v6() : asio::ip::make_address_v6(asio::ip::v4_mapped, ip.to_v4());
  return {v6.to_bytes(), endpoint.port()};
}

error_code listen_on(tcp::acceptor& acceptor, const tcp::endpoint& endpoint) {
  error_code error;
  acceptor.open(endpoint.protocol(), error);
  if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error && endpoint.protocol() == tcp::v6()) acceptor.set_option(asio::ip::v6_only(false), error);
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error && acceptor.is_open()) {
    error_code ignored;
    acceptor.close(ignored);
  }
  return error;
}

Result<void> load_tls(ServerState& house) {
  const std::string& cert = house.setup.tls_cert;
  const std::string& key = house.setup.tls_key;
  if (cert.empty() && key.empty()) return {};
  if (cert.empty() || key.empty()) return Error{"--tls-cert and --tls-key belong together, but one of them is missing"};
  house.tls.emplace(asio::ssl::context::tls_server);
  for (const auto& [path, option] : {std::pair{&cert, "--tls-cert"}, std::pair{&key, "--tls-key"}}) {
    if (access(path->c_str(), R_OK) != 0)
      return Error{*path + " cannot be read as " + option + ": " + std::strerror(errno)};
  }
  error_code error;
  house.tls->set_options(
      asio::ssl::context::default_workarounds | asio::ssl::context::no_tlsv1 | asio::ssl::context::no_tlsv1_1, error);
  house.tls->use_certificate_chain_file(cert, error);
  if (error) return Error{cert + " cannot be used as --tls-cert: " + error.message() + "; allowed is a file in PEM"};
  house.tls->use_private_key_file(key, asio::ssl::context::pem, error);
  if (error) {
    return Error{key + " cannot be used as --tls-key: " + error.message() +
                 "; allowed is the certificate's own key in PEM, without a password"};
  }
  return {};
}

}  // namespace

struct WebServer::State {
  explicit State(const WebSetup& setup)
      : house(setup), acceptor(house.context), pause(house.context), next_look(house.context) {}
  ~State() {
    house.context.stop();
    if (thread.joinable()) thread.join();
  }

  Result<void> open() {
    if (auto loaded = load_tls(house); !loaded) return loaded;
    sync::Address address = house.setup.listen;
    error_code error = listen_on(acceptor, to_endpoint(address, true));
    // machines without IPv6
    if (error == asio::error::address_family_not_supported) error = listen_on(acceptor, to_endpoint(address, false));
    for (int i = 1; error == asio::error::address_in_use && house.setup.any_port_if_taken && i <= kNeighbours; ++i) {
      // one of the next, which is easy to find; where all of them are taken, any
      const bool next = i < kNeighbours && address.port < UINT16_MAX;
      address.port = next ? static_cast<std::uint16_t>(address.port + 1) : std::uint16_t{0};
      error = listen_on(acceptor, to_endpoint(address, true));
    }
    if (error) {
      return Error{"the page cannot be served at " + net::to_string(address) + ": " + error.message(),
                   ErrorKind::impossible};
    }
    local = from_endpoint(acceptor.local_endpoint());
    go_on();
    thread = std::thread([this] { run(); });
    return {};
  }

  // Running out of memory costs one connection, not all of them.
  void run() noexcept {
    while (!house.context.stopped()) {
      try {
        go_on();
        house.context.run();
      } catch (const std::exception&) {
        ++house.n_cut_off;
        std::this_thread::sleep_for(kPauseAfterException);
      }
    }
  }

  // Begins again whatever an exception may have ended.
  void go_on() {
    if (!accepting) accept();
    if (!looking) look_after_browsers();
    if (!in_round) publish_next();
  }

  // One timer for all of them.
  void look_after_browsers() {
    next_look.expires_after(to_milliseconds(std::min(1.0, house.setup.limits.silence_s / 4)));
    next_look.async_wait([this](error_code ended) {
      looking = false;
      if (ended) return;
      const auto now = WebClock::now();
      for_each_browser([&](WebBrowser& browser) { browser.look(now); });
      look_after_browsers();
    });
    looking = true;
  }

  void accept() {
    if (accepting) return;
    acceptor.async_accept([this](error_code error, tcp::socket socket) {
      accepting = false;
      if (error == asio::error::operation_aborted) return;
      if (error) {
        pause.expires_after(kPauseAfterFailure);
        pause.async_wait([this](error_code ended) {
          if (!ended) accept();
        });
        return;
      }
      ++house.n_connections;
      accept();
      take_in(std::move(socket));
    });
    accepting = true;
  }

  void take_in(tcp::socket socket) {
    const WebLimits& limits = house.setup.limits;
    if (house.guests.size() + house.browsers.size() >= limits.connections) {
      ++house.n_turned_away;
      if (house.guests.empty()) return send_away(std::move(socket));
      // who only holds a connection makes room for who comes
      house.guests.begin()->second->hang_up();
      house.guests.erase(house.guests.begin());
    }
    house.tls ? serve_tls(house, std::move(socket)) : serve_plain(house, std::move(socket));
  }

  void send_away(tcp::socket socket) const {
    static constexpr char kFull[] =
        "HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\nRetry-After: 10\r\nConnection: close\r\n"
        "Content-Length: 49\r\n\r\nall places are taken; try again in a few seconds\n";
    error_code ignored;
    socket.non_blocking(true, ignored);
    if (!house.tls) socket.write_some(asio::buffer(kFull, sizeof kFull - 1), ignored);
    socket.shutdown(tcp::socket::shutdown_send, ignored);
  }

  // One round of browsers after the other. Those that take a message at once are done when the marker behind their
  // answers is reached: where this thread came late, they miss nothing, and only slow ones are given the newest alone.
  void publish(Round round) {
    rounds.push_back(std::move(round));
    if (!in_round) publish_next();
  }

  void publish_next() {
    while (!rounds.empty() && is_outdated(rounds.front())) {
      house.n_replaced += house.browsers.size();
      rounds.pop_front();
    }
    in_round = false;
    if (rounds.empty()) return;
    const Round round = std::move(rounds.front());
    rounds.pop_front();
    for_each_browser([&](WebBrowser& browser) { browser.publish(round.topic, round.message); });
    post([this] { publish_next(); });
    in_round = true;
  }

  // One for which there is no memory is dropped: it must not miss a message unawares.
  template <class Visit>
  void for_each_browser(Visit&& visit) {
    for (const auto& [id, browser] : house.browsers) {
      try {
        visit(*browser);
      } catch (const std::exception&) {
        ++house.n_cut_off;
        browser->drop();
      }
    }
  }

  // A machine that cannot keep up gives nobody a backlog either.
  [[nodiscard]] bool is_outdated(const Round& round) const {
    if (WebClock::now() - round.at < kLongestWait) return false;
    return std::any_of(rounds.begin() + 1, rounds.end(), [&](const Round& r) { return r.topic == round.topic; });
  }

  template <class Work>
  void post(Work work) {
    asio::post(house.context, std::move(work));
  }

  ServerState house;
  tcp::acceptor acceptor;
  asio::steady_timer pause;
  asio::steady_timer next_look;
  std::deque<Round> rounds;  // that wait
  bool accepting = false;
  bool looking = false;
  bool in_round = false;  // the next one is posted
  sync::Address local;
  std::thread thread;
};

WebServer::WebServer(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}
WebServer::WebServer(WebServer&&) noexcept = default;
WebServer::~WebServer() = default;

Result<WebServer> WebServer::open(const WebSetup& setup) {
  auto state = std::make_unique<State>(setup);
  if (auto opened = state->open(); !opened) return opened.error();
  return WebServer(std::move(state));
}

sync::Address WebServer::local_address() const noexcept { return state_->local; }
int WebServer::descriptor() const noexcept { return state_->house.events.descriptor(); }
std::vector<WebEvent> WebServer::take_events() { return state_->house.events.take(); }

void WebServer::put(WebFile file) {
  if (file.owned) file.bytes = *file.owned;
  state_->post([&house = state_->house, file = std::move(file)] { house.files[file.path] = file; });
}

void WebServer::remove(const std::string& path) {
  state_->post([&house = state_->house, path] { house.files.erase(path); });
}

void WebServer::welcome(BrowserId browser, std::vector<WebMessage> first) {
  state_->post([&house = state_->house, browser, first = std::move(first)]() mutable {
    const auto place = house.browsers.find(browser);
    if (place != house.browsers.end()) place->second->welcome(std::move(first));
  });
}

void WebServer::send(BrowserId browser, WebMessage message) {
  state_->post([&house = state_->house, browser, message = std::move(message)] {
    const auto place = house.browsers.find(browser);
    if (place != house.browsers.end()) place->second->send(message);
  });
}

void WebServer::send_to_all(WebMessage message) {
  state_->post([state = state_.get(), message = std::move(message)] {
    state->for_each_browser([&](WebBrowser& browser) { browser.send(message); });
  });
}

void WebServer::publish(std::uint32_t topic, WebMessage message) {
  Round round{topic, std::move(message), WebClock::now()};
  state_->post([state = state_.get(), round = std::move(round)]() mutable { state->publish(std::move(round)); });
}

WebCounts WebServer::counts() const noexcept {
  const ServerState& house = state_->house;
  return {house.n_connections, house.n_turned_away, house.n_refused, house.n_browsers,
          house.n_cut_off,     house.n_replaced,    house.n_sent};
}

}  // namespace forerun::web
