// What the commands that load a server have in common: options, progress, Ctrl-C, and a result as text or JSON.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "forerun/cli/arguments.hpp"
#include "forerun/cli/output.hpp"
#include "forerun/cli/terminal.hpp"

namespace forerun::lab {

template <class Params>
void add_load_options(CLI::App& app, Params& params, std::string& json) {
  cli::add_param_option(app, "--rate-hz", params, "rate_hz");
  cli::add_param_option(app, "--duration-s", params, "duration_s");
  app.add_option("--json", json, "write the result as JSON to this file; -: standard output");
}

// `run` takes what is told how far it is, and says whether to go on.
template <class Run, class Print, class ToJson>
int run_load_test(const char* name, const std::string& json, const Run& run, const Print& print,
                  const ToJson& to_json) {
  cli::catch_interrupts();
  cli::Progress progress(name);
  const auto result = run([&](double share) {
    progress.update(share);
    return !cli::interrupted();
  });
  if (cli::interrupted()) return cli::kInterrupted;
  if (!result) return cli::complain(result.error());
  if (json.empty()) {
    print(*result);
    return cli::kDone;
  }
  const auto written = cli::write_json(json, to_json(*result));
  return written ? cli::kDone : cli::complain(written.error());
}

}  // namespace forerun::lab
