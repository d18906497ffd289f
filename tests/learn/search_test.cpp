// The search that fitting uses.
#include "forerun/learn/search.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace forerun::learn {
namespace {

double squared_log(double value, double best) { return std::pow(std::log(value / best), 2); }

TEST(Search, FindsTheBottomOfAValley) {
  const std::array<Unknown, 3> unknowns{{{1, 0.01, 10}, {1, 0.01, 10}, {1, 0.01, 10}}};
  const Found found =
      search(unknowns,
             [](std::span<const double> v) {
               return Costs{0.1 + squared_log(v[0], 1.4) + squared_log(v[1], 0.6) + squared_log(v[2], v[0])};
             },
             {.last_step = 0.005, .least_gain = 1e-5, .most_costs = 1000});
  EXPECT_FALSE(found.stopped);
  EXPECT_NEAR(found.values[0], 1.4, 0.02);
  EXPECT_NEAR(found.values[1], 0.6, 0.01);
  EXPECT_NEAR(found.values[2], 1.4, 0.02);
  EXPECT_LT(found.n_costs, 1000);
}

TEST(Search, StaysWithinTheRange) {
  const std::array<Unknown, 2> unknowns{{{1, 0.8, 1.2}, {5, 0.8, 1.2}}};
  const Found found = search(unknowns, [](std::span<const double> v) {
    EXPECT_GE(v[0], 0.8);
    EXPECT_LE(v[1], 1.2);
    return Costs{1 + v[0] - 0.5 * v[1]};
  });
  EXPECT_EQ(found.values, (std::vector<double>{0.8, 1.2}));
}

TEST(Search, TakesNoStepThatOnePartOfTheDataSpeaksAgainst) {
  const std::array<Unknown, 2> unknowns{{{1, 0.1, 10}, {1, 0.1, 10}}};
  const Found found = search(unknowns, [](std::span<const double> v) {
    // both want less of the second parameter; only one of them, though strongly, more of the first
    return Costs{9 / v[0] + v[1], 1 + v[0] + v[1]};
  });
  EXPECT_EQ(found.values[0], 1);
  EXPECT_LT(found.values[1], 0.7);
}

TEST(Search, TakesNoStepForLittleGain) {
  const std::array<Unknown, 1> unknowns{{{1, 0.1, 10}}};
  const Found found = search(unknowns, [](std::span<const double> v) { return Costs{1 + 0.01 * v[0]}; });
  EXPECT_EQ(found.values[0], 1);
}

TEST(Search, EndsWhenAskedToAndKeepsTheBestSoFar) {
  const std::array<Unknown, 1> unknowns{{{1, 0.1, 10}}};
  int n = 0;
  const Found found = search(unknowns, [&](std::span<const double> v) -> std::optional<Costs> {
    return ++n < 5 ? std::optional(Costs{v[0]}) : std::nullopt;
  });
  EXPECT_TRUE(found.stopped);
  EXPECT_EQ(n, 5);
  EXPECT_LT(found.values[0], 1);
}

TEST(Search, GivesUpAfterSoManyCosts) {
  const std::array<Unknown, 1> unknowns{{{1, 1e-6, 10}}};
  int n = 0;
  const Found found = search(unknowns,
                             [&](std::span<const double> v) {
                               ++n;
                               return Costs{v[0]};
                             },
                             {.most_costs = 20});
  EXPECT_EQ(n, 20);
  EXPECT_EQ(found.n_costs, 20);
}

}  // namespace
}  // namespace forerun::learn
