// `forerun view --replay`: the page on a recording.
#pragma once

#include <string>

#include "forerun/app/page_option.hpp"

namespace forerun::app {

// Until Ctrl-C, or for `duration` seconds where it is not zero; gives the exit code.
[[nodiscard]] int show_replay(const std::string& path, const PageOptions& options, double duration);

}  // namespace forerun::app
