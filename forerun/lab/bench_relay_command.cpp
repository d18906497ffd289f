// `forerun bench-relay`: how many browsers one relay feeds on this machine.
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

#include "forerun/lab/commands.hpp"
#include "forerun/lab/load_test.hpp"
#include "forerun/load/relay_bench.hpp"
#include "forerun/net/open_files.hpp"

namespace forerun::lab {
namespace {

nlohmann::ordered_json to_json(const load::RelayBenchResult& r) {
  return {{"browsers", r.browsers},
          {"rate_hz", r.rate_hz},
          {"delivered_fraction", r.delivered_fraction},
          {"server_cpu_fraction", r.server_cpu_fraction},
          {"latency_ms_p50", r.latency_ms_p50},
          {"latency_ms_p99", r.latency_ms_p99},
          {"latency_ms_max", r.latency_ms_max},
          {"memory_per_browser_kib", r.memory_per_browser_kib}};
}

void print(const load::RelayBenchResult& r) {
  std::printf("%u browsers at %g Hz: %.3f %% delivered, %.0f %% of one core, %.1f KiB of memory a browser\n",
              r.browsers, r.rate_hz, r.delivered_fraction * 100, r.server_cpu_fraction * 100, r.memory_per_browser_kib);
  std::printf("from the report to the browser: %.1f ms half of the time, %.1f ms at most in 99 of 100, %.1f ms ever\n",
              r.latency_ms_p50, r.latency_ms_p99, r.latency_ms_max);
}

}  // namespace

int run_bench_relay(cli::Arguments arguments) {
  load::RelayBenchParams params;
  std::string json;
  CLI::App app("Feeds many browsers with reports over WebSockets on loopback, and measures what that costs.",
               "bench-relay");
  cli::add_param_option(app, "--browsers", params, "browsers");
  add_load_options(app, params, json);
  app.footer("Example:\n  forerun bench-relay --browsers 2000 --rate-hz 10 --json -");
  if (const auto code = cli::parse_or_exit(app, arguments)) return *code;
  if (auto allowed = net::allow_open_files(params.browsers + 128u); !allowed) return cli::complain(allowed.error());
  const auto run = [&](const auto& on_progress) { return load::run_relay_bench(params, on_progress); };
  return run_load_test("relay", json, run, print, to_json);
}

}  // namespace forerun::lab
