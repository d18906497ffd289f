// `forerun study` and `forerun bench-fanout` as programs see them.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/app/expectations.hpp"
#include "tests/support/process.hpp"

namespace forerun::test {
namespace {

using nlohmann::json;

TEST(StudyLink, HasTheAgreedNamesAndHoldsItsPromisesOnEveryProfile) {
  for (const char* profile : {"paper", "4g", "satellite", "wifi-walls", "severe", "blackout-30s"}) {
    const Outcome outcome =
        run_forerun({"study", "link", "--profile", profile, "--seed", "11", "--duration-s", "900", "--json", "-"});
    ASSERT_EQ(outcome.exit_code, 0) << profile << outcome.err;
    const json result = json::parse(outcome.out);
    for (const char* name : {"sent", "received", "lost_fraction", "duplicates_used", "replays_accepted",
                             "forgeries_accepted", "stale_commands_executed", "backlog_commands_executed",
                             "stop_latency_ms_p99", "clock_error_ms_p95", "clock_coverage95", "late_warnings_missed"}) {
      ASSERT_TRUE(result.contains(name)) << profile << " " << name;
    }
    for (const char* never :
         {"duplicates_used", "replays_accepted", "forgeries_accepted", "stale_commands_executed",
          "backlog_commands_executed", "commands_executed_twice", "hand_driving_overruns", "reports_wrong"}) {
      EXPECT_EQ(result[never], 0) << profile << " " << never;
    }
    EXPECT_GT(result["sent"], 1000) << profile;
    EXPECT_GT(result["received"], 0) << profile;
  }
}

TEST(StudyLink, RefusesWhatItCannotRun) {
  expect_bad_input(run_forerun({"study", "link", "--profile", "5g"}), {"5g", "4g"});
  expect_bad_input(run_forerun({"study", "link"}), {"--profile"});
  expect_bad_input(run_forerun({"study", "link", "--profile", "4g", "--duration-s", "1"}), {"--duration-s"});
  expect_bad_input(run_forerun({"study", "lonk"}), {"lonk", "link"});
}

TEST(BenchFanout, FeedsManyWatchers) {
  const Outcome outcome = run_forerun({"bench-fanout", "--watchers", "200", "--duration-s", "2", "--json", "-"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const json result = json::parse(outcome.out);
  for (const char* name : {"watchers", "rate_hz", "delivered_fraction", "server_cpu_fraction", "send_cost_ratio"}) {
    ASSERT_TRUE(result.contains(name)) << name;
  }
  EXPECT_EQ(result["watchers"], 200);
  EXPECT_GT(result["delivered_fraction"], 0.9);
  EXPECT_LE(result["delivered_fraction"], 1.0);
}

}  // namespace
}  // namespace forerun::test
