// What the commands that load a server have in common: options, progress, Ctrl-C, and a result as text or JSON.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "forerun/app/arguments.hpp"
#include "forerun/app/output.hpp"
#include "forerun/app/terminal.hpp"

namespace forerun::app {

template <class Params>
void add_load_options(CLI::App& app, Params& params, std::string& json) {
  add_param_option(app, "--rate-hz", params, "rate_hz");
  add_param_option(app, "--duration-s", params, "duration_s");
  app.add_option("--json", json, "write the result as JSON to this file; -: standard output");
}

// `run` takes what is told how far it is, and says whether to go on.
template <class Run, class Print, class ToJson>
int run_load_test(const char* name, const std::string& json, const Run& run, const Print& print,
                  const ToJson& to_json) {
  catch_interrupts();
  Progress progress(name);
  const auto result = run([&](double share) {
    progress.update(share);
    return !interrupted();
  });
  if (interrupted()) return kInterrupted;
  if (!result) return complain(result.error());
  if (json.empty()) {
    print(*result);
    return kDone;
  }
  const auto written = write_json(json, to_json(*result));
  return written ? kDone : complain(written.error());
}

}  // namespace forerun::app
