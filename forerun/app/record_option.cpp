#include "forerun/app/record_option.hpp"

#include <CLI/CLI.hpp>

#include "forerun/cli/terminal.hpp"
#include "forerun/io/text.hpp"

namespace forerun::app {

void add_record_option(CLI::App& app, std::string& path) {
  app.add_option("--record", path, "record everything into this file (MCAP); forerun view --replay plays it");
}

Result<void> check_record_option(const CLI::App& app, const std::string& path) {
  if (app.count("--record") == 0 || (!path.empty() && path != "-")) return {};
  return Error{"--record is " + io::quote(path) + ", but must be the name of a file"};
}

int finish_recording(record::Recording* recording, int code) {
  if (recording == nullptr) return code;
  const auto closed = recording->close();
  if (closed) return code;
  return closed.error().message.empty() ? cli::kCannot : cli::complain(closed.error());
}

}  // namespace forerun::app
