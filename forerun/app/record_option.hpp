// `--record FILE.mcap`, as every command that records has it.
#pragma once

#include <string>

#include "forerun/record/recording.hpp"

namespace CLI {
class App;
}

namespace forerun::app {

void add_record_option(CLI::App& app, std::string& path);
// One sentence where the option names no file.
[[nodiscard]] Result<void> check_record_option(const CLI::App& app, const std::string& path);

// Closes it where there is one; gives `code`, or what a failed recording makes of it.
[[nodiscard]] int finish_recording(record::Recording* recording, int code);

}  // namespace forerun::app
