// Pieces of work on several threads.
#include "forerun/study/workers.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace forerun::study {
namespace {

TEST(Workers, DoEveryPieceOnce) {
  std::vector<int> done(1000, 0);
  EXPECT_TRUE(for_each_piece(done.size(), [&](std::size_t i) { ++done[i]; }));
  EXPECT_EQ(done, std::vector<int>(1000, 1));
  EXPECT_TRUE(for_each_piece(0, [&](std::size_t) { FAIL(); }));
}

TEST(Workers, TellTheCallerOnItsOwnThreadAndStopWhenItSaysSo) {
  const auto caller = std::this_thread::get_id();
  double last = 0;
  EXPECT_TRUE(for_each_piece(
      50, [](std::size_t) {},
      [&](double share) {
        EXPECT_EQ(std::this_thread::get_id(), caller);
        EXPECT_GE(share, last);
        last = share;
        return true;
      }));
  EXPECT_EQ(last, 1);
  constexpr std::size_t kEndless = std::size_t{1} << 40;
  EXPECT_FALSE(for_each_piece(
      kEndless, [](std::size_t) {}, [](double) { return false; }));
}

}  // namespace
}  // namespace forerun::study
