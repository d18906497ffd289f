// The replay window against a slow twin that forgets nothing.
#include "forerun/sync/replay_window.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "forerun/base/random.hpp"

namespace forerun::sync {
namespace {

constexpr std::uint64_t kLargest = (std::uint64_t{1} << 48) - 1;  // the wire carries 48 bits

class SlowWindow {
 public:
  [[nodiscard]] bool fresh(std::uint64_t counter) const {
    if (seen_.empty()) return true;
    const bool too_old = *seen_.rbegin() >= counter + ReplayWindow::kSize;
    return !too_old && seen_.count(counter) == 0;
  }
  void mark(std::uint64_t counter) { seen_.insert(counter); }
  [[nodiscard]] std::uint64_t highest() const { return seen_.empty() ? 0 : *seen_.rbegin(); }

 private:
  std::set<std::uint64_t> seen_;
};

bool accept(ReplayWindow& window, std::uint64_t counter) {
  if (!window.fresh(counter)) return false;
  window.mark(counter);
  return true;
}

// The next counter to try: mostly near the highest one, at times anywhere.
std::uint64_t draw_counter(Random& random, std::uint64_t highest) {
  const std::uint64_t back = random.below(1100);
  switch (random.below(8)) {
    case 0:
      return std::min(kLargest, highest + random.below(70));
    case 1:
      return std::min(kLargest, highest + random.below(3000));
    case 2:
      return random.below(20) == 0 ? random.below(kLargest + 1) : highest;
    case 3:
      return random.below(highest + 1);
    case 4:
      return std::min(kLargest, highest + 1);
    default:
      return highest - std::min(highest, back);
  }
}

TEST(ReplayWindow, DoesWhatTheSlowTwinDoes) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Random random(seed);
    ReplayWindow window;
    SlowWindow slow;
    if (seed % 2 == 1) {  // half the runs begin near the end of the counters
      slow.mark(kLargest - 5000);
      window.mark(kLargest - 5000);
    }
    for (int i = 0; i < 5000; ++i) {
      const std::uint64_t counter = draw_counter(random, slow.highest());
      ASSERT_EQ(window.fresh(counter), slow.fresh(counter)) << "seed " << seed << ", step " << i << ": " << counter;
      // not every fresh datagram proves genuine
      if (slow.fresh(counter) && random.below(4) != 0) {
        window.mark(counter);
        slow.mark(counter);
      }
    }
  }
}

TEST(ReplayWindow, RemembersExactly1024Counters) {
  ReplayWindow window;
  for (const std::uint64_t counter : {5000u, 3977u}) EXPECT_TRUE(accept(window, counter)) << counter;
  EXPECT_FALSE(window.fresh(3977));
  EXPECT_FALSE(window.fresh(3976));
  EXPECT_TRUE(window.fresh(3978));
}

TEST(ReplayWindow, TakesEveryCounterOnceInAnyOrderWithinTheWindow) {
  ReplayWindow window;
  for (std::uint64_t counter = 1024; counter-- > 0;) EXPECT_TRUE(accept(window, counter)) << counter;
  for (std::uint64_t counter = 0; counter < 1024; ++counter) EXPECT_FALSE(accept(window, counter)) << counter;
}

TEST(ReplayWindow, KnowsNothingOfPlacesThatWereSkipped) {
  for (const std::uint64_t jump : {1u, 2u, 63u, 64u, 65u, 128u, 1000u, 1023u, 1024u, 1025u, 5000u}) {
    ReplayWindow window;
    for (std::uint64_t counter = 0; counter < 2048; ++counter) ASSERT_TRUE(accept(window, counter));
    ASSERT_TRUE(accept(window, 2047 + jump));
    for (std::uint64_t skipped = 2048 + (jump > 1024 ? jump - 1024 : 0); skipped < 2047 + jump; ++skipped) {
      EXPECT_TRUE(window.fresh(skipped)) << "jump " << jump << ": " << skipped;
    }
    for (std::uint64_t seen = 0; seen < 2048; ++seen) EXPECT_FALSE(window.fresh(seen)) << "jump " << jump;
  }
}

TEST(ReplayWindow, TheLargestCountersDoNotWrap) {
  ReplayWindow window;
  EXPECT_TRUE(accept(window, kLargest));
  EXPECT_FALSE(accept(window, kLargest));
  EXPECT_FALSE(accept(window, 0));
  EXPECT_TRUE(accept(window, UINT64_MAX - 1));
  EXPECT_FALSE(accept(window, UINT64_MAX));
  EXPECT_FALSE(accept(window, UINT64_MAX - 1));
}

TEST(ReplayWindow, IsSmall) { EXPECT_LE(sizeof(ReplayWindow), 136u); }

}  // namespace
}  // namespace forerun::sync
