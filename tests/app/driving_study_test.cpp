// `forerun study driving`, run as a user would.
#include <gtest/gtest.h>

#include "tests/app/expectations.hpp"
#include "tests/support/source_tree.hpp"
#include "tests/support/temp_folder.hpp"

namespace forerun::test {
namespace {

const std::vector<std::string> kShort{"study", "driving", "--runs", "1", "--task", "docking", "--delay-s", "0.25"};

std::vector<std::string> with(std::vector<std::string> command, const std::vector<std::string>& more) {
  command.insert(command.end(), more.begin(), more.end());
  return command;
}

TEST(DrivingCommand, PrintsItsFiguresAndWritesAPage) {
  const TempFolder folder;
  const Outcome outcome = run_forerun(with(kShort, {"--json", "-", "--report", "d.html"}), {.folder = folder.path()});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto figures =
      expect_json(outcome.out, {"conditions", "late_answers", "robot", "reality", "seed", "interval_s", "driver"});
  ASSERT_EQ(figures["conditions"].size(), 9u);
  int guarded = 0;
  for (const auto& condition : figures["conditions"]) {
    for (const char* name :
         {"task", "delay_s", "loss", "display", "guard", "time_s", "deviation_rms_m", "contacts", "failed"}) {
      EXPECT_TRUE(condition.contains(name)) << name;
    }
    EXPECT_EQ(condition["delay_s"], 0.25);
    guarded += condition["guard"] == true ? 1 : 0;
    EXPECT_TRUE(condition["guard"] == false || condition["contacts"] == 0) << condition;
  }
  EXPECT_EQ(guarded, 6);
  const std::string page = folder.read("d.html");
  for (const char* part : {"The docking", "class=\"line prediction", "A robot that answers late", "</html>"}) {
    EXPECT_NE(page.find(part), std::string::npos) << part;
  }
}

TEST(DrivingCommand, ABlindRobotHasNoGuard) {
  const TempFolder folder;
  const std::string turtle = read_source("robots/turtle.yaml").text;
  folder.write("blind.yaml", turtle.substr(0, turtle.find("lasers:")));
  const Outcome outcome =
      run_forerun(with(kShort, {"--robot", "blind.yaml", "--json", "-"}), {.folder = folder.path()});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto figures = nlohmann::json::parse(outcome.out);
  for (const auto& condition : figures["conditions"]) EXPECT_EQ(condition["guard"], false);
}

TEST(DrivingCommand, BadInput) {
  const TempFolder folder;
  folder.write("old.html", "old");
  const auto run = [&](const std::vector<std::string>& more) {
    return run_forerun(with(kShort, more), {.folder = folder.path()});
  };
  expect_bad_input(run({"--robot", "kenaf"}), {"kenaf", "level"});
  expect_bad_input(run({"--reality", "dreamt"}), {"dreamt"});
  expect_bad_input(run({"--json", "./a.html", "--report", "a.html"}), {"--json and --report", "same file"});
  expect_bad_input(run_forerun({"study", "driving", "--task", "parking"}), {"parking"});
  expect_bad_input(run_forerun({"study", "driving", "--delay-s", "-1"}), {"--delay-s"});
  EXPECT_EQ(folder.names(), std::vector<std::string>{"old.html"});
}

}  // namespace
}  // namespace forerun::test
