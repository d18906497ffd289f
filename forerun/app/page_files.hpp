// The page as it was built into the program (cmake/page.cmake).
#pragma once

#include <vector>

#include "forerun/net/web_server.hpp"

namespace forerun::app {

// Where the page was not built, a short one that says so.
[[nodiscard]] std::vector<net::WebFile> page_files();

}  // namespace forerun::app
