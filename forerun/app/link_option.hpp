// Options of commands that connect to a robot, and what they come to.
#pragma once

#include <string>

#include "forerun/base/result.hpp"
#include "forerun/net/viewer.hpp"

namespace CLI {
class App;
}

namespace forerun::app {

struct LinkOptions {
  std::string connect;
  std::string server_key;
  std::string keys;
  bool watch = false;  // only, even if this key may operate
};

void add_link_options(CLI::App& app, LinkOptions& options);

// With this person's own keys; without any, a pair that is made for this once, with which one can only watch.
[[nodiscard]] Result<net::Viewer::Setup> make_viewer_setup(const LinkOptions& options);

}  // namespace forerun::app
