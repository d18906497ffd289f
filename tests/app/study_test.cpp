// `forerun study` and `forerun bench-fanout` as programs see them.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
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

TEST(Study, EveryStudyStandsInTheTable) {
  const std::string help = run_forerun({"study", "--help"}).out, page = read_source("docs/studies.md").text;
  const std::size_t first = help.find("Subcommands:\n");
  ASSERT_NE(first, std::string::npos);
  int n_studies = 0;
  for (const auto& line : split_lines(help.substr(first, help.find("\nExamples:") - first))) {
    if (line.rfind("  ", 0) != 0 || line[2] == ' ') continue;
    const std::string name = line.substr(2, line.find(' ', 2) - 2);
    EXPECT_NE(page.find("\n| [" + name + "]("), std::string::npos) << name;
    ++n_studies;
  }
  EXPECT_GT(n_studies, 10);
}

TEST(Study, FlagsAreShownAsTheyAreSaid) {
  const std::string help = run_forerun({"study", "office", "--help"}).out;
  EXPECT_NE(help.find("--no-changes "), std::string::npos) << help;
  EXPECT_EQ(help.find("{false}"), std::string::npos) << help;
}

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
        std::string("coverage95"), std::string("score95_m"), std::string("max_shown_step_m"),
        std::string("path_length_m"), std::string("duration_s")}) {
    EXPECT_TRUE(result.contains(name)) << name;
  }
  for (const char* gap : {"1", "2.5", "6", "12.5"}) EXPECT_TRUE(result["ratio"].contains(gap)) << gap;
  ASSERT_FALSE(result["gap_bins"].empty() || result["distance_bins"].empty());
  for (const char* name : {"gap_s", "n", "extrapolation_m", "extrapolation_ci95_m", "prediction_m", "prediction_ci95_m",
                           "coverage95", "radius95_m", "score95_m", "experts"}) {
    EXPECT_TRUE(result["gap_bins"][0].contains(name)) << name;
  }
  for (const char* name : {"stay", "extrapolation", "replica", "follower"}) {
    EXPECT_TRUE(result["gap_bins"][0]["experts"].contains(name)) << name;
  }
  // what is shown moves about as far as the robot does in a frame, and never jumps
  EXPECT_GT(result["max_shown_step_m"], 0.001);
  EXPECT_LT(result["max_shown_step_m"], 0.1);
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
  for (const auto& row : rows) EXPECT_EQ(std::count(row.begin(), row.end(), ','), 18) << row;
}

