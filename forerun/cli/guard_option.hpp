// `--guard`, of commands with a robot that an operator drives by hand.
#pragma once

#include <CLI/CLI.hpp>

namespace forerun::cli {

inline CLI::Option* add_guard_option(CLI::App& app, bool& guards_hand) {
  return app
      .add_option("--guard", guards_hand,
                  "on: what an operator's hand asks for is held back where the robot would touch something, if it has "
                  "anything to look with; off: it is not")
      ->type_name("on|off")
      ->default_str("on");
}

}  // namespace forerun::cli
