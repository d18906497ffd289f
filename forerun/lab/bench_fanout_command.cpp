// `forerun bench-fanout`: how many watchers one robot's server feeds on this machine.
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

#include "forerun/lab/commands.hpp"
#include "forerun/lab/load_test.hpp"
#include "forerun/load/fanout.hpp"
#include "forerun/net/open_files.hpp"

namespace forerun::lab {
namespace {

nlohmann::ordered_json to_json(const load::FanoutResult& r) {
  return {{"watchers", r.watchers},
          {"rate_hz", r.rate_hz},
          {"delivered_fraction", r.delivered_fraction},
          {"server_cpu_fraction", r.server_cpu_fraction},
          {"send_cost_ratio", r.send_cost_ratio},
          {"memory_per_watcher_bytes", r.memory_per_watcher_bytes},
          {"datagram_cost_us", r.datagram_cost_us},
          {"sendto_cost_us", r.sendto_cost_us}};
}

void print(const load::FanoutResult& r) {
  std::printf("%u watchers at %g Hz: %.3f %% delivered, %.0f %% of one core, %.0f bytes of memory a watcher\n",
              r.watchers, r.rate_hz, r.delivered_fraction * 100, r.server_cpu_fraction * 100,
              r.memory_per_watcher_bytes);
  std::printf("%.2f µs a datagram, %.2f times a bare sendto of as many bytes\n", r.datagram_cost_us, r.send_cost_ratio);
}

}  // namespace

int run_bench_fanout(cli::Arguments arguments) {
  load::FanoutParams params;
  std::string json;
  CLI::App app("Feeds many watchers with encrypted reports over loopback, and measures what that costs.",
               "bench-fanout");
  cli::add_param_option(app, "--watchers", params, "watchers");
  add_load_options(app, params, json);
  app.footer("Example:\n  forerun bench-fanout --watchers 10000 --rate-hz 10 --json -");
  if (const auto code = cli::parse_or_exit(app, arguments)) return *code;
  if (auto allowed = net::allow_open_files(params.watchers + 64u); !allowed) return cli::complain(allowed.error());
  const auto run = [&](const auto& on_progress) { return load::run_fanout(params, on_progress); };
  return run_load_test("fan-out", json, run, print, to_json);
}

}  // namespace forerun::lab
