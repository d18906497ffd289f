// How many watchers one server can feed: real encrypted sessions over real sockets on this machine, each with a socket
// of its own, in another process.
#pragma once

#include <cstdint>

#include "forerun/base/fields.hpp"
#include "forerun/base/result.hpp"
#include "forerun/load/load_run.hpp"

namespace forerun::load {

struct FanoutParams {
  std::uint32_t watchers = 10000;
  double rate_hz = 10;     // reports a second
  double duration_s = 10;  // measured, after all have connected [s]
};

template <class Visit>
void visit_fields(FanoutParams& p, Visit&& visit) {
  visit("watchers", p.watchers, Field{1, 60000, "encrypted sessions, each with a socket of its own"});
  visit("rate_hz", p.rate_hz, Field{0.1, 1000, "reports a second [1/s]"});
  visit("duration_s", p.duration_s, Field{1, 3600, "measured time, after all have connected [s]"});
}

struct FanoutResult {
  std::uint32_t watchers = 0;
  double rate_hz = 0;
  double delivered_fraction = 0;   // of the reports sent to each watcher, those that arrived and were genuine
  double server_cpu_fraction = 0;  // of one core, kernel included
  double send_cost_ratio = 0;      // all CPU time of the server per datagram ÷ that of a bare sendto of as many bytes
  double memory_per_watcher_bytes = 0;
  double datagram_cost_us = 0;
  double sendto_cost_us = 0;
};

[[nodiscard]] Result<FanoutResult> run_fanout(const FanoutParams& params, const LoadProgress& on_progress);

}  // namespace forerun::load
