// Hostile guests of all kinds, one after the other and many at once, beside a browser that behaves and misses nothing.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <random>
#include <vector>

#include "forerun/net/resolve.hpp"
#include "forerun/web/web_server.hpp"
#include "tests/support/descriptors.hpp"
#include "tests/support/wait_until.hpp"
#include "tests/support/web_client.hpp"

namespace forerun::web {
namespace {

using test::n_descriptors;
using test::WebClient;

constexpr const char* kUpgrade =
    "GET /ws HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: Zm9yZXJ1biBicm93c2VyIQ==\r\nSec-WebSocket-Protocol: forerun.1\r\n"
    "\r\n";

class HostileGuests {
 public:
  explicit HostileGuests(std::uint16_t port, unsigned seed) : port_(port), random_(seed) {}

  // Does something bad; most of those who do stay for a while.
  void act() {
    auto guest = std::make_unique<WebClient>(port_);
    const unsigned kind = below(16);
    if (kind < 6) {
      http(*guest, kind);
    } else if (guest->open_web_socket() == 101) {
      web_socket(*guest, kind - 6);
    }
    if (below(3) != 0) staying_.push_back(std::move(guest));
    if (staying_.size() > 20) staying_.erase(staying_.begin() + below(20));
  }
  void leave() { staying_.clear(); }

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  std::string noise(std::size_t longest) {
    std::string bytes(1 + below(static_cast<unsigned>(longest)), '\0');
    for (char& c : bytes) c = static_cast<char>(random_() >> 8);
    return bytes;
  }

  void http(WebClient& guest, unsigned kind) {
    std::string request = kUpgrade;
    switch (kind) {
      case 0:
        guest.send(noise(2000));
        break;
      case 1:  // a request with some bytes changed
        for (unsigned i = 0; i < 3; ++i) request[below(static_cast<unsigned>(request.size()))] = noise(1)[0];
        guest.send(request);
        break;
      case 2:  // headers without end
        guest.send("GET / HTTP/1.1\r\n");
        for (int i = 0; i < 30 && guest.send("X-Header: " + std::string(500, 'x') + "\r\n"); ++i) continue;
        break;
      case 3:  // half a request, and nothing more
        guest.send(request.substr(0, below(static_cast<unsigned>(request.size()))));
        break;
      case 4:  // many at once
        for (int i = 0; i < 20; ++i) guest.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
        break;
      default:  // it hears nothing of the answer
        guest.send(request);
        guest.end_sending();
    }
  }

  void web_socket(WebClient& guest, unsigned kind) {
    switch (kind) {
      case 0:
        guest.send("\x81\x05hello");  // not masked
        break;
      case 1:
        guest.send(std::string("\x82\xff\x7f\xff\xff\xff\xff\xff\xff\xff", 10) + noise(100));
        break;
      case 2:
        guest.send(std::string("\x09\x80mask", 6));  // a ping in parts
        break;
      case 3:
        guest.say(std::string(1025 + below(100000), 'x'));
        break;
      case 4:
        guest.say("\xff\xfe\xfd");
        break;
      case 5:
        for (int i = 0; i < 200 && guest.send_frame(9, noise(100)); ++i) continue;
        break;
      case 6:
        for (int i = 0; i < 100 && guest.say("stop"); ++i) continue;
        break;
      case 7:
        guest.end_sending();
        break;
      case 8:
        guest.send_frame(8, noise(125));
        break;
      default:
        guest.send(noise(3000));
    }
  }

  std::uint16_t port_;
  std::minstd_rand random_;
  std::vector<std::unique_ptr<WebClient>> staying_;
};

struct House {
  House() : web(std::move(*WebServer::open({.listen = *net::resolve("127.0.0.1:0"), .limits = {.request_s = 1}}))) {
    web.put({.path = "/index.html", .content_type = "text/html", .bytes = {}, .tag = "\"1\""});
  }
  [[nodiscard]] std::uint16_t port() const { return web.local_address().port; }
  void welcome_all() {
    for (const WebEvent& event : web.take_events()) {
      if (event.kind == WebEvent::Kind::joined) web.welcome(event.browser, {make_text("welcome")});
    }
  }
  // Time for what ends by itself.
  bool await(const std::function<bool()>& reached) {
    return test::wait_until([&] {
      welcome_all();
      return reached();
    });
  }

  WebServer web;
};

TEST(HostileWeb, ABrowserThatBehavesMissesNothingAndAllIsGivenBack) {
  House house;
  WebClient good(house.port());
  ASSERT_EQ(good.open_web_socket(), 101);
  ASSERT_TRUE(house.await([&] { return house.web.counts().browsers == 1; }));
  EXPECT_EQ(good.frame()->payload, "welcome");
  const std::size_t before = n_descriptors();
  HostileGuests hostile(house.port(), 11);
  for (int i = 0; i < 500; ++i) {
    hostile.act();
    house.welcome_all();
    house.web.send_to_all(make_text(std::to_string(i)));
    house.web.publish(1, make_binary("report"));
    const auto message = good.frame();
    ASSERT_TRUE(message);
    ASSERT_EQ(message->payload, std::to_string(i));
    ASSERT_EQ(good.frame()->payload, "report");
  }
  hostile.leave();
  EXPECT_TRUE(house.await([&] { return house.web.counts().browsers == 1 && n_descriptors() == before; }))
      << house.web.counts().browsers << " browsers, " << n_descriptors() << " descriptors, before " << before;
  EXPECT_GT(house.web.counts().cut_off, 50u);
  EXPECT_GT(house.web.counts().refused, 20u);
}

TEST(HostileWeb, WhoBreaksTheFramingIsReleasedWithoutBeingWaitedFor) {
  House house;  // which waits 30 s for the silent
  WebClient guest(house.port());
  ASSERT_EQ(guest.open_web_socket(), 101);
  ASSERT_TRUE(house.await([&] { return house.web.counts().browsers == 1; }));
  guest.send("\x81\x05hello");
  // it neither answers the farewell nor closes
  EXPECT_TRUE(house.await([&] { return house.web.counts().browsers == 0; }));
}

TEST(HostileWeb, ThousandsWhoComeAndGoLeaveNothingBehind) {
  House house;
  house.welcome_all();
  const std::size_t before = n_descriptors();
  for (int i = 0; i < 3000; ++i) {
    const WebClient guest(house.port());
    if (i % 3 == 0) guest.send(kUpgrade);
    if (i % 100 == 0) house.welcome_all();
  }
  EXPECT_TRUE(house.await([&] { return house.web.counts().browsers == 0 && n_descriptors() == before; }));
  EXPECT_EQ(WebClient(house.port()).get("/").status, 200);
}

}  // namespace
}  // namespace forerun::web
