#include "forerun/cli/arguments.hpp"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>

namespace forerun::cli {
namespace {

TEST(ParsePoint, ReadsTwoNumbers) {
  for (const auto& [text, expected] : std::vector<std::pair<std::string, Vec2>>{
           {"1,2", {1, 2}}, {"-1,2.5", {-1, 2.5}}, {"-.5,+3e1", {-0.5, 30}}, {"0,-0", {0, 0}}}) {
    const auto point = parse_point("--from", text);
    ASSERT_TRUE(point) << text;
    EXPECT_EQ(*point, expected) << text;
  }
}

TEST(ParsePoint, RefusesEverythingElseAndNamesTheFlag) {
  for (const char* text : {"", "1", "1,", ",1", "1,2,3", "1;2", "a,b", "nan,0", "0,inf", "1,2 m", "1 2"}) {
    const auto point = parse_point("--from", text);
    ASSERT_FALSE(point) << text;
    EXPECT_NE(point.error().message.find("--from"), std::string::npos);
  }
}

// What a command sees of its arguments.
struct Parsed {
  std::optional<int> code;
  std::string from;
  int count = 1;
  double share = 0;
  std::uint64_t seed = 1;
  std::uint32_t id = 0;
};

Parsed parse(const std::vector<const char*>& arguments) {
  Parsed parsed;
  CLI::App app("Tries things out.", "try");
  app.add_option("--from", parsed.from, "a place");
  app.add_option("--count", parsed.count, "a number");
  app.add_option("--share", parsed.share, "a part of the whole")->check(CLI::Range(0.0, 1.0));
  app.add_option("--seed", parsed.seed, "any number");
  app.add_option("--id", parsed.id, "a smaller number");
  parsed.code = parse_or_exit(app, arguments);
  return parsed;
}

TEST(ParseOrExit, TakesNegativeCoordinatesAsValues) {
  for (const char* place : {"-1,2", "-.5,-2", "-1e3,0"}) {
    const Parsed parsed = parse({"--from", place, "--count", "-3"});
    EXPECT_FALSE(parsed.code.has_value());
    EXPECT_EQ(parsed.from, place);
    EXPECT_EQ(parsed.count, -3);
  }
}

TEST(ParseOrExit, GivesTheExitCodeOfWrongUsage) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(parse({"--form", "1,2"}).code, kBadInput);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "forerun: there is no option \"--form\"; the nearest one is \"--from\" (see forerun try --help)\n");
}

TEST(ParseOrExit, SaysWhichOptionIsWrongAndWhatIsAllowed) {
  const auto complaint = [](const std::vector<const char*>& arguments) {
    testing::internal::CaptureStderr();
    EXPECT_EQ(parse(arguments).code, kBadInput);
    return testing::internal::GetCapturedStderr();
  };
  EXPECT_EQ(complaint({"--count"}), "forerun: --count needs a value (see forerun try --help)\n");
  EXPECT_EQ(complaint({"--from", "1,2", "--from", "3,4"}),
            "forerun: --from may be given only once (see forerun try --help)\n");
  EXPECT_EQ(complaint({"--count", "many"}),
            "forerun: --count is \"many\", but must be a whole number (see forerun try --help)\n");
  EXPECT_EQ(complaint({"--id", "4294967296"}),
            "forerun: --id is \"4294967296\", which is too large (see forerun try --help)\n");
  EXPECT_NE(complaint({"--share", "nan"}).find("--share is \"nan\""), std::string::npos);
  EXPECT_NE(complaint({"--seed", "-1"}).find("--seed is \"-1\""), std::string::npos);
  EXPECT_NE(complaint({"--seed", "18446744073709551616"}).find("too large"), std::string::npos);
  EXPECT_NE(complaint({"--share", "7"}).find("0 to 1 "), std::string::npos);
}

TEST(ParseOrExit, AnOptionOfASubcommandMustStandBehindIt) {
  CLI::App app("Tries things out.", "try");
  std::string json;
  app.add_subcommand("info", "looks")->add_option("--json", json, "a file");
  testing::internal::CaptureStderr();
  const std::vector<const char*> arguments{"--json", "-", "info"};
  EXPECT_EQ(parse_or_exit(app, arguments), kBadInput);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "forerun: \"--json\" must stand behind info (see forerun try info --help)\n");
}

TEST(ParseOrExit, HelpGoesToStandardOutput) {
  testing::internal::CaptureStdout();
  EXPECT_EQ(parse({"--help"}).code, kDone);
  EXPECT_NE(testing::internal::GetCapturedStdout().find("Usage: forerun try"), std::string::npos);
}

}  // namespace
}  // namespace forerun::cli
