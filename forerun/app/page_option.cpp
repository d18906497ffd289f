#include "forerun/app/page_option.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>

#include "forerun/net/resolve.hpp"
#include "forerun/web/page_files.hpp"

namespace forerun::app {
namespace {

// xdg-open may stay for as long as the browser: it is not waited for.
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

Result<web::WebServer> open_local_page(const PageOptions& options) {
  const auto address = net::resolve("127.0.0.1:" + std::to_string(options.port));
  if (!address) return address.error();
  auto web = web::WebServer::open(
      {.listen = *address, .any_port_if_taken = true, .host_names = options.host_names, .limits = {}});
  if (!web) return web;
  const std::uint16_t port = web->local_address().port;
  if (options.port != 0 && port != options.port) {
    std::fprintf(stderr, "port %u is taken; the page is at port %u\n", options.port, port);
  }
  put_page(*web);
  return web;
}

void put_page(web::WebServer& web) {
  for (const web::WebFile& file : web::page_files()) web.put(file);
}

void announce_page(const web::WebServer& web, bool open_browser) {
  const std::string address = "http://localhost:" + std::to_string(web.local_address().port);
  std::printf("%s\n", address.c_str());
  std::fflush(stdout);
  if (open_browser) open_in_browser(address);
}

}  // namespace forerun::app
