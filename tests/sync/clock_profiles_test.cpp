// How well clocks are known over every profile and over recorded networks. The figures for many seeds come from
// `forerun study link`.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "forerun/io/link_profile_file.hpp"
#include "tests/support/source_path.hpp"
#include "tests/sync/clock_simulation.hpp"

namespace forerun::sync {
namespace {

// One side's errors, asked at many moments.
struct Errors {
  std::vector<double> ms;
  int n_covered = 0;

  void add(double error_ns, double uncertainty_ns) {
    ms.push_back(std::abs(error_ns) * 1e-6);
    n_covered += std::abs(error_ns) <= uncertainty_ns ? 1 : 0;
  }
  [[nodiscard]] double p95() {
    std::sort(ms.begin(), ms.end());
    return ms.at(ms.size() * 95 / 100);
  }
  [[nodiscard]] double coverage() const { return n_covered / static_cast<double>(ms.size()); }
};

struct Outcome {
  Errors operators;
  Errors robots;
  double allowed_ms = 0;
};

// Half of what the way to the robot takes longer than the way back at the least [ns]; nobody can observe it.
double half_asymmetry(const impair::LinkProfile& profile) {
  const auto base = [](const impair::LinkPath& path) {
    return path.delay + 0.5 * path.jump + (path.rate > 0 ? 110 * 8 / path.rate : 0);
  };
  return 0.5e9 * (base(profile.up) - base(profile.down));
}

Outcome experience(const impair::LinkProfile& profile, std::uint64_t seed, double seconds) {
  ClockSimulation simulation(profile, seed);
  simulation.robots.drift = seed % 2 == 0 ? 150e-6 : -120e-6;
  simulation.operators.drift = 50e-6;
  Outcome outcome;
  Random random(seed, 99);
  const double bias = half_asymmetry(profile);
  for (double t = 0; t < seconds; t += random.uniform(0.05, 0.35)) {
    const std::int64_t now = from_seconds(t).ns;
    simulation.run_until(now);
    if (!simulation.operators_map.ready() || !simulation.robots_map.ready()) continue;
    const auto truth = static_cast<double>(simulation.true_offset(now));
    const ClockFilter& ours = simulation.operators_map.filter();
    const ClockFilter& theirs = simulation.robots_map.filter();
    const std::int64_t here = simulation.operators.at(now);
    const std::int64_t there = simulation.robots.at(now);
    outcome.operators.add(ours.offset_at(here) - truth - bias, ours.uncertainty_at(here));
    outcome.robots.add(theirs.offset_at(there) + truth + bias, theirs.uncertainty_at(there));
  }
  outcome.allowed_ms = simulation.mean_delay() * 0.25e-6 + 1;
  return outcome;
}

void expect_good(Outcome outcome, const std::string& name) {
  for (Errors* side : {&outcome.operators, &outcome.robots}) {
    const std::string where = name + (side == &outcome.operators ? ", operator side" : ", robot side");
    ASSERT_GT(side->ms.size(), 100U) << where;
    EXPECT_LT(side->p95(), outcome.allowed_ms) << where;
    EXPECT_GE(side->coverage(), 0.90) << where;
    EXPECT_LE(side->coverage(), 0.99) << where;
  }
}

TEST(ClockFilter, KnowsTheOffsetAndHowWellOverEveryProfile) {
  for (const char* name : {"paper", "4g", "satellite", "wifi-walls", "severe", "blackout-30s"}) {
    const auto profile = io::load_link_profile(name);
    ASSERT_TRUE(profile) << profile.error().message;
    for (std::uint64_t seed = 1; seed <= 2; ++seed) expect_good(experience(*profile, seed, 3600), name);
  }
}

TEST(ClockFilter, KnowsTheOffsetAndHowWellOverRecordedNetworks) {
  const auto data = std::filesystem::path(test::source_path()) / ".." / "shared" / "data";
  if (!std::filesystem::exists(data / "network-rtt")) {
    GTEST_SKIP() << "the recorded round trips are not beside this repository";
  }
  for (const char* name :
       {"network-rtt/tyrell_roundtrip003.csv.gz", "network-rtt/tyrell_roundtrip024.csv",
        "network-rtt/tyrell_roundtrip028.csv", "network-5g/Urban_road_2-n78_v20_urban_n78_v20_run01.txt.gz",
        "network-5g/W2S_n8_V30_w2s_n8_v30_run01.txt.gz"}) {
    const auto profile = io::load_link_profile((data / name).string());
    ASSERT_TRUE(profile) << profile.error().message;
    expect_good(experience(*profile, 1, 1800), name);
  }
}

}  // namespace
}  // namespace forerun::sync
