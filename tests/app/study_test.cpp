// `forerun study` and `forerun bench-fanout` as programs see them.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "forerun/io/file.hpp"
#include "tests/app/expectations.hpp"
#include "tests/support/process.hpp"
#include "tests/support/source_tree.hpp"
#include "tests/support/temp_folder.hpp"

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

void expect_score_names(const json& result, const std::string& other) {
  for (const std::string& name :
       {std::string("gap_bins"), std::string("distance_bins"), std::string("ratio"), "ratio_" + other,
        std::string("significant_from_gap_s"), std::string("significant_from_distance_m"), std::string("coverage50"),
        std::string("coverage95"), std::string("max_shown_step_m"), std::string("path_length_m"),
        std::string("duration_s")}) {
    EXPECT_TRUE(result.contains(name)) << name;
  }
  for (const char* gap : {"1", "2.5", "6", "12.5"}) EXPECT_TRUE(result["ratio"].contains(gap)) << gap;
  ASSERT_FALSE(result["gap_bins"].empty() || result["distance_bins"].empty());
  for (const char* name : {"gap_s", "n", "extrapolation_m", "extrapolation_ci95_m", "prediction_m", "prediction_ci95_m",
                           "coverage95", "radius95_m"}) {
    EXPECT_TRUE(result["gap_bins"][0].contains(name)) << name;
  }
  EXPECT_EQ(result["gap_bins"][0]["gap_s"], 0.25);
  EXPECT_TRUE(result["gap_bins"][0].contains("prediction_" + other + "_m"));
  EXPECT_TRUE(result["distance_bins"][0].contains("distance_m"));
}

TEST(StudyOffice, HasTheAgreedNamesInJsonAndARowForEachBinInCsv) {
  const TempFolder folder;
  const std::string csv = folder.path() + "/bins.csv";
  const Outcome outcome = run_forerun({"study", "office", "--reality", "exact", "--interval-s", "5", "--loss", "0.3",
                                       "--runs", "1", "--json", "-", "--csv", csv});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const json result = json::parse(outcome.out);
  expect_score_names(result, "relative");
  const auto rows = split_lines(*io::read_file(csv, 1 << 20));
  EXPECT_EQ(rows[0].rfind("by,at,n,extrapolation_m,extrapolation_lo_m,extrapolation_hi_m,", 0), 0u);
  EXPECT_EQ(rows[1].rfind("gap_s,0.25,", 0), 0u);
  EXPECT_EQ(rows.size(), 1 + result["gap_bins"].size() + result["distance_bins"].size());
  for (const auto& row : rows) EXPECT_EQ(std::count(row.begin(), row.end(), ','), 17) << row;
}

TEST(StudyOffice, RefusesWhatItCannotRun) {
  expect_bad_input(run_forerun({"study", "office", "--world", "nowhere"}), {"nowhere"});
  expect_bad_input(run_forerun({"study", "office", "--robot", "nobody"}), {"nobody"});
  expect_bad_input(run_forerun({"study", "office", "--loss", "1.5"}), {"--loss"});
  expect_bad_input(run_forerun({"study", "office", "--json", "-", "--csv", "-"}), {"--json", "--csv"});
  expect_bad_input(run_forerun({"study", "office", "--csv", "/nowhere/bins.csv"}), {"/nowhere/bins.csv"});
}

TEST(StudyLog, ScoresADriveThatWasRecordedHere) {
  const TempFolder folder;
  const std::string log = folder.path() + "/drive.csv";
  ASSERT_EQ(run_forerun({"sim", "--scenario", "office-delivery", "--log", log}).exit_code, 0);
  const std::vector<std::string> command{"study",   "log",   log,      "--world", "bonn-office",
                                         "--robot", "rhino", "--runs", "1"};
  auto with_json = command;
  with_json.insert(with_json.end(), {"--json", "-"});
  const Outcome outcome = run_forerun(with_json);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const json result = json::parse(outcome.out);
  expect_score_names(result, "absolute");
  EXPECT_LT(result["ratio"]["6"], 0.6);
  EXPECT_NEAR(result["path_length_m"], 80, 3);
  const Outcome for_people = run_forerun(command);
  EXPECT_NE(for_people.out.find("ratio"), std::string::npos);
  EXPECT_NE(for_people.out.find("6 s after a message"), std::string::npos) << for_people.out;
}

TEST(StudyLog, RefusesWhatItCannotScore) {
  const TempFolder folder;
  const std::string log = folder.path() + "/drive.csv";
  ASSERT_TRUE(io::write_file(log, "t_s,x_m,y_m\n0,0,0\n"));
  const auto study = [](const std::string& file, const std::string& world) {
    return run_forerun({"study", "log", file, "--world", world, "--robot", "rhino"});
  };
  expect_bad_input(study(log, "bonn-office"), {log, "theta_rad"});
  ASSERT_TRUE(io::write_file(log, "t_s,x_m,y_m,theta_rad\n0,500,0,0\n1,500,0,0\n"));
  expect_bad_input(study(log, "bonn-office"), {log, "100 %"});
  expect_bad_input(study(log, "nowhere"), {"nowhere"});
  expect_bad_input(study(folder.path() + "/none.csv", "bonn-office"), {"none.csv"});
  expect_bad_input(run_forerun({"study", "log", log, "--world", "bonn-office"}), {"--robot"});
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
