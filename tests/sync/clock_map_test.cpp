#include "forerun/sync/clock_map.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "forerun/base/random.hpp"
#include "tests/support/allocation_counter.hpp"

namespace forerun::sync {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kMillisecond = 1'000'000;

static_assert(!std::is_convertible_v<RobotTime, OperatorTime>);
static_assert(std::is_same_v<decltype(std::declval<OperatorsClockMap>().to_remote(OperatorTime{}).time), RobotTime>);
static_assert(std::is_same_v<decltype(std::declval<RobotsClockMap>().to_remote(RobotTime{}).time), OperatorTime>);

// Two clocks and a path between them whose queues are drawn at random.
struct Path {
  std::int64_t out = 20 * kMillisecond;
  std::int64_t home = 20 * kMillisecond;
  double jitter = 0;  // mean of each way's queueing [ns]
  std::int64_t local_zero = 0;
  std::int64_t remote_zero = 0;
  double remote_drift = 0;
  Random random{7};

  std::int64_t local(std::int64_t time) const { return local_zero + time; }
  std::int64_t remote(std::int64_t time) const {
    return remote_zero + time + static_cast<std::int64_t>(std::llround(remote_drift * static_cast<double>(time)));
  }
  std::int64_t offset(std::int64_t time) const { return remote(time) - local(time); }
  std::int64_t queue() { return jitter > 0 ? static_cast<std::int64_t>(-jitter * std::log(1 - random.uniform())) : 0; }
  // Sent at a true time; `held` for some time at the other side.
  RawExchange exchange(std::int64_t time, std::int64_t held = 3 * kMillisecond) {
    const std::int64_t received = time + out + queue();
    const std::int64_t back = received + held + home + queue();
    return {local(time), remote(received), remote(received + held), local(back)};
  }
};

void talk(ClockFilter& filter, Path& path, double from_s, double to_s, double every_s = 1) {
  for (double t = from_s; t < to_s; t += every_s) filter.add(path.exchange(from_seconds(t).ns));
}

// How far the filter is off at a true time [ms].
double error_ms(const ClockFilter& filter, const Path& path, double time_s) {
  const std::int64_t time = from_seconds(time_s).ns;
  return static_cast<double>(filter.whole_offset_at(path.local(time)) - path.offset(time)) * 1e-6;
}

TEST(ClockFilter, IsExactOverASymmetricConstantPath) {
  // clocks that begin at boot and in 1970
  for (const std::int64_t zero : {std::int64_t{0}, std::int64_t{123'456'789}, 1'700'000'000 * kSecond + 321}) {
    Path path{.remote_zero = zero};
    ClockFilter filter;
    EXPECT_FALSE(filter.ready());
    talk(filter, path, 0, 1);
    ASSERT_TRUE(filter.ready());
    EXPECT_NEAR(error_ms(filter, path, 0.5), 0, 2e-6);
    talk(filter, path, 1, 600);
    EXPECT_NEAR(error_ms(filter, path, 600), 0, 2e-6);
    EXPECT_LT(filter.uncertainty_at(path.local(600 * kSecond)), 1e5);
    EXPECT_NEAR(filter.drift(), 0, 1e-9);
    EXPECT_NEAR(filter.round_trip(), 40e6, 1);
  }
}

TEST(ClockFilter, IsOffByHalfOfAConstantAsymmetry) {
  Path path{.out = 70 * kMillisecond, .home = 20 * kMillisecond, .remote_zero = -5 * kSecond};
  ClockFilter filter;
  talk(filter, path, 0, 300);
  EXPECT_NEAR(error_ms(filter, path, 300), 25, 1e-5);
}

TEST(ClockFilter, FollowsAClockThatIsShifted) {
  const std::int64_t shift = 86'400 * kSecond + 17;
  Path path{.jitter = 8e6};
  Path other = path;
  other.remote_zero += shift;
  other.local_zero -= 3 * shift;
  ClockFilter filter;
  ClockFilter others;
  talk(filter, path, 0, 200);
  talk(others, other, 0, 200);
  const std::int64_t now = 200 * kSecond;
  const std::int64_t moved = others.whole_offset_at(other.local(now)) - filter.whole_offset_at(path.local(now));
  EXPECT_NEAR(static_cast<double>(moved - 4 * shift), 0, 2);
  EXPECT_NEAR(others.uncertainty_at(other.local(now)), filter.uncertainty_at(path.local(now)), 1);
}

TEST(ClockFilter, SeesTheOppositeFromTheOtherSide) {
  // datagrams go to and fro without end, so each side sees whole exchanges
  Path path{.jitter = 5e6, .remote_zero = 42 * kSecond, .remote_drift = 50e-6};
  ClockFilter ours;
  ClockFilter theirs;
  RawExchange last{};
  for (int i = 0; i < 400; ++i) {
    const RawExchange e = path.exchange(i * kSecond / 2);
    ours.add(e);
    if (i > 0) theirs.add({last.answered, last.back, e.sent, e.received});
    last = e;
  }
  const std::int64_t now = 200 * kSecond;
  const double there = ours.offset_at(path.local(now));
  const double and_back = theirs.offset_at(path.remote(now));
  const double allowed = ours.uncertainty_at(path.local(now)) + theirs.uncertainty_at(path.remote(now));
  EXPECT_NEAR(there + and_back, 0, allowed);
  EXPECT_LT(allowed, 20e6);
  EXPECT_NEAR(theirs.drift(), -50e-6, 10e-6);
}

TEST(ClockFilter, FindsTheDrift) {
  for (const double drift : {-400e-6, -200e-6, 3e-6, 200e-6, 400e-6}) {
    Path path{.jitter = 5e6, .remote_drift = drift};
    ClockFilter filter;
    talk(filter, path, 0, 600);
    EXPECT_NEAR(filter.drift(), drift, 3e-6);
    // and looks ahead through half a minute of silence
    EXPECT_NEAR(error_ms(filter, path, 630), 0, 6);
  }
}

TEST(ClockFilter, BecomesLessCertainInSilence) {
  Path path{.jitter = 5e6};
  ClockFilter filter;
  talk(filter, path, 0, 60);
  const double then = filter.uncertainty_at(path.local(60 * kSecond));
  EXPECT_GT(filter.uncertainty_at(path.local(600 * kSecond)), then + 1e5);
}

TEST(ClockFilter, FindsAClockThatWasSetWithinAFewExchanges) {
  for (const double step_s : {-90.0, -1.0, -0.1, -0.015, 0.015, 0.1, 1.0, 90.0}) {
    for (const bool local : {false, true}) {
      Path path{.jitter = 1e6, .remote_zero = 7 * kSecond, .remote_drift = 100e-6};
      ClockFilter filter;
      talk(filter, path, 0, 120, 0.5);
      EXPECT_EQ(filter.steps(), 0U);
      (local ? path.local_zero : path.remote_zero) += from_seconds(step_s).ns;
      talk(filter, path, 120, 123, 0.5);
      EXPECT_EQ(filter.steps(), 1U) << step_s << local;
      EXPECT_NEAR(error_ms(filter, path, 123), 0, 2) << step_s << local;
      // what was learned of the rate stays
      EXPECT_NEAR(filter.drift(), 100e-6, 20e-6) << step_s << local;
      talk(filter, path, 123, 200, 0.5);
      EXPECT_EQ(filter.steps(), 1U) << step_s << local;
    }
  }
}

TEST(ClockFilter, IsNotMovedByAStragglerInASilence) {
  Path path{.jitter = 1e6, .remote_drift = 100e-6};
  ClockFilter filter;
  talk(filter, path, 0, 300, 0.1);
  // nothing passes for half a minute, but for one datagram that was held back for 20 s, each way in turn
  for (const bool outward : {true, false}) {
    RawExchange late = path.exchange(295 * kSecond);
    (outward ? late.received : late.back) += 20 * kSecond;
    late.answered = late.received + 3 * kMillisecond;
    if (outward) late.back += 20 * kSecond;
    ClockFilter told = filter;
    told.add(late);
    for (double t = 316; t < 330; t += 1) EXPECT_LT(std::abs(error_ms(told, path, t)), 1.5) << outward << t;
    EXPECT_LT(told.uncertainty_at(path.local(325 * kSecond)), 5e6) << outward;
    EXPECT_EQ(told.steps(), 0U);
  }
}

TEST(ClockFilter, FindsAStepThatHappenedInASilence) {
  for (const double step_s : {-2.0, -0.05, 0.05, 2.0}) {
    Path path{.jitter = 1e6, .remote_drift = 100e-6};
    ClockFilter filter;
    talk(filter, path, 0, 300, 0.1);
    path.remote_zero += from_seconds(step_s).ns;
    talk(filter, path, 330, 333, 0.1);
    EXPECT_EQ(filter.steps(), 1U) << step_s;
    EXPECT_NEAR(error_ms(filter, path, 333), 0, 2) << step_s;
  }
}

TEST(ClockFilter, FindsALargeStepWithinTheSuspicionOfASmallOne) {
  Path path{.jitter = 60e6};
  ClockFilter filter;
  talk(filter, path, 0, 900, 6);
  path.remote_zero -= 40 * kMillisecond;
  talk(filter, path, 900, 930, 6);
  path.remote_zero -= 2 * kSecond;
  talk(filter, path, 930, 990, 6);
  EXPECT_LT(std::abs(error_ms(filter, path, 990)), 60);
}

TEST(ClockFilter, KeepsWhatItKnowsOfThePathAcrossAStep) {
  Path path{.jitter = 20e6};
  ClockFilter filter;
  talk(filter, path, 0, 600, 0.2);
  const double before = filter.uncertainty_at(path.local(600 * kSecond));
  path.local_zero -= 3 * kSecond;
  talk(filter, path, 600, 620, 0.2);
  EXPECT_EQ(filter.steps(), 1U);
  EXPECT_LT(filter.uncertainty_at(path.local(620 * kSecond)), 2 * before);
  EXPECT_LT(std::abs(error_ms(filter, path, 620)), 6);
}

TEST(ClockFilter, BecomesLessCertainAtOnceWhenAClockWasSet) {
  Path path{.jitter = 5e6};
  ClockFilter filter;
  talk(filter, path, 0, 300, 0.5);
  const double before = filter.uncertainty_at(path.local(300 * kSecond));
  path.remote_zero += kSecond;
  filter.add(path.exchange(300 * kSecond));
  EXPECT_GT(filter.uncertainty_at(path.local(300 * kSecond)), before);
  EXPECT_LE(std::abs(error_ms(filter, path, 300.1)) * 1e6, filter.uncertainty_at(path.local(300 * kSecond)));
}

TEST(ClockFilter, DropsTheHalfOfAnExchangeThatAStepHasSpoiled) {
  Path path{.jitter = 1e6};
  ClockFilter filter;
  talk(filter, path, 0, 120, 0.5);
  // the remote clock is set forward while it holds the datagram, then while the answer is awaited
  RawExchange e = path.exchange(120 * kSecond);
  path.remote_zero += 5 * kSecond;
  e.answered += 5 * kSecond;
  filter.add(e);
  EXPECT_NEAR(error_ms(filter, path, 120.1), 0, 5);
  talk(filter, path, 120.5, 125, 0.5);
  EXPECT_NEAR(error_ms(filter, path, 125), 0, 2);
  EXPECT_EQ(filter.steps(), 1U);
}

TEST(ClockFilter, TakesAPathThatChangesForNoStep) {
  for (const std::int64_t out : {80 * kMillisecond, 5 * kMillisecond}) {
    Path path{.out = 40 * kMillisecond, .home = 40 * kMillisecond, .jitter = 3e6};
    ClockFilter filter;
    talk(filter, path, 0, 300, 0.5);
    const double change_ms = std::abs(static_cast<double>(out - path.out)) * 1e-6;
    path.out = out;
    for (double t = 300; t < 600; t += 0.5) {
      filter.add(path.exchange(from_seconds(t).ns));
      // half of the change is the most that one direction can hide
      EXPECT_LT(std::abs(error_ms(filter, path, t)), change_ms / 2 + 8) << t;
    }
    EXPECT_EQ(filter.steps(), 0U) << out;
  }
}

TEST(ClockFilter, IgnoresStampsThatNoClockShows) {
  Path path{.jitter = 1e6};
  ClockFilter filter;
  talk(filter, path, 0, 60);
  const RawExchange good = path.exchange(60 * kSecond);
  const std::int64_t before = filter.whole_offset_at(good.back);
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  for (const std::int64_t absurd : {kMost, kLeast, kMost - 1, kLeast + 1, 5'000'000'000 * kSecond}) {
    for (std::int64_t RawExchange::*const field :
         {&RawExchange::sent, &RawExchange::received, &RawExchange::answered, &RawExchange::back}) {
      RawExchange bad = good;
      bad.*field = absurd;
      filter.add(bad);
    }
  }
  RawExchange held_backwards = good;
  std::swap(held_backwards.received, held_backwards.answered);
  filter.add(held_backwards);
  EXPECT_EQ(filter.whole_offset_at(good.back), before);
  EXPECT_EQ(filter.steps(), 0U);
}

TEST(ClockFilter, StaysFiniteWhateverItIsTold) {
  Random random(11);
  for (int run = 0; run < 20; ++run) {
    ClockMap<OperatorClock, RobotClock> map;
    for (int i = 0; i < 2000; ++i) {
      // from nanoseconds to centuries, so that many pass for credible
      const auto stamp = [&] { return static_cast<std::int64_t>(random.bits()) >> static_cast<int>(random.below(60)); };
      const std::int64_t received = stamp();
      const std::int64_t sent = stamp();
      map.add({{sent}, {received}, {random.uniform() < 0.5 ? received + 5 : stamp()}, {stamp()}});
      const std::int64_t asked = stamp();
      const ClockFilter& filter = map.filter();
      ASSERT_TRUE(std::isfinite(filter.offset_at(asked)));
      ASSERT_TRUE(std::isfinite(filter.uncertainty_at(asked)));
      ASSERT_GE(filter.uncertainty_at(asked), 0);
      ASSERT_LE(std::abs(filter.drift()), ClockParams{}.max_drift);
      ASSERT_GE(map.to_remote({asked}).uncertainty.ns, 0);
      ASSERT_GE(map.to_local({asked}, {asked}).uncertainty.ns, 0);
    }
  }
}

TEST(ClockFilter, LearnsNothingFromRepetition) {
  Path path{.jitter = 10e6};
  ClockFilter once;
  ClockFilter thrice;
  for (int i = 0; i < 300; ++i) {
    const RawExchange e = path.exchange(i * kSecond);
    once.add(e);
    for (int k = 0; k < 3; ++k) thrice.add({e.sent, e.received, e.answered, e.back + k * 50 * kMillisecond});
  }
  const std::int64_t now = path.local(300 * kSecond);
  EXPECT_EQ(once.whole_offset_at(now), thrice.whole_offset_at(now));
  EXPECT_EQ(once.uncertainty_at(now), thrice.uncertainty_at(now));
}

TEST(ClockFilter, BearsAnswersOutOfOrder) {
  Path path{.jitter = 10e6, .remote_drift = 80e-6};
  ClockFilter filter;
  std::vector<RawExchange> exchanges;
  for (int i = 0; i < 900; ++i) exchanges.push_back(path.exchange(i * kSecond / 3, (i * 7 % 5) * 300 * kMillisecond));
  std::sort(exchanges.begin(), exchanges.end(), [](auto& a, auto& b) { return a.back < b.back; });
  for (std::size_t i = 0; i + 1 < exchanges.size(); i += 3) std::swap(exchanges[i], exchanges[i + 1]);
  for (const RawExchange& e : exchanges) filter.add(e);
  EXPECT_LT(std::abs(error_ms(filter, path, 300)), 10);
  EXPECT_NEAR(filter.drift(), 80e-6, 10e-6);
  EXPECT_EQ(filter.steps(), 0U);
}

TEST(ClockFilter, AllocatesNothing) {
  Path path{.jitter = 10e6};
  const AllocationCounter allocations;
  ClockFilter filter;
  talk(filter, path, 0, 100, 0.1);
  EXPECT_EQ(allocations.count(), 0U);
}

TEST(ClockMap, ConvertsThereAndBack) {
  OperatorsClockMap map;
  const std::int64_t offset = 1'700'000'000 * kSecond;
  for (int i = 0; i < 20; ++i) {
    const std::int64_t t = i * kSecond;
    map.add({{t}, {t + offset + 10}, {t + offset + 20}, {t + 30}});
  }
  const OperatorTime now{20 * kSecond};
  EXPECT_NEAR(static_cast<double>(map.to_remote(now).time.ns - now.ns - offset), 0, 2);
  EXPECT_EQ(map.to_local(map.to_remote(now).time, now).time, now);
}

}  // namespace
}  // namespace forerun::sync
