// The program as a whole: overview, help, unknown names. Runs the real binary.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <sstream>

#include "forerun/app/commands.hpp"
#include "tests/app/expectations.hpp"
#include "tests/support/process.hpp"
#include "tests/support/source_tree.hpp"
#include "tests/support/temp_folder.hpp"

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

// A device that is always full stands for a disk that is.
TEST(Program, AFullStandardOutputIsNoSuccess) {
  const TempFolder folder;
  ASSERT_EQ(run_forerun({"keys", "new", "--keys", folder.file("keys")}).exit_code, 0);
  const std::vector<std::vector<std::string>> prints = {
      {},
      {"--version"},
      {"params"},
      {"plan", "--help"},
      {"world", "info", "museum"},
      {"keys", "show", "--keys", folder.file("keys")},
      {"serve", "--keys", folder.file("keys"), "--listen", "127.0.0.1:0", "--for-s", "0.1"}};
  for (const auto& arguments : prints) {
    std::vector<std::string> command{"sh", "-c", "exec \"$@\" >/dev/full", "sh"};
    for (const auto& word : forerun_command(arguments)) command.push_back(word);
    expect_complaint(run_process(command), 1, {"standard output cannot be written"});
  }
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

// Arguments of every line that begins with `prompt`, up to a redirection or a remark.
std::vector<std::vector<std::string>> examples_in(const std::string& text, const std::string& prompt) {
  std::vector<std::vector<std::string>> examples;
  for (const auto& line : split_lines(text)) {
    if (line.rfind(prompt, 0) != 0) continue;
    std::istringstream words(line.substr(prompt.size(), line.find_first_of(">#") - prompt.size()));
    examples.emplace_back(std::istream_iterator<std::string>(words), std::istream_iterator<std::string>());
  }
  return examples;
}

// The example as a test can run it; nothing where it stands for something of the user's own.
std::vector<std::string> adapted(std::vector<std::string> example) {
  for (const auto& word : example) {
    for (const char* own :
         {"arena.map", "drive.mcap", "drive.log", "intel_", "square.csv", "monday.csv", "KEY", "ssh", "HOST"}) {
      if (word.find(own) != std::string::npos) return {};
    }
  }
  // what goes on until Ctrl-C ends soon, and what would load the machine is small
  for (const char* lasting : {"serve", "view", "impair", "demo", "relay"}) {
    if (example[0] == lasting) example.insert(example.end(), {"--for-s", "1"});
  }
  for (const char* many : {"10000", "2000"}) {
    std::replace(example.begin(), example.end(), std::string(many), std::string("20"));
  }
  if (example.size() > 1 && example[1] == "all") example.insert(example.end(), {"--only", "sensitivity"});
  const auto runs = std::find(example.begin(), example.end(), "--runs");
  if (runs != example.end()) runs[1] = "1";
  return example;
}

// Fitting a drive of minutes takes a minute: the first 100 s will do.
void shorten_drives(const TempFolder& folder, const std::vector<std::string>& example) {
  if (example[0] != "fit") return;
  for (const auto& word : example) {
    if (!word.ends_with(".csv")) continue;
    std::string begin;
    const auto lines = split_lines(folder.read(word));
    for (std::size_t i = 0; i < std::min<std::size_t>(lines.size(), 2500); ++i) begin += lines[i] + "\n";
    folder.write(word, begin);
  }
}

void expect_examples_work(const std::string& text, const std::string& prompt) {
  const TempFolder folder;
  EXPECT_EQ(run_forerun({"keys", "new"}, {.folder = folder.path()}).exit_code, 0);
  const auto examples = examples_in(text, prompt);
  EXPECT_FALSE(examples.empty()) << text;
  for (const auto& example : examples) {
    const auto command = adapted(example);
    const bool makes_keys = example == std::vector<std::string>{"keys", "new"};
    if (command.empty() || makes_keys) continue;
    std::string shown;
    for (const auto& word : example) shown += " " + word;
    shorten_drives(folder, example);
    const Outcome outcome = run_forerun(command, {.folder = folder.path()});
    EXPECT_EQ(outcome.exit_code, 0) << "forerun" << shown << "\n" << outcome.err;
  }
}

TEST(Program, EveryExampleOfTheOverviewWorks) { expect_examples_work(run_forerun({}).out, "  forerun "); }

class EveryCommand : public testing::TestWithParam<app::Command> {};
TEST_P(EveryCommand, ShowsExamplesThatWork) {
  expect_examples_work(run_forerun({GetParam().name, "--help"}).out, "  forerun ");
}
INSTANTIATE_TEST_SUITE_P(Program, EveryCommand, testing::ValuesIn(app::commands().begin(), app::commands().end()),
                         [](const auto& command) {
                           std::string name = command.param.name;
                           std::erase(name, '-');
                           return name;
                         });

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
