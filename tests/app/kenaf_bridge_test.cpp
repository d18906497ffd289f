// Paper 3 whole, with real programs and real sockets: simulator, intermediate process, and the paper's own program.
#include <gtest/gtest.h>

#include "tests/app/expectations.hpp"
#include "tests/app/kenaf_programs.hpp"
#include "tests/support/process.hpp"

namespace forerun::test {
namespace {

TEST(KenafBridgeCommand, TheSquareEndsWhereItBegan) {
  KenafPrograms programs;
  const Outcome square = run_process(programs.controller("kenaf_square_sim"), {.time_limit_s = 120});
  EXPECT_EQ(square.exit_code, 0);
  EXPECT_EQ(square.err, "");
  EXPECT_EQ(std::count(square.out.begin(), square.out.end(), '\n'), 4) << square.out;
  const auto json = programs.finish_bridge();
  ASSERT_TRUE(json.is_object() && json["robot"].is_object()) << json;
  RecordProperty("closure_mm", json["robot"]["off_by_mm"].dump());
  RecordProperty("bridge_delay_ms_p99", json["bridge_delay_ms_p99"].dump());
  EXPECT_LT(json["robot"]["off_by_mm"], 30) << json;
  EXPECT_LT(std::abs(json["robot"]["turned_by_deg"].get<double>()), 3) << json;
  EXPECT_EQ(json["connections"], 1);
  EXPECT_GT(json["commands"], 100);
  EXPECT_GT(json["statuses"], 100);
  EXPECT_GT(json["bridge_delay_ms_p99"], 0);
  EXPECT_EQ(json["datagrams"]["nonsense"], 0);
}

TEST(KenafBridgeCommand, WhenTheSimulatorGoesTheProgramEndsWithASentence) {
  KenafPrograms programs;
  Background square(programs.controller("kenaf_square_sim"));
  EXPECT_NE(square.await_line([](const std::string& line) { return line.rfind("tracks ", 0) == 0; }, 20), "");
  programs.serve().signal(SIGKILL);
  EXPECT_EQ(square.finish(60), 0) << "it never hangs";
}

TEST(KenafBridgeCommand, InterruptedTheyEndWith130) {
  KenafPrograms programs;
  EXPECT_TRUE(programs.finish_bridge().is_object()) << "and what was to be written is";
  programs.serve().signal(SIGTERM);
  EXPECT_EQ(programs.serve().finish(), 130);
}

TEST(KenafBridgeCommand, AloneItCountsNothingAndEndsInTime) {
  const Outcome outcome = run_forerun(
      {"kenaf", "bridge", "--simulator", "127.0.0.1:9", "--listen", "127.0.0.1:0", "--for-s", "0.2", "--json", "-"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "forerun: no simulator at 127.0.0.1:9; trying again and again\n");
  const auto json =
      expect_json(outcome.out, {"connections", "datagrams", "commands", "statuses", "stops", "command_delay_ms_p50",
                                "command_delay_ms_p99", "status_delay_ms_p50", "status_delay_ms_p99",
                                "bridge_delay_ms_p50", "bridge_delay_ms_p99", "robot"});
  EXPECT_EQ(json["connections"], 0);
  EXPECT_TRUE(json["robot"].is_null());
}

TEST(KenafBridgeCommand, BadInputIsNamed) {
  expect_bad_input(run_forerun({"kenaf", "bridge", "--simulator", "nowhere"}), {"nowhere"});
  expect_bad_input(run_forerun({"kenaf", "bridge", "--simulator", ":3000"}), {"--simulator", ":3000", "host:port"});
  expect_bad_input(run_forerun({"kenaf", "bridge", "--listen", "127.0.0.1:0", "--at", "1,2"}),
                   {"--at", "1,2", "x,y,degrees"});
  expect_bad_input(run_forerun({"kenaf", "bridge", "--listen", "127.0.0.1:0", "--name", "a b"}), {"--name", "a b"});
  expect_bad_input(run_forerun({"kenaf", "bridge", "--for-s", "-1"}), {"-1"});
}

}  // namespace
}  // namespace forerun::test
