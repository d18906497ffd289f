// A page server with two files, and browsers that visit it.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "forerun/net/resolve.hpp"
#include "forerun/net/wait.hpp"
#include "forerun/web/web_server.hpp"
#include "tests/support/web_client.hpp"

namespace forerun::web {

using test::WebClient;

inline const std::string kPage = "<p>page</p>";

struct House {
  explicit House(const WebLimits& limits = {}, std::vector<std::string> names = {}) : web(make(limits, names)) {
    const Bytes bytes(reinterpret_cast<const std::uint8_t*>(kPage.data()), kPage.size());
    web.put({.path = "/index.html", .content_type = "text/html", .bytes = bytes, .tag = "\"1\""});
    web.put({.path = "/model/0", .content_type = "application/octet-stream", .bytes = bytes, .tag = "", .fixed = true});
  }
  static WebServer make(const WebLimits& limits, const std::vector<std::string>& names) {
    auto made = WebServer::open({.listen = *net::resolve("127.0.0.1:0"), .host_names = names, .limits = limits});
    EXPECT_TRUE(made) << made.error().message;
    return std::move(*made);
  }
  [[nodiscard]] std::uint16_t port() const { return web.local_address().port; }

  // The next event of this kind; a kind of none that is asked for when none comes.
  std::optional<WebEvent> await(WebEvent::Kind kind) {
    const std::array<int, 1> descriptor{web.descriptor()};
    for (int i = 0; i < 100; ++i) {
      for (WebEvent& event : web.take_events()) events.push_back(std::move(event));
      for (auto event = events.begin(); event != events.end(); ++event) {
        if (event->kind != kind) continue;
        WebEvent found = std::move(*event);
        events.erase(event);
        return found;
      }
      (void)net::wait_readable(descriptor, 0.1);
    }
    return std::nullopt;
  }
  // A browser that is welcome.
  std::unique_ptr<WebClient> visit(BrowserId* id = nullptr, int receive_bytes = 0) {
    auto client = std::make_unique<WebClient>(port(), receive_bytes);
    EXPECT_EQ(client->open_web_socket(), 101);
    const auto joined = await(WebEvent::Kind::joined);
    EXPECT_TRUE(joined);
    if (!joined) return client;
    web.welcome(joined->browser, {make_text("welcome")});
    EXPECT_EQ(client->frame()->payload, "welcome");
    if (id != nullptr) *id = joined->browser;
    return client;
  }
  void expect_service() { EXPECT_EQ(WebClient(port()).get("/").body, kPage); }

  WebServer web;
  std::vector<WebEvent> events;
};

}  // namespace forerun::web
