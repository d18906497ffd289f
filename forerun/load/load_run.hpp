// What the load tests have in common: clients in a second process, reports at a fixed rate, and what arrived and cost.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

#include "forerun/base/result.hpp"
#include "forerun/robot/report.hpp"

namespace forerun::load {

// Shared between the two processes.
struct LoadBoard {
  std::atomic<std::uint32_t> connected{0};    // clients that have heard something
  std::atomic<std::uint32_t> count_from{0};   // reports from this sequence on are counted…
  std::atomic<std::uint32_t> count_until{0};  // … up to before this one
  std::atomic<std::uint64_t> received{0};     // reports counted
  std::atomic<bool> quit{false};
  std::atomic<bool> failed{false};  // a client could not connect

  // True for a report that counts, which it has been then.
  bool count(std::uint32_t sequence) noexcept {
    const bool counts = sequence >= count_from && sequence < count_until;
    if (counts) ++received;
    return counts;
  }
};

// How many are fed, how often and for how long.
struct LoadPlan {
  const char* clients_name = "clients";  // for complaints
  std::uint32_t clients = 0;
  double rate_hz = 10;     // reports a second
  double duration_s = 10;  // measured, after all have connected [s]
};

// The server that is loaded.
class LoadedServer {
 public:
  virtual ~LoadedServer() = default;
  virtual void publish(const robot::Report& report) = 0;
  // Does what else there is to do until this time of our clock [ns].
  virtual void serve_until(std::int64_t time_ns) = 0;
  // From here on it is measured.
  virtual void begin() {}
  // After each report that is measured, and what came in before the next.
  virtual void after_report() {}
  // What comes now only serves to deliver what is under way.
  virtual void end() {}
};

struct LoadFigures {
  double delivered_fraction = 0;  // of all pairs of a client and a report
  double cpu_s = 0;               // of this process, kernel included [s]
  double elapsed_s = 0;           // [s]
  double memory_per_client_bytes = 0;
};

// Gets the share done, and ends the test by giving false.
using LoadProgress = std::function<bool(double share)>;

// Feeds the clients once all have connected.
[[nodiscard]] Result<LoadFigures> run_load(const LoadPlan& plan, LoadedServer& server, LoadBoard& board,
                                           const LoadProgress& on_progress);

}  // namespace forerun::load
