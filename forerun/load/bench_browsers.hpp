// The browsers of the relay benchmark: a process with many WebSockets that reads whatever comes.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "forerun/load/load_run.hpp"

namespace forerun::load {

inline constexpr std::size_t kLatencyBins = 20000;
inline constexpr double kLatencyBin = 1e-4;  // [s]; the last one holds all that took longer

// Shared between the two processes.
struct BrowserBoard : LoadBoard {
  std::atomic<std::int64_t> longest_ns{0};
  std::array<std::atomic<std::uint32_t>, kLatencyBins> latency{};
};

struct BrowsersSetup {
  std::uint32_t count = 0;
  std::uint16_t port = 0;  // on loopback
  double connections_per_s = 1000;
};

// Runs until the board says quit.
void run_browsers(const BrowsersSetup& setup, BrowserBoard& board);

}  // namespace forerun::load
