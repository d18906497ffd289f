#include "forerun/mobility/matching.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "forerun/base/math.hpp"
#include "forerun/base/random.hpp"

namespace forerun::mobility {
namespace {

double cost(std::span<const Frame> a, std::span<const Frame> b, std::span<const Pair> pairs) {
  double sum = 0;
  for (const Pair& pair : pairs) {
    sum += std::fabs(std::hypot(a[pair.a].x, a[pair.a].z) - std::hypot(b[pair.b].x, b[pair.b].z));
  }
  return sum;
}

// Every way through, for short trajectories.
double brute_force(std::span<const Frame> a, std::span<const Frame> b) {
  std::vector<Pair> way{{0, 0}};
  double best = kInfinity;
  const std::function<void()> go = [&] {
    const Pair here = way.back();
    if (here.a + 1 == a.size() && here.b + 1 == b.size()) best = std::min(best, cost(a, b, way));
    for (const Pair next : {Pair{here.a + 1, here.b}, {here.a, here.b + 1}, {here.a + 1, here.b + 1}}) {
      if (next.a == a.size() || next.b == b.size()) continue;
      way.push_back(next);
      go();
      way.pop_back();
    }
  };
  go();
  return best;
}

std::vector<Frame> draw(Random& random, std::size_t n) {
  std::vector<Frame> frames;
  for (std::size_t i = 0; i < n; ++i) frames.push_back({random.uniform(), random.uniform(), random.uniform()});
  return frames;
}

TEST(Matching, IsTheBestOfAllWays) {
  Random random(1);
  for (int i = 0; i < 200; ++i) {
    const auto a = draw(random, 1 + random.below(6)), b = draw(random, 1 + random.below(6));
    const auto pairs = match(a, b);
    EXPECT_NEAR(cost(a, b, pairs), brute_force(a, b), 1e-12);
    EXPECT_EQ(pairs.front().a + pairs.front().b, 0u);
    EXPECT_EQ(pairs.back().a, a.size() - 1);
    EXPECT_EQ(pairs.back().b, b.size() - 1);
  }
}

// The same drive, half as fast: frame by frame they part, matched they are the same.
TEST(Matching, TimeDoesNotMatter) {
  std::vector<Frame> fast, slow;
  for (int i = 0; i <= 100; ++i) fast.push_back({0.01 * i, 0.002 * i, 0.001 * i});
  for (int i = 0; i <= 200; ++i) slow.push_back({0.005 * i, 0.001 * i, 0.0005 * i});
  const MatchErrors errors = errors_of(fast, slow, match(fast, slow));
  EXPECT_LT(errors.norm_max, 0.006);
  EXPECT_LT(errors.pitch_max, 0.001);
}

TEST(Matching, ErrorsAreMeanAndLargest) {
  const std::vector<Frame> a{{0, 0, 0}, {1, 0, 0.1}}, b{{0, 0, 0.3}, {1, 0, -0.1}};
  const MatchErrors errors = errors_of(a, b, match(a, b));
  EXPECT_NEAR(errors.norm_mean, 0, 1e-12);
  EXPECT_NEAR(errors.pitch_mean, 0.25, 1e-12);
  EXPECT_NEAR(errors.pitch_max, 0.3, 1e-12);
}

TEST(Matching, NothingMatchesNothing) {
  const std::vector<Frame> one(1);
  EXPECT_TRUE(match({}, one).empty());
  EXPECT_TRUE(match(one, {}).empty());
  EXPECT_EQ(errors_of(one, one, {}).norm_max, 0);
}

}  // namespace
}  // namespace forerun::mobility
