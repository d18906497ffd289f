// `--localize`, `--live-scan` and `--guard`, of commands that drive a simulated robot.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace forerun::cli {

inline CLI::Option* add_localize_option(CLI::App& app, bool& localize) {
  return app.add_flag("--localize", localize,
                      "it drives by its own localization instead of by the truth with the level's error");
}

inline CLI::Option* add_live_scan_option(CLI::App& app, bool& live_scan) {
  return app.add_flag("--live-scan", live_scan, "each report says coarsely what the robot's lasers see (60 bytes)");
}

inline CLI::Option* add_guard_option(CLI::App& app, bool& guards_hand) {
  return app
      .add_option_function<std::string>(
          "--guard", [&guards_hand](const std::string& word) { guards_hand = word == "on"; },
          "on: what an operator's hand asks for is held back where the robot would touch something, if it has "
          "anything to look with; off: it is not")
      ->check(CLI::IsMember({"on", "off"}))
      ->type_name("on|off")
      ->default_str("on");
}

}  // namespace forerun::cli
