// The page's server with what every command that has a page shares: its files and its options.
#pragma once

#include <string>
#include <vector>

#include "forerun/web/web_server.hpp"

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
[[nodiscard]] Result<web::WebServer> open_local_page(const PageOptions& options);
// The page itself, as it was built into the program.
void put_page(web::WebServer& web);

// Says where the page is, and shows it where there is a desktop.
void announce_page(const web::WebServer& web, bool open_browser);

}  // namespace forerun::app
