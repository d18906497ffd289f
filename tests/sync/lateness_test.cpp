#include "forerun/clocks/lateness.hpp"

#include <gtest/gtest.h>

#include "forerun/io/link_profile_file.hpp"
#include "tests/sync/clock_simulation.hpp"

namespace forerun::sync {
namespace {

using clocks::Lateness;

OperatorTime at(double seconds) { return {from_seconds(seconds).ns}; }

TEST(Lateness, IsRaisedByTheLatePacketItself) {
  Lateness lateness;
  EXPECT_FALSE(lateness.late(at(0)));
  lateness.on_packet(at(1), from_seconds(0.39), {});
  EXPECT_FALSE(lateness.late(at(1)));
  lateness.on_packet(at(2), from_seconds(0.41), {});
  EXPECT_TRUE(lateness.late(at(2)));
  EXPECT_EQ(lateness.last_transit(), from_seconds(0.41));
  EXPECT_EQ(lateness.warnings(), 1U);
}

TEST(Lateness, CountsTheUncertaintyAgainstThePacket) {
  Lateness lateness;
  lateness.on_packet(at(1), from_seconds(0.3), from_seconds(0.04));
  EXPECT_FALSE(lateness.late(at(1)));
  lateness.on_packet(at(2), from_seconds(0.3), from_seconds(0.06));
  EXPECT_TRUE(lateness.late(at(2)));
}

TEST(Lateness, DoesNotDoubtWhatTheRoundTripRulesOut) {
  Lateness lateness;
  lateness.on_packet(at(1), from_seconds(0.3), from_seconds(0.2), from_seconds(0.39));
  EXPECT_FALSE(lateness.late(at(1)));
  lateness.on_packet(at(2), from_seconds(0.3), from_seconds(0.2), from_seconds(0.41));
  EXPECT_TRUE(lateness.late(at(2)));
}

TEST(Lateness, IsClearedOnlyByEnoughTimelyPacketsAndTime) {
  Lateness lateness;
  lateness.on_packet(at(0), from_seconds(0.5), {});
  // many packets, but too soon
  for (int i = 1; i <= 20; ++i) lateness.on_packet(at(0.1 * i), from_seconds(0.1), {});
  EXPECT_TRUE(lateness.late(at(2.9)));
  EXPECT_FALSE(lateness.late(at(3.1)));
  // long after, but too few
  lateness.on_packet(at(10), from_seconds(0.5), {});
  for (int i = 1; i <= 4; ++i) lateness.on_packet(at(10 + 6 * i), from_seconds(0.1), {});
  EXPECT_TRUE(lateness.late(at(40)));
  lateness.on_packet(at(41), from_seconds(0.1), {});
  EXPECT_FALSE(lateness.late(at(41)));
  EXPECT_EQ(lateness.warnings(), 2U);
}

TEST(Lateness, DoesNotFlickerAroundTheLimit) {
  Lateness lateness;
  for (int i = 0; i < 100; ++i) lateness.on_packet(at(0.1 * i), from_seconds(i % 3 == 0 ? 0.41 : 0.39), {});
  EXPECT_EQ(lateness.warnings(), 1U);
}

TEST(Lateness, ForgetsTheTimeOfAClockThatWasSetBack) {
  Lateness lateness;
  lateness.on_packet(at(1000), from_seconds(0.5), {});
  for (int i = 0; i < 50; ++i) lateness.on_packet(at(0.1 * i), from_seconds(0.1), {});
  EXPECT_FALSE(lateness.late(at(5)));
}

struct Experience {
  int n_packets = 0;
  int n_late = 0;    // later than the limit and the stated uncertainty
  int n_missed = 0;  // of them, without a warning
  int n_alarmed = 0;
};

Experience experience(const std::string& profile_name, std::uint64_t seed) {
  const auto profile = io::load_link_profile(profile_name);
  EXPECT_TRUE(profile) << profile.error().message;
  ClockSimulation simulation(*profile, seed);
  simulation.robots.drift = 150e-6;
  Lateness lateness;
  Experience result;
  simulation.run_until(from_seconds(1200).ns, [&](std::int64_t time, std::int64_t sent, std::int64_t took) {
    if (!simulation.operators_map.ready()) return;
    const OperatorTime now{simulation.operators.at(time)};
    const auto left = simulation.operators_map.to_local({sent}, now);
    lateness.on_packet(now, now - left.time, left.uncertainty);
    const bool late = took > from_seconds(0.4).ns + left.uncertainty.ns;
    result.n_packets += 1;
    result.n_late += late ? 1 : 0;
    result.n_missed += late && !lateness.late(now) ? 1 : 0;
    result.n_alarmed += lateness.late(now) ? 1 : 0;
  });
  return result;
}

TEST(Lateness, MissesNoLatePacketOfABadLink) {
  for (const char* profile : {"severe", "satellite"}) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      const Experience result = experience(profile, seed);
      EXPECT_GT(result.n_late, 0) << profile << seed;
      EXPECT_EQ(result.n_missed, 0) << profile << seed;
    }
  }
}

TEST(Lateness, DoesNotCryWolfOverATimelyLink) {
  for (const char* profile : {"4g", "paper", "wifi-walls", "blackout-30s"}) {
    const Experience result = experience(profile, 1);
    EXPECT_EQ(result.n_missed, 0) << profile;
    EXPECT_LE(result.n_alarmed, result.n_packets / 100) << profile;
  }
}

}  // namespace
}  // namespace forerun::sync
