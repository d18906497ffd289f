// The program as a whole: overview, help, unknown names. Runs the real binary.
#include <gtest/gtest.h>

#include <algorithm>

#include "forerun/app/commands.hpp"
#include "tests/app/expectations.hpp"
#include "tests/support/process.hpp"

namespace forerun::test {
namespace {

TEST(Program, AloneGivesAnOverviewWithEveryCommandAndExamples) {
  const Outcome outcome = run_forerun({});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  for (const app::Command& command : app::commands()) {
    EXPECT_NE(outcome.out.find(std::string("\n  ") + command.name + " "), std::string::npos) << command.name;
  }
  EXPECT_NE(outcome.out.find("Examples:"), std::string::npos);
  EXPECT_EQ(run_forerun({"--help"}).out, outcome.out);
}

TEST(Program, SaysItsVersion) {
  const Outcome outcome = run_forerun({"--version"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out.rfind("forerun ", 0), 0u);
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 1);
}

TEST(Program, EveryCommandExplainsItselfWithAnExample) {
  for (const app::Command& command : app::commands()) {
    const Outcome outcome = run_forerun({command.name, "--help"});
    EXPECT_EQ(outcome.exit_code, 0) << command.name;
    EXPECT_EQ(outcome.err, "");
    EXPECT_NE(outcome.out.find(std::string("forerun ") + command.name), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("Example"), std::string::npos) << command.name;
  }
}

TEST(Program, UnknownCommandNamesTheNearest) { expect_bad_input(run_forerun({"smi"}), {"smi", "sim"}); }

TEST(Program, UnknownOptionNamesTheNearest) {
  expect_bad_input(run_forerun({"sim", "--scenari", "office-delivery"}), {"--scenari", "--scenario"});
}

TEST(Program, UnknownSubcommandNamesTheNearest) {
  expect_bad_input(run_forerun({"world", "inof", "museum"}), {"inof", "info"});
  expect_bad_input(run_forerun({"world"}), {"subcommand"});
}

TEST(Program, EveryCommandRefusesWhatItDoesNotKnow) {
  for (const app::Command& command : app::commands()) {
    expect_bad_input(run_forerun({command.name, "--no-such-option"}), {});
  }
}

TEST(Program, MissingValuesAndRequiredOptionsAreNamed) {
  expect_bad_input(run_forerun({"sim"}), {"--scenario"});
  expect_bad_input(run_forerun({"sim", "--scenario"}), {"--scenario"});
  expect_bad_input(run_forerun({"sim", "--scenario", "office-delivery", "--seed", "many"}), {"--seed", "many"});
  expect_bad_input(run_forerun({"sim", "--scenario", "office-delivery", "--seed", "-1"}), {"--seed", "-1"});
  expect_bad_input(run_forerun({"sim", "--scenario", "office-delivery", "--pace", "nan"}), {"--pace", "nan"});
  expect_bad_input(run_forerun({"sim", "--scenario", "office-delivery", "--pace", "-1"}), {"--pace", "-1"});
}

}  // namespace
}  // namespace forerun::test
