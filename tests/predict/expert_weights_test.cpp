// Who is believed: never much worse than the best in hindsight, whatever the errors do.
#include "forerun/predict/expert_weights.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

#include "forerun/base/random.hpp"

namespace forerun::predict {
namespace {

constexpr std::size_t kExperts = 4;
constexpr ExpertSet kAll = 0b1111;
constexpr double kGap = 2.5;  // one of those that have weights of their own
constexpr double kScale = 0.2;
constexpr double kWhole = kScale * kGap + 0.1;  // the error that counts as a loss of 1 [m]

ExpertWeights::Table even_prior() {
  ExpertWeights::Table table{};
  for (auto& rows : table) {
    for (ExpertRow& row : rows) std::fill_n(row.begin(), kExperts, 1.0 / kExperts);
  }
  return table;
}

ExpertRow no_growth() { return {}; }

using Losses = std::array<double, kExperts>;
// What the adversary does, seeing round and weights.
using Adversary = std::function<Losses(int, const ExpertRow&)>;

struct Game {
  double loss = 0;             // of the weights
  std::vector<Losses> rounds;  // what each expert lost
};

Game play(ExpertWeights weights, int n_rounds, const Adversary& adversary) {
  Game game;
  for (int round = 0; round < n_rounds; ++round) {
    const ExpertRow row = weights.at(0, kGap, kAll);
    const Losses losses = adversary(round, row);
    ExpertWeights::Lesson lesson{0, kGap, {}, kAll, kScale};
    for (std::size_t i = 0; i < kExperts; ++i) {
      game.loss += row[i] * losses[i];
      lesson.errors[i] = losses[i] * kWhole;
    }
    game.rounds.push_back(losses);
    weights.learn(lesson);
  }
  return game;
}

// Of the best expert in each of `n_parts` equal parts of the game.
double best_in_hindsight(const Game& game, int n_parts) {
  const std::size_t length = game.rounds.size() / static_cast<std::size_t>(n_parts);
  double sum = 0;
  for (std::size_t first = 0; first < game.rounds.size(); first += length) {
    Losses losses{};
    for (std::size_t k = first; k < std::min(first + length, game.rounds.size()); ++k) {
      for (std::size_t i = 0; i < kExperts; ++i) losses[i] += game.rounds[k][i];
    }
    sum += *std::min_element(losses.begin(), losses.end());
  }
  return sum;
}

// As docs/decisions.md states it.
double regret_bound(int n_rounds, int n_parts, const WeightParams& params) {
  const double n = kExperts, switches = n_parts - 1;
  return (std::log(n) + switches * std::log(n / params.share) +
          (n_rounds - n_parts) * std::log(1 / (1 - params.share))) /
             params.rate +
         params.rate * n_rounds / 8;
}

TEST(ExpertWeights, RegretIsBoundedWhateverTheErrorsDo) {
  Random random(5, 0);
  const auto hit_the_heaviest = [](int, const ExpertRow& row) {
    Losses losses{};
    losses[static_cast<std::size_t>(std::max_element(row.begin(), row.begin() + kExperts) - row.begin())] = 1;
    return losses;
  };
  const auto one_is_right = [](int round, const ExpertRow&) {
    Losses losses{1, 1, 1, 1};
    losses[static_cast<std::size_t>(round / 60) % kExperts] = 0;
    return losses;
  };
  const auto by_chance = [&](int, const ExpertRow&) {
    return Losses{random.uniform(), random.uniform(), random.uniform(), 0.9 * random.uniform()};
  };
  for (const double rate : {0.3, 1.0, 3.0}) {
    const WeightParams params{.rate = rate, .share = 0.02};
    for (const Adversary& adversary : {Adversary(hit_the_heaviest), Adversary(one_is_right), Adversary(by_chance)}) {
      constexpr int kRounds = 600;
      const Game game = play(ExpertWeights(even_prior(), no_growth(), params), kRounds, adversary);
      for (const int n_parts : {1, 5, 10}) {
        EXPECT_LE(game.loss - best_in_hindsight(game, n_parts), regret_bound(kRounds, n_parts, params))
            << "rate " << rate << ", " << n_parts << " parts";
      }
    }
  }
}

TEST(ExpertWeights, ChangesItsMindWithinAFewLessons) {
  const auto first_two_then_the_third = [](int round, const ExpertRow&) {
    return round < 100 ? Losses{0, 0.5, 1, 1} : Losses{1, 1, 0, 1};
  };
  ExpertWeights weights(even_prior(), no_growth());
  for (int round = 0; round < 110; ++round) {
    const ExpertRow row = weights.at(0, kGap, kAll);
    if (round == 99) {
      EXPECT_GT(row[0], 0.9);
    }
    ExpertWeights::Lesson lesson{0, kGap, {}, kAll, kScale};
    const Losses losses = first_two_then_the_third(round, row);
    for (std::size_t i = 0; i < kExperts; ++i) lesson.errors[i] = losses[i] * kWhole;
    weights.learn(lesson);
  }
  EXPECT_GT(weights.at(0, kGap, kAll)[2], 0.8);
}

TEST(ExpertWeights, AreAllThereIsAndGoStraightBetweenTheGaps) {
  ExpertWeights weights(even_prior(), no_growth());
  weights.learn({0, kGap, {0, 1, 1, 1}, kAll, kScale});
  for (double gap = 0.1; gap < 30; gap *= 1.1) {
    const ExpertRow row = weights.at(0, gap, kAll);
    EXPECT_NEAR(std::accumulate(row.begin(), row.end(), 0.0), 1, 1e-12) << gap;
  }
  const double between = weights.at(0, (2.5 + 4) / 2, kAll)[0];
  EXPECT_NEAR(between, (weights.at(0, 2.5, kAll)[0] + weights.at(0, 4, kAll)[0]) / 2, 1e-12);
}

TEST(ExpertWeights, ALessonCountsMostAtItsOwnGapAndForItsOwnActivity) {
  ExpertWeights weights(even_prior(), no_growth());
  weights.learn({0, 6, {0, 1, 1, 1}, kAll, kScale});
  const auto learned = [&](std::size_t activity, double gap) { return weights.at(activity, gap, kAll)[0] - 0.25; };
  EXPECT_GT(learned(0, 6), learned(0, 2.5));
  EXPECT_GT(learned(0, 2.5), learned(0, 0.5));
  EXPECT_LT(learned(0, 0.25), 0.01);
  EXPECT_GT(learned(1, 6), 0);
  EXPECT_LT(learned(1, 6), learned(0, 6) / 2);
}

// Extrapolation that errs as much as a replica after 6 s has erred far less after 1 s.
TEST(ExpertWeights, ErrorsAreCarriedToOtherGapsAsTheyGrow) {
  ExpertRow growth{};
  growth[0] = 1.75;
  growth[1] = 1;
  ExpertWeights weights(even_prior(), growth);
  for (int i = 0; i < 20; ++i) weights.learn({0, 6, {1, 1, 1, 1}, 0b0011, 0.5});
  EXPECT_NEAR(weights.at(0, 6, 0b0011)[0], 0.5, 1e-9);
  EXPECT_GT(weights.at(0, 2.5, 0b0011)[0], 0.6);
  EXPECT_LT(weights.at(0, 12.5, 0b0011)[0], 0.45);
}

TEST(ExpertWeights, WhoSleepsKeepsItsPlace) {
  ExpertWeights weights(even_prior(), no_growth());
  constexpr ExpertSet kThree = 0b0111;
  for (int i = 0; i < 30; ++i) weights.learn({0, kGap, {0, 1, 1, 1}, kThree, kScale});
  EXPECT_EQ(weights.at(0, kGap, kThree)[3], 0);
  EXPECT_GT(weights.at(0, kGap, kThree)[0], 0.9);
  EXPECT_NEAR(weights.at(0, kGap, kAll)[3], 0.25, 1e-9);
}

TEST(ExpertWeights, NothingIsLearnedWithoutAGap) {
  ExpertWeights weights(even_prior(), no_growth());
  weights.learn({0, 0, {0, 1, 1, 1}, kAll, kScale});
  EXPECT_EQ(weights.at(0, kGap, kAll)[0], 0.25);
}

}  // namespace
}  // namespace forerun::predict
