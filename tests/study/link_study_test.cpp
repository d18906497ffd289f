// The link study itself: it must be able to see what it claims to look for.
#include "forerun/study/link_study.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "forerun/io/link_profile_file.hpp"
#include "forerun/study/percentile.hpp"
#include "forerun/study/sim_clock.hpp"
#include "forerun/study/wiretap.hpp"

namespace forerun::study {
namespace {

impair::LinkProfile plain_link() {
  impair::LinkProfile profile;
  profile.up.delay = profile.down.delay = 0.03;
  profile.up.jitter = profile.down.jitter = 0.01;
  profile.up.loss = profile.down.loss = 0.05;
  return profile;
}

TEST(LinkStudy, NothingHostileGetsThrough) {
  impair::LinkProfile profile = plain_link();
  profile.up.duplicate = profile.down.duplicate = 0.1;
  profile.blackouts.push_back({.at = 100, .every = 200, .length = 30});
  LinkStudyParams params;
  params.duration_s = 900;
  params.restart_every_s = 400;
  params.tap = {.replay = 0.2, .forge = 0.2, .withhold = 0.02};
  const LinkStudyResult r = run_link_study(profile, 1, params);
  EXPECT_GT(r.replays_tried, 1000u);
  EXPECT_GT(r.forgeries_tried, 1000u);
  EXPECT_EQ(r.duplicates_used, 0u);
  EXPECT_EQ(r.replays_accepted, 0u);
  EXPECT_EQ(r.forgeries_accepted, 0u);
  EXPECT_EQ(r.stale_commands_executed, 0u);
  EXPECT_EQ(r.backlog_commands_executed, 0u);
  EXPECT_EQ(r.commands_executed_twice, 0u);
  EXPECT_EQ(r.reports_wrong, 0u);
  EXPECT_EQ(r.hand_driving_overruns, 0u);
  EXPECT_GT(r.commands_executed, 200u);
  EXPECT_GE(r.sessions, 3u);
}

// Images go beside the reports, never before them: part 9's limit is 5 ms.
TEST(LinkStudy, ImagesDoNotDelayReports) {
  for (const char* name : {"paper", "4g"}) {
    const auto profile = io::load_link_profile(name);
    ASSERT_TRUE(profile) << profile.error().message;
    LinkStudyParams params;
    // as many reports as tell a 99th percentile
    params.duration_s = profile->sync_interval * 4000;
    params.tap = {.replay = 0, .forge = 0, .withhold = 0};
    const LinkStudyResult without = run_link_study(*profile, 3, params);
    params.images_per_s = 2;
    const LinkStudyResult with = run_link_study(*profile, 3, params);
    EXPECT_LE(with.report_delay_ms_p99, without.report_delay_ms_p99 + 5) << name;
    EXPECT_NEAR(static_cast<double>(with.reports_received), static_cast<double>(without.reports_received),
                0.03 * static_cast<double>(without.reports_received))
        << name << ": none is lost to images";
    EXPECT_GT(static_cast<double>(with.images_received), 0.9 * static_cast<double>(with.images_taken)) << name;
    EXPECT_GT(with.images_taken, static_cast<std::uint64_t>(1.9 * params.duration_s)) << name;
    EXPECT_EQ(without.images_taken, 0u);
  }
}

// A modem's 64 kbit/s with images: the queue that they would build is seen, and they become fewer bytes.
TEST(LinkStudy, ImagesAdaptToALinkThatIsTooSlowForThem) {
  impair::LinkProfile profile = plain_link();
  profile.up.jitter = profile.down.jitter = 0;
  profile.sync_interval = 0.1;
  profile.down.rate = 64000;
  profile.down.queue = 12000;
  LinkStudyParams params;
  params.duration_s = 600;
  params.images_per_s = 2;
  params.tap = {.replay = 0, .forge = 0, .withhold = 0};
  const LinkStudyResult r = run_link_study(profile, 3, params);
  // a part alone takes 0.15 s on this link; without adaptation the queue of 1.5 s would always be full
  EXPECT_LT(r.report_delay_ms_p99, 800);
  EXPECT_GT(r.reports_received, 5000u);
  EXPECT_GT(r.images_received, 300u);
}

TEST(LinkStudy, TheSameSeedGivesTheSameFigures) {
  const impair::LinkProfile profile = plain_link();
  LinkStudyParams params;
  params.duration_s = 200;
  const LinkStudyResult a = run_link_study(profile, 7, params);
  const LinkStudyResult b = run_link_study(profile, 7, params);
  const LinkStudyResult c = run_link_study(profile, 8, params);
  EXPECT_EQ(a.sent, b.sent);
  EXPECT_EQ(a.clock_error_ms_p95, b.clock_error_ms_p95);
  EXPECT_EQ(a.stop_latency_ms_p99, b.stop_latency_ms_p99);
  EXPECT_NE(a.clock_error_ms_p95, c.clock_error_ms_p95);
}

TEST(LinkStudy, TheLossAndDelayAreThoseOfTheProfile) {
  LinkStudyParams params;
  params.duration_s = 600;
  params.tap = {0, 0, 0};
  const LinkStudyResult r = run_link_study(plain_link(), 3, params);
  EXPECT_NEAR(r.lost_fraction, 0.05, 0.01);
  EXPECT_NEAR(r.mean_one_way_delay_ms, 40, 3);
  EXPECT_EQ(r.replays_tried, 0u);
}

TEST(LinkStudy, AConstantAsymmetryIsNotHeldAgainstTheClock) {
  impair::LinkProfile profile = plain_link();
  profile.up.delay = 0.2;
  LinkStudyParams params;
  params.duration_s = 600;
  params.clocks.step_every_s = 0;
  const LinkStudyResult r = run_link_study(profile, 3, params);
  EXPECT_LT(r.clock_error_ms_p95, 20);
}

TEST(SimClock, DriftsAndIsSet) {
  ClockHabits habits;
  habits.step_every_s = 0;
  const SimClock drifting(habits, from_seconds(1000), Random(1));
  const auto rate = static_cast<double>(drifting.read({1'000'000'000'000}) - drifting.read({})) / 1e12 - 1;
  EXPECT_NE(rate, 0);
  EXPECT_LT(std::abs(rate), 210e-6);

  habits = {.max_drift = 0, .wander = 0, .step_every_s = 100, .step_min_s = 1, .step_max_s = 1};
  const SimClock set(habits, from_seconds(10000), Random(2));
  int n_steps = 0;
  for (std::int64_t t = 0; t < 10000; ++t) {
    const std::int64_t second = set.read({(t + 1) * 1'000'000'000}) - set.read({t * 1'000'000'000});
    if (second != 1'000'000'000) ++n_steps;
  }
  EXPECT_NEAR(n_steps, 100, 35);
}

TEST(Percentile, LiesBetweenItsNeighbours) {
  EXPECT_EQ(percentile({}, 50), 0);
  EXPECT_EQ(percentile({3}, 95), 3);
  EXPECT_EQ(percentile({4, 1, 3, 2, 5}, 50), 3);
  EXPECT_DOUBLE_EQ(percentile({0, 10}, 95), 9.5);
  EXPECT_EQ(mean({1, 2, 6}), 3);
}

TEST(Wiretap, KeepsWhatItSeesAndSendsItAgain) {
  const impair::LinkProfile profile = plain_link();
  Wiretap tap(profile, {.replay = 1, .forge = 1, .withhold = 0}, 5);
  for (std::uint8_t i = 0; i < 100; ++i)
    tap.send(TrueTime{i * 1'000'000}, impair::Way::up, {{1}, 1}, std::vector<std::uint8_t>(40, i));
  int counts[5] = {};
  TrueTime last;
  while (tap.next_arrival().ns != INT64_MAX) {
    const Parcel parcel = tap.take();
    EXPECT_GE(parcel.at, last);
    last = parcel.at;
    ++counts[static_cast<int>(parcel.origin)];
  }
  EXPECT_NEAR(counts[static_cast<int>(Origin::sent)], 95, 5);
  EXPECT_EQ(counts[static_cast<int>(Origin::replayed)], 100);
  EXPECT_EQ(counts[static_cast<int>(Origin::forged)], 100);
}

}  // namespace
}  // namespace forerun::study
