// `--localize` and `--live-scan`, of commands that drive a simulated robot.
#pragma once

#include <CLI/CLI.hpp>

#include "forerun/serve/served_robot.hpp"

namespace forerun::app {

inline CLI::Option* add_localize_option(CLI::App& app, bool& localize) {
  return app.add_flag("--localize", localize,
                      "it drives by its own localization instead of by the truth with the level's error");
}

inline CLI::Option* add_live_scan_option(CLI::App& app, bool& live_scan) {
  return app.add_flag("--live-scan", live_scan, "each report says coarsely what the robot's lasers see (60 bytes)");
}

[[nodiscard]] inline serve::PoseSource pose_source_of(bool localize) noexcept {
  return localize ? serve::PoseSource::localized : serve::PoseSource::given;
}

}  // namespace forerun::app
