// The watchers of the fan-out benchmark: a process with many sessions, each on a socket of its own.
#pragma once

#include <cstdint>

#include "forerun/load/load_run.hpp"
#include "forerun/sync/address.hpp"
#include "forerun/sync/cipher.hpp"

namespace forerun::load {

// Shared between the two processes.
struct FanoutBoard : LoadBoard {
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

}  // namespace forerun::load
