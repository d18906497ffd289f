// The page as it was built into the program (cmake/page.cmake).
#pragma once

#include <vector>

#include "forerun/web/web_server.hpp"

namespace forerun::web {

// Where the page was not built, a short one that says so.
[[nodiscard]] std::vector<web::WebFile> page_files();

}  // namespace forerun::web
