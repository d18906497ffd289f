// `forerun kenaf test`: the paper's mobility tests in physics, beside what the real robot did (KEN-5).
#pragma once

#include <string>

#include "forerun/mobility/trial.hpp"

namespace CLI {
class App;
}

namespace forerun::lab {

struct KenafTestOptions {
  std::string robot = "kenaf", kind, json;
  double size_mm = 0;  // 0: the published sizes
  bool robustness = false;
  mobility::TrialParams params;
};

void add_kenaf_test_options(CLI::App& app, KenafTestOptions& options);
[[nodiscard]] int run_kenaf_test(const KenafTestOptions& options);

}  // namespace forerun::lab
