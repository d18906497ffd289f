#include "tests/support/wait_until.hpp"

#include <chrono>
#include <thread>

namespace forerun::test {

bool wait_until(const std::function<bool()>& reached, const Patience& patience) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  while (!reached()) {
    if (std::chrono::duration<double>(Clock::now() - begin).count() > patience.limit_s) return false;
    std::this_thread::sleep_for(std::chrono::duration<double>(patience.every_s));
  }
  return true;
}

}  // namespace forerun::test
