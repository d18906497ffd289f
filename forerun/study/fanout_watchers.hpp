// The watchers of the fan-out benchmark: a process with many sessions, each on a socket of its own.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "forerun/base/result.hpp"
#include "forerun/sync/address.hpp"
#include "forerun/sync/cipher.hpp"

namespace forerun::study {

// Shared between the two processes.
struct FanoutBoard {
  std::atomic<std::uint32_t> connected{0};    // watchers with a session
  std::atomic<std::uint32_t> count_from{0};   // reports from this sequence on are counted…
  std::atomic<std::uint32_t> count_until{0};  // … up to before this one
  std::atomic<std::uint64_t> received{0};     // reports counted
  std::atomic<std::uint32_t> n_ports{0};      // known below
  std::atomic<bool> quit{false};
  std::atomic<bool> failed{false};
  std::uint16_t ports[1 << 16]{};  // of the watchers' sockets, on loopback
};

struct WatchersSetup {
  std::uint32_t count = 0;
  sync::Address server;
  sync::Key server_key{};
  double greetings_per_s = 1500;
};

// Runs until the board says quit.
void run_watchers(const WatchersSetup& setup, FanoutBoard& board);

}  // namespace forerun::study
