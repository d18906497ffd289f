// The browsers of the relay benchmark: a process with many WebSockets that reads whatever comes.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace forerun::study {

inline constexpr std::size_t kLatencyBins = 20000;
inline constexpr double kLatencyBin = 1e-4;  // [s]; the last one holds all that took longer

// Shared between the two processes.
struct BrowserBoard {
  std::atomic<std::uint32_t> connected{0};    // browsers that were welcomed
  std::atomic<std::uint32_t> count_from{0};   // reports from this sequence on are counted…
  std::atomic<std::uint32_t> count_until{0};  // … up to before this one
  std::atomic<std::uint64_t> received{0};     // reports counted
  std::atomic<std::int64_t> longest_ns{0};
  std::atomic<bool> quit{false};
  std::atomic<bool> failed{false};
  std::array<std::atomic<std::uint32_t>, kLatencyBins> latency{};
};

struct BrowsersSetup {
  std::uint32_t count = 0;
  std::uint16_t port = 0;  // on loopback
  double connections_per_s = 1000;
};

// Runs until the board says quit.
void run_browsers(const BrowsersSetup& setup, BrowserBoard& board);

}  // namespace forerun::study
