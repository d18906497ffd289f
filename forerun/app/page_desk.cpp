#include "forerun/app/page_desk.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>

#include "forerun/app/page_files.hpp"
#include "forerun/net/resolve.hpp"

namespace forerun::app {
namespace {

// xdg-open may stay for as long as the browser: its child is nobody's concern.
void open_in_browser(const std::string& address) {
  const bool desktop = std::getenv("DISPLAY") != nullptr || std::getenv("WAYLAND_DISPLAY") != nullptr;
  if (!desktop) return;
  const pid_t child = fork();
  if (child < 0) return;
  if (child == 0) {
    if (fork() != 0) _exit(0);
    setsid();
    const int nowhere = open("/dev/null", O_RDWR);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, stream);
    // a browser that kept the page's port would keep it long after this program
    close_range(STDERR_FILENO + 1, ~0u, 0);
    execlp("xdg-open", "xdg-open", address.c_str(), static_cast<char*>(nullptr));
    _exit(1);
  }
  waitpid(child, nullptr, 0);
}

}  // namespace

void add_page_options(CLI::App& app, PageOptions& options) {
  app.add_option("--page-port", options.port, "where the page is, on this machine alone; a free port if it is taken")
      ->capture_default_str()
      ->check(CLI::Range(0, 65535));
  app.add_option("--host-name", options.host_names,
                 "a name under which the page may be asked for, beside localhost and addresses in numbers");
  app.add_flag_callback(
      "--no-open", [&] { options.open_browser = false; }, "do not show the page by itself where there is a desktop");
}

Result<net::WebServer> open_local_page(const PageOptions& options) {
  const auto address = net::resolve("127.0.0.1:" + std::to_string(options.port));
  if (!address) return address.error();
  auto web = net::WebServer::open(
      {.listen = *address, .any_port_if_taken = true, .host_names = options.host_names, .limits = {}});
  if (!web) return web;
  const std::uint16_t port = web->local_address().port;
  if (options.port != 0 && port != options.port) {
    std::fprintf(stderr, "port %u is taken; the page is at port %u\n", options.port, port);
  }
  put_page(*web);
  return web;
}

void put_page(net::WebServer& web) {
  for (const net::WebFile& file : page_files()) web.put(file);
}

void announce_page(const net::WebServer& web, bool open_browser) {
  const std::string address = "http://localhost:" + std::to_string(web.local_address().port);
  std::printf("%s\n", address.c_str());
  std::fflush(stdout);
  if (open_browser) open_in_browser(address);
}

PageDesk::PageDesk(net::WebServer& web, net::PageHub& hub, PageFeed& feed, OnDemo on_demo, net::PageSink* sink)
    : web_(web), hub_(hub), feed_(feed), on_demo_(std::move(on_demo)), sink_(sink != nullptr ? *sink : hub) {}

void PageDesk::set_settings(const net::DemoSettings& settings) {
  settings_ = settings;
  sink_.set_demo(settings);
}

void PageDesk::turn() {
  for (const net::WebEvent& event : web_.take_events()) {
    switch (event.kind) {
      case net::WebEvent::Kind::joined:
        hub_.welcome(event.browser);
        break;
      case net::WebEvent::Kind::left:
        feed_.leave(event.browser);
        break;
      case net::WebEvent::Kind::said:
        hear(event);
        break;
    }
  }
}

void PageDesk::hear(const net::WebEvent& event) {
  const auto wish = net::parse_page_wish(event.text, settings_);
  if (!wish) return hub_.refuse(event.browser, wish.error().message);
  if (wish->demo) {
    if (!on_demo_) return hub_.refuse(event.browser, "there is nothing to set here: this is no demo");
    const auto done = on_demo_(*wish->demo);
    if (!done) return hub_.refuse(event.browser, done.error().message);
    return set_settings(*wish->demo);
  }
  if (wish->replay) return hub_.refuse(event.browser, "there is nothing to play here: this is no recording");
  if (wish->robot != 1) return hub_.refuse(event.browser, "there is no such robot");
  if (wish->command) feed_.give(*wish->command, event.browser);
}

}  // namespace forerun::app
