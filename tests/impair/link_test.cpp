// Each effect of a link, measured over many datagrams against what the profile says.
#include "forerun/impair/link.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/support/allocation_counter.hpp"

namespace forerun::impair {
namespace {

constexpr int kMany = 200000;

struct Fate {
  Duration sent;
  FixedVector<Duration, 2> delays;

  [[nodiscard]] bool arrived() const { return !delays.empty(); }
  [[nodiscard]] double delay() const { return to_seconds(delays[0]); }
  [[nodiscard]] Duration arrival() const { return sent + delays[0]; }
};

LinkProfile both(const LinkPath& path) {
  LinkProfile profile;
  profile.up = profile.down = path;
  return profile;
}

std::vector<Fate> send(const LinkProfile& profile, int count, double interval_s, std::uint64_t seed = 1,
                       Way way = Way::up, std::size_t bytes = 100) {
  Link link(profile, way, seed);
  std::vector<Fate> fates;
  for (int i = 0; i < count; ++i) {
    const Duration now = from_seconds(i * interval_s);
    fates.push_back({now, link.carry(now, bytes)});
  }
  return fates;
}

std::vector<double> delays_of(const std::vector<Fate>& fates) {
  std::vector<double> delays;
  for (const Fate& fate : fates) {
    if (fate.arrived()) delays.push_back(fate.delay());
  }
  return delays;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double correlation(const std::vector<double>& values, std::size_t lag) {
  const double centre = mean(values);
  double shared = 0, alone = 0;
  for (std::size_t i = 0; i + lag < values.size(); ++i) {
    shared += (values[i] - centre) * (values[i + lag] - centre);
    alone += (values[i] - centre) * (values[i] - centre);
  }
  return shared / alone;
}

double share_lost(const std::vector<Fate>& fates) {
  const auto lost = std::count_if(fates.begin(), fates.end(), [](const Fate& fate) { return !fate.arrived(); });
  return static_cast<double>(lost) / static_cast<double>(fates.size());
}

// Pairs of neighbours among those that arrived that have changed their order.
int overtakings(const std::vector<Fate>& fates) {
  int count = 0;
  Duration latest;
  for (const Fate& fate : fates) {
    if (!fate.arrived()) continue;
    if (fate.arrival() < latest) ++count;
    latest = std::max(latest, fate.arrival());
  }
  return count;
}

// Four standard deviations of a share measured over `n` independent trials.
double four_sigma(double share, double n) { return 4 * std::sqrt(share * (1 - share) / n); }

LinkPath everything() {
  return {.delay = 0.05,
          .jitter = 0.03,
          .jitter_correlation = 0.2,
          .jump_every = 5,
          .jump = 0.1,
          .loss = 0.05,
          .burst_good = 3,
          .burst_bad = 0.5,
          .reorder = 0.05,
          .duplicate = 0.05,
          .rate = 200000,
          .queue = 4000};
}

TEST(Link, AFreshOneCarriesAllAtOnce) {
  for (const Fate& fate : send(LinkProfile{}, 1000, 0.01)) {
    ASSERT_EQ(fate.delays.size(), 1u);
    EXPECT_EQ(fate.delays[0].ns, 0);
  }
}

TEST(Link, TheSmallestDelayIsExact) {
  for (const Fate& fate : send(both({.delay = 0.123}), 1000, 0.01)) EXPECT_EQ(fate.delays[0], from_seconds(0.123));
}

TEST(Link, LosesItsShareIndependently) {
  const auto fates = send(both({.loss = 0.3}), kMany, 0.01);
  EXPECT_NEAR(share_lost(fates), 0.3, four_sigma(0.3, kMany));
  int pairs = 0;
  for (int i = 1; i < kMany; ++i) pairs += !fates[i].arrived() && !fates[i - 1].arrived();
  EXPECT_NEAR(static_cast<double>(pairs) / kMany, 0.09, 2 * four_sigma(0.09, kMany));
}

TEST(Link, JitterIsExponentialAndRemembersForItsTime) {
  // sent far enough apart that the order forces nobody to wait
  const auto far = delays_of(send(both({.delay = 0.1, .jitter = 0.02, .jitter_correlation = 0.5}), kMany, 1));
  EXPECT_GE(*std::min_element(far.begin(), far.end()), 0.1);
  EXPECT_NEAR(mean(far), 0.12, 0.0004);
  const auto above = std::count_if(far.begin(), far.end(), [](double d) { return d > 0.1 + 3 * 0.02; });
  EXPECT_NEAR(static_cast<double>(above) / kMany, std::exp(-3), 0.004);
  EXPECT_NEAR(correlation(far, 1), std::exp(-2), 0.02);

  const auto near = delays_of(send(both({.delay = 0.1, .jitter = 0.0002, .jitter_correlation = 0.5}), kMany, 0.05));
  EXPECT_NEAR(correlation(near, 1), std::exp(-0.1), 0.02);
  EXPECT_NEAR(correlation(near, 10), std::exp(-1), 0.05);
}

TEST(Link, JitterDoesNotReorder) {
  const LinkPath path{.delay = 0.05, .jitter = 0.1, .jitter_correlation = 0.02, .jump_every = 1, .jump = 0.5};
  EXPECT_EQ(overtakings(send(both(path), kMany, 0.005)), 0);
}

TEST(Link, NeverExceedsTheLargestDelay) {
  LinkPath path{.delay = 0.04, .jitter = 0.2, .max_delay = 0.3, .reorder = 0.2, .reorder_hold = 1};
  const auto delays = delays_of(send(both(path), kMany, 0.01));
  EXPECT_LE(*std::max_element(delays.begin(), delays.end()), 0.3 + 1e-9);
  EXPECT_GT(std::count_if(delays.begin(), delays.end(), [](double d) { return d > 0.3 - 1e-9; }), kMany / 20);
}

TEST(Link, BurstsHaveTheirLengthsAndShares) {
  const auto fates = send(both({.burst_good = 2, .burst_bad = 0.5}), kMany, 0.01);
  EXPECT_NEAR(share_lost(fates), 0.2, 0.03);
  int bursts = 0;
  for (int i = 1; i < kMany; ++i) bursts += !fates[i].arrived() && fates[i - 1].arrived();
  // as seen every 10 ms: 0.8 · 0.2 · (1 − exp(−0.01 (1/2 + 1/0.5))) a step, with the spread of a renewal process
  const double expected = kMany * 0.16 * (1 - std::exp(-0.025));
  EXPECT_NEAR(bursts, expected, 4 * std::sqrt(expected * 0.68));
}

TEST(Link, BurstsLoseAsEachStateSays) {
  const LinkPath path{.burst_good = 1, .burst_bad = 1, .burst_good_loss = 0.1, .burst_bad_loss = 0.7};
  EXPECT_NEAR(share_lost(send(both(path), kMany, 1)), 0.4, 0.01);
}

TEST(Link, BurstsDoNotDependOnHowOftenTheLinkIsAsked) {
  const LinkPath path{.burst_good = 2, .burst_bad = 0.5};
  EXPECT_NEAR(share_lost(send(both(path), kMany, 0.2)), 0.2, 0.01);
  EXPECT_NEAR(share_lost(send(both(path), kMany, 100)), 0.2, four_sigma(0.2, kMany));
}

TEST(Link, HoldsBackItsShare) {
  const LinkPath path{.delay = 0.05, .reorder = 0.1, .reorder_hold = 0.05};
  const auto fates = send(both(path), kMany, 0.1);  // nobody is overtaken at such intervals
  int held = 0;
  for (const Fate& fate : fates) {
    held += fate.delay() > 0.05 + 1e-9;
    EXPECT_LE(fate.delay(), 0.1);
  }
  EXPECT_NEAR(held / static_cast<double>(kMany), 0.1, four_sigma(0.1, kMany));
  EXPECT_EQ(overtakings(fates), 0);
  // half of them are held back for longer than the interval, and nearly none of those stands before another such one
  EXPECT_NEAR(overtakings(send(both(path), kMany, 0.025)) / static_cast<double>(kMany), 0.05, 0.006);
}

TEST(Link, DoublesItsShare) {
  const LinkPath path{.delay = 0.05, .duplicate = 0.2, .duplicate_lag = 0.01};
  int doubled = 0;
  double lag = 0;
  for (const Fate& fate : send(both(path), kMany, 0.1)) {
    if (fate.delays.size() < 2) continue;
    ++doubled;
    lag += to_seconds(fate.delays[1] - fate.delays[0]);
    EXPECT_GE(fate.delays[1], fate.delays[0]);
  }
  EXPECT_NEAR(doubled / static_cast<double>(kMany), 0.2, four_sigma(0.2, kMany));
  EXPECT_NEAR(lag / doubled, 0.005, 0.0001);
}

TEST(Link, CopiesComeAfterLaterDatagramsOnlyWhereThePathReorders) {
  for (const double reorder : {0.0, 1e-12}) {
    const LinkPath path{.reorder = reorder, .duplicate = 0.5, .duplicate_lag = 0.1};
    int late = 0;
    Duration copy;
    for (const Fate& fate : send(both(path), 10000, 0.01)) {
      late += fate.arrival() < copy;
      copy = std::max(copy, fate.sent + fate.delays[fate.delays.size() - 1]);
    }
    EXPECT_EQ(late > 0, reorder > 0);
  }
}

TEST(Link, TheBottleneckTakesItsTimePerByte) {
  // 8000 bit/s: a kilobyte a second
  const LinkProfile profile = both({.delay = 0.5, .rate = 8000, .queue = 3000});
  Link link(profile, Way::up, 1);
  const Duration now = from_seconds(10);
  EXPECT_EQ(link.carry(now, 1000)[0], from_seconds(1.5));
  EXPECT_EQ(link.carry(now, 500)[0], from_seconds(2.0));
  EXPECT_EQ(link.carry(now, 1500)[0], from_seconds(3.5));
  EXPECT_TRUE(link.carry(now, 1).empty()) << "the queue is full";
  // a second later a kilobyte has left
  const Duration later = now + from_seconds(1);
  EXPECT_TRUE(link.carry(later, 1001).empty());
  EXPECT_EQ(link.carry(later, 1000)[0], from_seconds(3.5));
}

TEST(Link, TheBottleneckKeepsOrderAndBytes) {
  const LinkProfile profile = both({.rate = 80000, .queue = 5000});  // ten kilobytes a second
  const auto fates = send(profile, 20000, 0.01, 1, Way::up, 200);    // twice as much
  EXPECT_EQ(overtakings(fates), 0);
  const auto carried = static_cast<double>(delays_of(fates).size()) * 200;
  EXPECT_NEAR(carried, 10000 * 200.0, 5000 + 200) << "its rate, and what is left in the queue";
  const auto delays = delays_of(fates);
  EXPECT_LE(*std::max_element(delays.begin(), delays.end()), 0.5 + 1e-9);
}

TEST(Link, BlackoutsDropExactlyWhatIsSentInThem) {
  LinkProfile profile;
  profile.blackouts = {{.at = 5, .length = 2}, {.at = 10, .every = 20, .length = 1}};
  for (const Way way : {Way::up, Way::down}) {
    for (const Fate& fate : send(profile, 7000, 0.01, 1, way)) {
      const std::int64_t ms = fate.sent.ns / 1'000'000;
      const bool once = ms >= 5000 && ms < 7000;
      const bool again = ms >= 10000 && (ms - 10000) % 20000 < 1000;
      EXPECT_EQ(fate.arrived(), !once && !again) << ms;
    }
  }
}

TEST(Link, ThePathJumpsAsOftenAndAsFarAsItShould) {
  const LinkPath path{.delay = 0.1, .jump_every = 10, .jump = 0.05};
  const auto delays = delays_of(send(both(path), kMany, 0.1));
  int jumps = 0;
  for (std::size_t i = 1; i < delays.size(); ++i) jumps += std::abs(delays[i] - delays[i - 1]) > 1e-9;
  EXPECT_NEAR(jumps, kMany * 0.1 / 10, 4 * std::sqrt(2000.0));
  EXPECT_GE(*std::min_element(delays.begin(), delays.end()), 0.1);
  EXPECT_LE(*std::max_element(delays.begin(), delays.end()), 0.15);
  EXPECT_NEAR(mean(delays), 0.125, 0.005);
}

TEST(Link, PlaysARecordingAtItsTimesAndOverAgain) {
  LinkProfile profile;
  profile.trace = {{0, 0.1}, {1, 0.3}, {3, 20.0}};
  profile.trace_length = 4;
  profile.trace_split = 0.25;
  Link up(profile, Way::up, 1), down(profile, Way::down, 1);
  for (const double loop : {0.0, 4.0, 400.0}) {
    EXPECT_EQ(up.carry(from_seconds(loop + 0.5), 100)[0], from_seconds(0.025));
    EXPECT_EQ(down.carry(from_seconds(loop + 0.5), 100)[0], from_seconds(0.075));
    EXPECT_EQ(up.carry(from_seconds(loop + 1), 100)[0], from_seconds(0.075));
    EXPECT_EQ(down.carry(from_seconds(loop + 2.9), 100)[0], from_seconds(0.225));
    EXPECT_TRUE(up.carry(from_seconds(loop + 3), 100).empty()) << "longer than 10 s: a disconnection";
  }
}

TEST(Link, ARecordingDoesNotReorder) {
  LinkProfile profile;
  profile.trace = {{0, 0.4}, {0.1, 0.02}};
  profile.trace_length = 0.2;
  const auto fates = send(profile, 1000, 0.03);
  EXPECT_EQ(overtakings(fates), 0);
  EXPECT_EQ(fates[4].arrival(), from_seconds(0.29)) << "waits for the one of 0.09 s";
}

TEST(Link, SameSeedSameFateAndAnotherSeedAnother) {
  const LinkProfile profile = both(everything());
  const auto first = send(profile, 5000, 0.01, 7);
  const auto second = send(profile, 5000, 0.01, 7);
  const auto other = send(profile, 5000, 0.01, 8);
  int differing = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    ASSERT_EQ(first[i].delays.size(), second[i].delays.size());
    for (std::size_t k = 0; k < first[i].delays.size(); ++k) EXPECT_EQ(first[i].delays[k], second[i].delays[k]);
    differing += first[i].delays.size() != other[i].delays.size();
  }
  EXPECT_GT(differing, 100);
}

TEST(Link, UpAndDownAreIndependent) {
  const LinkProfile profile = both({.loss = 0.3});
  const auto up = send(profile, kMany, 0.01, 1, Way::up), down = send(profile, kMany, 0.01, 1, Way::down);
  int together = 0;
  for (int i = 0; i < kMany; ++i) together += !up[i].arrived() && !down[i].arrived();
  EXPECT_NEAR(static_cast<double>(together) / kMany, 0.09, four_sigma(0.09, kMany));
}

TEST(Link, EachWayHasItsOwnPath) {
  LinkProfile profile;
  profile.up.delay = 0.1;
  profile.down.delay = 0.2;
  EXPECT_EQ(send(profile, 1, 1, 1, Way::up)[0].delays[0], from_seconds(0.1));
  EXPECT_EQ(send(profile, 1, 1, 1, Way::down)[0].delays[0], from_seconds(0.2));
}

TEST(Link, AnEffectLeavesTheChanceOfTheOthersAsItWas) {
  const auto alone = send(both({.delay = 0.1, .loss = 0.3}), 5000, 0.5);
  const auto among = send(
      both({.delay = 0.1, .jitter = 0.01, .jump_every = 3, .jump = 0.1, .loss = 0.3, .reorder = 0.1, .duplicate = 0.1}),
      5000, 0.5);
  for (std::size_t i = 0; i < alone.size(); ++i) EXPECT_EQ(alone[i].arrived(), among[i].arrived());
}

TEST(Link, TheSameTimeMayComeAgainAndAgain) {
  const LinkProfile profile = both(everything());
  Link link(profile, Way::down, 3);
  for (int i = 0; i < 10000; ++i) {
    const auto delays = link.carry(from_seconds(i / 100), 50);
    for (const Duration delay : delays) EXPECT_GE(delay.ns, 0);
  }
}

TEST(Link, TheStatedMeanDelayIsTheMeasuredOne) {
  LinkPath path{.delay = 0.1, .jitter = 0.05, .max_delay = 0.25, .jump_every = 5, .jump = 0.02};
  LinkProfile profile = both(path);
  EXPECT_NEAR(mean(delays_of(send(profile, kMany, 1))), mean_delay(profile, Way::up), 0.0015);
  profile = both({.delay = 0.1, .reorder = 0.2, .reorder_hold = 0.3});
  EXPECT_NEAR(mean(delays_of(send(profile, kMany, 1))), mean_delay(profile, Way::up), 0.001);
  profile = {};
  profile.trace = {{0, 0.1}, {1, 0.3}, {3, 20.0}};
  profile.trace_length = 4;
  EXPECT_NEAR(mean_delay(profile, Way::down), 0.5 * (0.1 + 2 * 0.3) / 3, 1e-12);
}

TEST(Link, CarryingAllocatesNothing) {
  LinkProfile profile = both(everything());
  profile.trace = {{0, 0.1}, {1, 0.3}};
  profile.trace_length = 2;
  profile.blackouts = {{.at = 5, .length = 2}};
  Link link(profile, Way::up, 1);
  const AllocationCounter counter;
  for (int i = 0; i < 1000; ++i) (void)link.carry(from_seconds(i * 0.01), 100);
  EXPECT_EQ(counter.count(), 0u);
}

}  // namespace
}  // namespace forerun::impair