// The goals of the office study, on drives that nothing was tuned to.
void expect_goals(const char* reality, const std::array<double, 3>& ratios) {
  const Outcome outcome =
      run_forerun({"study", "office", "--reality", reality, "--runs", "4", "--seed", "1001", "--json", "-"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const json result = json::parse(outcome.out);
  EXPECT_LE(result["ratio"]["2.5"], ratios[0]);
  EXPECT_LE(result["ratio"]["6"], ratios[1]);
  EXPECT_LE(result["ratio"]["12.5"], ratios[2]);
  EXPECT_LE(result["significant_from_gap_s"], 0.5);
  EXPECT_GE(result["coverage95"], 0.92);
  EXPECT_LE(result["coverage95"], 0.98);
  EXPECT_GE(result["coverage50"], 0.43);  // four runs are few
  EXPECT_LE(result["coverage50"], 0.57);
  for (const json& bin : result["gap_bins"]) {
    EXPECT_LE(bin["prediction_m"], bin["extrapolation_ci95_m"][1]) << "after " << bin["gap_s"] << " s";
  }
}

TEST(StudyOffice, MeetsItsGoalsWhenNoisy) { expect_goals("noisy", {0.18, 0.09, 0.07}); }
TEST(StudyOffice, MeetsItsGoalsWhenMismatched) { expect_goals("mismatched", {0.40, 0.15, 0.10}); }

std::vector<std::string> list(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

TEST(StudyOffice, WritesItsReportWhereToldAndNothingElse) {
  const TempFolder folder;
  const std::string page = folder.path() + "/office.html";
  const Outcome outcome = run_forerun({"study", "office", "--reality", "exact", "--runs", "1", "--report", page});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(list(folder.path()), std::vector<std::string>{"office.html"});
  const std::string text = *io::read_file(page, 1 << 24);
  EXPECT_EQ(text.rfind("<!DOCTYPE html>", 0), 0u);
  for (const char* words : {"<dd>exact</dd>", "6 s after the last message the prediction is off by", "from goal 1",
                            "Beside the papers", "</html>"}) {
    EXPECT_NE(text.find(words), std::string::npos) << words;
  }
  EXPECT_EQ(text.find("nan"), std::string::npos);
  // the gap under way first, as in the papers
  EXPECT_LT(text.find("sent under way from goal 1"), text.find("the last message from goal 1"));
  EXPECT_NE(outcome.out.find("ratio"), std::string::npos);
}

TEST(StudyOffice, LeavesOutDoorsThatAnotherWorldLacks) {
  const TempFolder folder;
  const std::string world = folder.path() + "/hall.world.yaml";
  ASSERT_TRUE(
      io::write_file(world,
                     "rooms: [{name: hall, from: [0, 0], to: [12, 4]}, {name: nook, from: [12, 0], to: [15, 4]}]\n"
                     "doorways: [{at: [12, 2], width_m: 1.0, door: {name: nook, hinge: north, swings: east}}]\n"));
  const std::string scenario = folder.path() + "/shuttle.yaml";
  ASSERT_TRUE(io::write_file(scenario,
                             "world: bonn-office\nrobot: rhino\nstart: [1, 2, 0]\n"
                             "goals: [{at: [10, 2], wait_s: 5}, {at: [2, 2], wait_s: 5}, {at: [10, 2], wait_s: 5}]\n"
                             "doors: [{door: kitchen, close_at_s: 20, open_at_s: 150}]\n"));
  const Outcome outcome = run_forerun({"study", "office", "--scenario", scenario, "--world", world, "--reality",
                                       "exact", "--interval-s", "5", "--runs", "1", "--json", "-"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_GT(json::parse(outcome.out)["path_length_m"], 20);
  // in its own world every door must be there
  ASSERT_TRUE(io::write_file(scenario, "world: " + world +
                                           "\nrobot: rhino\nstart: [1, 2, 0]\ngoals: [{at: [10, 2]}]\n"
                                           "doors: [{door: kitchen, close_at_s: 20, open_at_s: 150}]\n"));
  expect_bad_input(run_forerun({"study", "office", "--scenario", scenario}),
                   {"shuttle.yaml", "kitchen", "no such door"});
}

TEST(StudyOffice, RefusesWhatItCannotRun) {
  expect_bad_input(run_forerun({"study", "office", "--world", "nowhere"}), {"nowhere"});
  expect_bad_input(run_forerun({"study", "office", "--robot", "nobody"}), {"nobody"});
  expect_bad_input(run_forerun({"study", "office", "--loss", "1.5"}), {"--loss"});
  expect_bad_input(run_forerun({"study", "office", "--json", "-", "--csv", "-"}), {"--json", "--csv"});
  expect_bad_input(run_forerun({"study", "office", "--json", "a.txt", "--report", "a.txt"}), {"--json", "--report"});
  expect_bad_input(run_forerun({"study", "office", "--csv", "/nowhere/bins.csv"}), {"/nowhere/bins.csv"});
  const TempFolder folder;
  expect_bad_input(
      run_forerun({"study", "office", "--csv", folder.path() + "/bins.csv", "--report", "/nowhere/a.html"}),
      {"/nowhere/a.html"});
  EXPECT_TRUE(list(folder.path()).empty());
}

// It must not claim what only holds for simulated robots, or for the papers'.
void expect_page_of_a_recorded_drive(const std::string& text) {
  for (const char* words : {"6 s after a message, the motion since it is predicted with an error of",
                            "The drive drive.csv.", "mean error of the motion [m]", "names no goal", "</html>"}) {
    EXPECT_NE(text.find(words), std::string::npos) << words;
  }
  for (const char* words : {"papers", "reality", "goal 1", "follows from the message alone", "nan"}) {
    EXPECT_EQ(text.find(words), std::string::npos) << words;
  }
}

TEST(StudyLog, ScoresADriveThatWasRecordedHere) {
  const TempFolder folder;
  const std::string log = folder.path() + "/drive.csv";
  ASSERT_EQ(run_forerun({"sim", "--scenario", "office-delivery", "--log", log}).exit_code, 0);
  const std::string figures = folder.path() + "/drive.json", page = folder.path() + "/drive.html";
  const Outcome outcome = run_forerun({"study", "log", log, "--world", "bonn-office", "--robot", "rhino", "--runs", "1",
                                       "--json", figures, "--report", page});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const json result = json::parse(*io::read_file(figures, 1 << 20));
  expect_score_names(result, "absolute");
  EXPECT_LT(result["ratio"]["6"], 0.6);
  EXPECT_NEAR(result["path_length_m"], 80, 3);
  expect_page_of_a_recorded_drive(*io::read_file(page, 1 << 24));
  EXPECT_NE(outcome.out.find("ratio"), std::string::npos);
  EXPECT_NE(outcome.out.find("6 s after a message"), std::string::npos) << outcome.out;
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
  const std::string plan = folder.path() + "/drive.plan.csv";
  ASSERT_TRUE(io::write_file(plan, "t_s,path_x_y_m\n0,1 2;3\n"));
  expect_bad_input(study(log, "bonn-office"), {plan + ":2: ", "point 2"});
  expect_bad_input(run_forerun({"study", "log", log, "--world", "bonn-office", "--robot", "rhino", "--no-plan"}),
                   {log, "100 %"});
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
