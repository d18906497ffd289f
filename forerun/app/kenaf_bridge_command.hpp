// `forerun kenaf bridge`: its options, and its run.
#pragma once

#include <string>

#include "forerun/bridge/kenaf_bridge.hpp"

namespace CLI {
class App;
}

namespace forerun::app {

struct KenafBridgeOptions {
  bridge::KenafBridgeParams params;
  std::string json;
  double for_s = 0;  // 0: until Ctrl-C
};

void add_kenaf_bridge_options(CLI::App& app, KenafBridgeOptions& options);
[[nodiscard]] int run_kenaf_bridge(const KenafBridgeOptions& options);

}  // namespace forerun::app
