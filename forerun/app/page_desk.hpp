// The page's server with what every command that has a page shares: its files, its options, its browsers' wishes.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "forerun/app/page_feed.hpp"
#include "forerun/net/page_hub.hpp"
#include "forerun/net/web_server.hpp"

namespace CLI {
class App;
}

namespace forerun::app {

struct PageOptions {
  int port = 8080;                      // a free one where it is taken
  std::vector<std::string> host_names;  // that the page may be asked under
  bool open_browser = true;
};
void add_page_options(CLI::App& app, PageOptions& options);

// For this machine alone.
[[nodiscard]] Result<net::WebServer> open_local_page(const PageOptions& options);
// The page itself, as it was built into the program.
void put_page(net::WebServer& web);

// Says where the page is, and shows it where there is a desktop.
void announce_page(const net::WebServer& web, bool open_browser);

// Deals with what the browsers of one robot's page do.
class PageDesk {
 public:
  using OnDemo = std::function<Result<void>(const net::DemoSettings&)>;

  // All must outlive the desk. Without `on_demo` there is nothing to set. `sink` hears of settings: the hub, or what
  // stands before it.
  PageDesk(net::WebServer& web, net::PageHub& hub, PageFeed& feed, OnDemo on_demo = {}, net::PageSink* sink = nullptr);
  // Takes what has come; call it whenever the server's descriptor can be read, or more often.
  void turn();
  void set_settings(const net::DemoSettings& settings);

 private:
  void hear(const net::WebEvent& event);

  net::WebServer& web_;
  net::PageHub& hub_;
  PageFeed& feed_;
  OnDemo on_demo_;
  net::PageSink& sink_;
  net::DemoSettings settings_;
};

}  // namespace forerun::app
