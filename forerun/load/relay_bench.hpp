// How many browsers one page server can feed: real WebSockets on this machine, the browsers in another process.
#pragma once

#include <cstdint>

#include "forerun/base/fields.hpp"
#include "forerun/base/result.hpp"
#include "forerun/load/load_run.hpp"

namespace forerun::load {

struct RelayBenchParams {
  std::uint32_t browsers = 2000;
  double rate_hz = 10;     // reports a second
  double duration_s = 10;  // measured, after all have connected [s]
};

template <class Visit>
void visit_fields(RelayBenchParams& p, Visit&& visit) {
  visit("browsers", p.browsers, Field{1, 20000, "WebSocket connections"});
  visit("rate_hz", p.rate_hz, Field{0.1, 1000, "reports a second [1/s]"});
  visit("duration_s", p.duration_s, Field{1, 3600, "measured time, after all have connected [s]"});
}

struct RelayBenchResult {
  std::uint32_t browsers = 0;
  double rate_hz = 0;
  double delivered_fraction = 0;   // of all pairs of a browser and a report
  double server_cpu_fraction = 0;  // of one core, kernel included
  double latency_ms_p50 = 0;       // from the report to the browser's program
  double latency_ms_p99 = 0;
  double latency_ms_max = 0;
  double memory_per_browser_kib = 0;  // of the server's program
};

[[nodiscard]] Result<RelayBenchResult> run_relay_bench(const RelayBenchParams& params, const LoadProgress& on_progress);

}  // namespace forerun::load
