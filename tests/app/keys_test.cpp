// `forerun keys`, run as a user would.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/app/expectations.hpp"
#include "tests/support/temp_folder.hpp"

namespace forerun::test {
namespace {

const std::string kAda = "KHBwNnpNDfpq3LHtcR5tzF0ViWYXSn9KydeS7bQQMXk=";
const std::string kBob = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=";

// `forerun keys …` in a folder of its own.
class KeysCommand : public testing::Test {
 protected:
  Outcome keys(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "keys");
    arguments.insert(arguments.end(), {"--keys", folder_.file("keys")});
    return run_forerun(arguments);
  }
  TempFolder folder_;
};

TEST_F(KeysCommand, NewMakesTheKeyThatShowShows) {
  const Outcome made = keys({"new"});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  EXPECT_EQ(made.out.size(), 45u) << made.out;
  const Outcome shown = keys({"show"});
  ASSERT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_EQ(shown.out, made.out);
  EXPECT_EQ(shown.err, "");
  EXPECT_EQ(folder_.read("keys/public.key"), made.out);
  EXPECT_NE(folder_.read("keys/secret.key"), made.out);
}

TEST_F(KeysCommand, NewRefusesToReplaceAKeyUnlessForced) {
  const Outcome first = keys({"new"});
  expect_bad_input(keys({"new"}), {"secret.key", "exists already", "--force"});
  EXPECT_EQ(keys({"show"}).out, first.out);
  const Outcome forced = keys({"new", "--force"});
  EXPECT_EQ(forced.exit_code, 0) << forced.err;
  EXPECT_NE(forced.out, first.out);
  EXPECT_EQ(keys({"show"}).out, forced.out);
}

TEST_F(KeysCommand, ShowAsJsonListsWhoIsAllowed) {
  const std::string own = keys({"new"}).out.substr(0, 44);
  EXPECT_EQ(keys({"allow", kAda, "--role", "operate", "--name", "Ada at the desk"}).exit_code, 0);
  EXPECT_EQ(keys({"allow", kBob, "--role", "watch"}).exit_code, 0);
  const auto document = expect_json(keys({"show", "--json", "-"}).out, {"folder", "public_key", "allowed"});
  EXPECT_EQ(document["folder"], folder_.file("keys"));
  EXPECT_EQ(document["public_key"], own);
  ASSERT_EQ(document["allowed"].size(), 2u);
  EXPECT_EQ(document["allowed"][0].dump(),
            R"({"role":"operate","public_key":")" + kAda + R"(","name":"Ada at the desk"})");
  EXPECT_EQ(document["allowed"][1]["role"], "watch");
}

TEST_F(KeysCommand, ARoleCanBeChangedAndTaken) {
  EXPECT_EQ(keys({"allow", kAda, "--role", "operate", "--name", "Ada"}).exit_code, 0);
  EXPECT_EQ(keys({"allow", kAda, "--role", "watch"}).exit_code, 0);
  EXPECT_EQ(folder_.read("keys/allowed"), "watch " + kAda + " Ada\n");
  EXPECT_EQ(keys({"forbid", kAda}).exit_code, 0);
  EXPECT_EQ(folder_.read("keys/allowed"), "");
  expect_bad_input(keys({"forbid", kAda}), {"allowed", kAda});
}

TEST_F(KeysCommand, ASecretThatOthersCanReadIsRefused) {
  ASSERT_EQ(keys({"new"}).exit_code, 0);
  ASSERT_EQ(chmod(folder_.file("keys/secret.key").c_str(), 0644), 0);
  expect_bad_input(keys({"show"}), {"secret.key", "0644", "chmod 600"});
}

TEST_F(KeysCommand, BadInputIsOneSentence) {
  expect_bad_input(keys({"show"}), {"secret.key", "does not exist", "keys new"});
  expect_bad_input(keys({"allow", "not-a-key!", "--role", "watch"}), {"not-a-key!", "base64", "44"});
  expect_bad_input(keys({"allow", "c2hvcnQ=", "--role", "watch"}), {"c2hvcnQ=", "5 bytes", "32"});
  expect_bad_input(keys({"allow", kAda, "--role", "opperate"}), {"--role", "opperate", "\"operate\""});
  expect_bad_input(keys({"allow", kAda}), {"--role"});
  expect_bad_input(keys({"allow", kAda, "--role", "watch", "--name", "a\nb"}), {"name"});
  EXPECT_EQ(folder_.read("keys/allowed"), "");
}

TEST_F(KeysCommand, ABrokenListNamesItsLine) {
  ASSERT_EQ(keys({"new"}).exit_code, 0);
  const std::string path = folder_.write("keys/allowed", "# desk\noperat " + kAda + "\n");
  ASSERT_EQ(chmod(path.c_str(), 0600), 0);
  expect_bad_input(keys({"show", "--json", "-"}), {path + ":2", "operat", "operate"});
}

TEST_F(KeysCommand, HelpShowsExamples) {
  for (const std::vector<std::string>& path :
       {std::vector<std::string>{"keys"}, {"keys", "new"}, {"keys", "show"}, {"keys", "allow"}, {"keys", "forbid"}}) {
    std::vector<std::string> command = path;
    command.push_back("--help");
    const Outcome outcome = run_forerun(command);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("Example"), std::string::npos) << outcome.out;
  }
}

}  // namespace
}  // namespace forerun::test
