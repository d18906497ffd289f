// `forerun study all` as a user runs it.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/app/expectations.hpp"
#include "tests/support/temp_folder.hpp"

namespace forerun::test {
namespace {

namespace fs = std::filesystem;

// Programs whose command line has this word.
int count_programs(const std::string& word) {
  int n = 0;
  for (const auto& process : fs::directory_iterator("/proc")) {
    std::ifstream file(process.path() / "cmdline");
    const std::string command{std::istreambuf_iterator<char>(file), {}};
    n += command.find(word) != std::string::npos ? 1 : 0;
  }
  return n;
}

TEST(StudyAll, WritesOnePageWithThePicturesOfItsRuns) {
  const TempFolder folder;
  const Outcome outcome =
      run_forerun({"study", "all", "--quick", "--only", "mission", "--only", "sensitivity", "--only", "dead-time",
                   "--only", "plan", "--only", "drive", "--seed", "3", "--report", "made/papers", "--json", "-"},
                  {.folder = folder.path()});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto json = expect_json(outcome.out, {"version", "quick", "seed", "duration_s", "runs", "figures"});
  EXPECT_EQ(json, nlohmann::ordered_json::parse(folder.read("made/papers/all.json")));
  ASSERT_EQ(json["runs"].size(), 5u);
  for (const auto& run : json["runs"]) {
    EXPECT_EQ(run["exit_code"], 0) << run;
    EXPECT_FALSE(run["result"].is_null()) << run;
  }
  const std::string page = folder.read("made/papers/index.html");
  EXPECT_EQ(page.find("lacks this picture"), std::string::npos);
  EXPECT_NE(page.find("href=\"#mission-plan\""), std::string::npos);
  EXPECT_NE(page.find("data:image/svg+xml;base64,"), std::string::npos);
  EXPECT_NE(page.find("<td>no collisions</td><td>0</td><td class=\"good\">as printed</td>"), std::string::npos);
  EXPECT_NE(page.find("forerun study mission --seed 3"), std::string::npos);
  for (const std::string& name : folder.names()) EXPECT_FALSE(name.ends_with(".log")) << name;
}

TEST(StudyAll, ARunThatFailsIsSaidAndTheOthersAreThere) {
  const TempFolder folder;
  fs::create_directories(folder.file("mission.json"));  // so it cannot be written
  const Outcome outcome =
      run_forerun({"study", "all", "--only", "mission", "--only", "sensitivity", "--report", folder.path()});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.err.rfind("forerun: mission failed with exit code ", 0), 0u) << outcome.err;
  EXPECT_NE(outcome.err.find("mission.json"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.out.find("1 runs failed"), std::string::npos) << outcome.out;
  EXPECT_NE(folder.read("mission.log").find("mission.json"), std::string::npos);
  const std::string page = folder.read("index.html");
  EXPECT_NE(page.find("failed with exit code"), std::string::npos);
  EXPECT_NE(page.find("href=\"sensitivity.html\""), std::string::npos);
}

TEST(StudyAll, CtrlCEndsTheRunsToo) {
  const TempFolder folder;
  const Outcome outcome = run_forerun({"study", "all", "--only", "kenaf", "--only", "office-crowded", "--report", "."},
                                      {.folder = folder.path(), .interrupt_after_s = 1});
  EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(count_programs("office-crowded.json"), 0);
  for (const char* name : {"index.html", "all.json"}) EXPECT_FALSE(fs::exists(folder.file(name))) << name;
}

TEST(StudyAll, RefusesWhatItCannotDo) {
  const TempFolder folder;
  folder.write("file", "");
  const RunOptions here{.folder = folder.path()};
  expect_bad_input(run_forerun({"study", "all"}, here), {"--report"});
  expect_bad_input(run_forerun({"study", "all", "--report", "d", "--only", "everything"}, here),
                   {"everything", "office-noisy", "kenaf"});
  expect_bad_input(run_forerun({"study", "all", "--report", "d", "--jobs", "0"}, here), {"--jobs"});
  expect_bad_input(run_forerun({"study", "all", "--report", "file"}, here), {"file"});
  expect_bad_input(run_forerun({"study", "all", "--report", "/proc/nobody"}, here), {"/proc/nobody"});
  EXPECT_EQ(folder.names(), std::vector<std::string>{"file"});
}

}  // namespace
}  // namespace forerun::test
