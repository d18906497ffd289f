// Sending when it matters, as users see it: `forerun study sending` and `forerun serve --send-when-off-m`.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/app/expectations.hpp"
#include "tests/app/link_programs.hpp"

namespace forerun::test {
namespace {

TEST(StudySending, HasTheAgreedNames) {
  const Outcome outcome =
      run_forerun({"study", "sending", "--reality", "noisy", "--runs", "1", "--seed", "3", "--json", "-"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto result = expect_json(outcome.out, {"timed", "threshold", "bytes_ratio_at_same_error",
                                                "largest_bytes_ratio", "bytes_per_report", "duration_s"});
  for (const char* curve : {"timed", "threshold"}) {
    ASSERT_GE(result[curve].size(), 8u);
    for (const auto& point : result[curve]) {
      EXPECT_GT(point["bytes_per_s"], 0);
      EXPECT_GT(point["mean_error_m"], 0);
    }
  }
  EXPECT_LT(result["bytes_ratio_at_same_error"], 0.6);
}

TEST(StudySending, RefusesWhatItCannotRun) {
  expect_bad_input(run_forerun({"study", "sending", "--loss", "1"}), {"--loss"});
  expect_bad_input(run_forerun({"study", "sending", "--loss", "nan"}), {"--loss"});
  expect_bad_input(run_forerun({"study", "sending", "--runs", "0"}), {"--runs"});
  expect_bad_input(run_forerun({"study", "sending", "--base-interval-s", "0.1"}), {"--base-interval-s"});
  expect_bad_input(run_forerun({"study", "sending", "--delay-s", "-1"}), {"--delay-s"});
  expect_bad_input(run_forerun({"study", "sending", "--reality", "dreamt"}), {"dreamt", "noisy"});
}

TEST(ServeWhenOff, RefusesThresholdsAndIntervalsThatCannotBe) {
  for (const char* threshold : {"0", "-1", "nan", "inf", "far"}) {
    expect_bad_input(run_forerun({"serve", "--send-when-off-m", threshold}), {"--send-when-off-m"});
  }
  expect_bad_input(run_forerun({"serve", "--send-when-off-m", "0.2", "--min-interval-s", "2", "--interval-s", "1"}),
                   {"--min-interval-s", "2", "1 s"});
  expect_bad_input(run_forerun({"serve", "--send-when-off-m", "0.2", "--min-interval-s", "0"}), {"--min-interval-s"});
  expect_bad_input(run_forerun({"serve", "--min-interval-s", "0.5"}), {"--min-interval-s", "--send-when-off-m"});
}

// The robot drives straight ahead and its copy knows: hardly anything is sent, and whoever comes still gets a state.
TEST(ServeWhenOff, SendsLittleAndNewcomersAtOnce) {
  Link link;
  link.serve("127.0.0.1:0", {"--send-when-off-m", "0.3"});
  for (int i = 0; i < 2; ++i) {
    link.view(link.server_address);
    const json first = link.await([](const json& l) { return l["state"].is_object(); }, 20);
    ASSERT_FALSE(first.is_null()) << link.last;
    const json later = link.await([](const json& l) { return l["gap_s"].is_number() && l["gap_s"] > 2.5; }, 30);
    ASSERT_FALSE(later.is_null()) << "by the clock, no gap would be so long: " << link.last;
    ASSERT_TRUE(later["prediction"].is_object()) << later;
    EXPECT_LT(later["reports"], 12) << later;
  }
}

}  // namespace
}  // namespace forerun::test
