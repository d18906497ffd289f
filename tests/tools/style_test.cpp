// What the house style promises about the files themselves.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <regex>
#include <set>

#include "tests/support/process.hpp"
#include "tests/support/source_path.hpp"
#include "tests/support/source_tree.hpp"

namespace forerun::test {
namespace {

namespace fs = std::filesystem;

std::vector<SourceFile> read_trees(const std::vector<const char*>& folders, const std::vector<std::string>& endings) {
  std::vector<SourceFile> all;
  for (const char* folder : folders) {
    for (auto& file : read_tree(folder, endings)) all.push_back(std::move(file));
  }
  return all;
}

std::vector<SourceFile> cpp_files() {
  return read_trees({"forerun", "tests", "bench", "fuzz", "examples"}, {".hpp", ".cpp"});
}

std::vector<SourceFile> page_files() {
  return read_trees({"web/src", "web/e2e", "web/tools"}, {".ts", ".mjs", ".css"});
}

// The folder of one person or one machine.
bool names_a_machine(const std::string& text) {
  static const std::regex kPaths(R"((^|[\s"'`=(:])/(home|root|work|Users)/\w)");
  return std::regex_search(text, kPaths);
}

TEST(Style, NoFileIsLongerThan500Lines) {
  for (const SourceFile& file : cpp_files()) EXPECT_LE(split_lines(file.text).size(), 500u) << file.path;
  for (const SourceFile& file : page_files()) EXPECT_LE(split_lines(file.text).size(), 500u) << file.path;
}

TEST(Style, HeadersBeginWithTheirPurposeAndAreIncludedOnce) {
  for (const SourceFile& file : cpp_files()) {
    if (!file.path.ends_with(".hpp")) continue;
    EXPECT_EQ(file.text.rfind("// ", 0), 0u) << file.path << " must begin with a sentence of purpose";
    EXPECT_NE(file.text.find("\n#pragma once\n"), std::string::npos) << file.path;
  }
}

// The first thing that a source includes.
std::string first_include(const std::string& text) {
  static const std::regex kInclude(R"re((^|\n)#include ["<]([^">]+)[">])re");
  std::smatch match;
  return std::regex_search(text, match, kInclude) ? match[2].str() : "";
}

TEST(Style, TheFirstIncludeIsFound) {
  EXPECT_EQ(first_include("// why\n#include \"a/b.hpp\"\n\n#include <vector>\n"), "a/b.hpp");
  EXPECT_EQ(first_include("#include <vector>\n#include \"a/b.hpp\"\n"), "vector");
  EXPECT_EQ(first_include("int a;\n"), "");
}

// So that every header compiles alone; tests/headers has those that are without a source.
TEST(Style, ASourceIncludesItsOwnHeaderFirst) {
  int n_pairs = 0;
  for (const SourceFile& file : read_tree("forerun", {".cpp"})) {
    const std::string header = file.path.substr(0, file.path.size() - 4) + ".hpp";
    if (!fs::exists(fs::path(test::source_path()) / header)) continue;
    EXPECT_EQ(first_include(file.text), header) << file.path;
    ++n_pairs;
  }
  EXPECT_GT(n_pairs, 100);
}

TEST(Style, ScriptsOfThePageBeginWithTheirPurpose) {
  for (const SourceFile& file : page_files()) {
    if (file.path.ends_with(".css") || file.path.ends_with(".test.ts")) continue;
    EXPECT_EQ(file.text.rfind("// ", 0), 0u) << file.path;
  }
}

// main → panel → view → state → core → link: each may use itself and what comes after it.
TEST(Style, RoomsOfThePageImportOnlyDownwards) {
  static const std::regex kImport(R"(from '\.\./(\w+)/)");
  const std::map<std::string, std::string> allowed = {{"panel", "panel view state link core"},
                                                      {"view", "view state link core"},
                                                      {"state", "state link core"},
                                                      {"link", "link"},
                                                      {"core", "core link"}};
  for (const auto& [room, below] : allowed) {
    for (const SourceFile& file : read_tree("web/src/" + room, {".ts"})) {
      const std::sregex_iterator end;
      for (std::sregex_iterator import(file.text.begin(), file.text.end(), kImport); import != end; ++import) {
        const std::string other = (*import)[1];
        EXPECT_NE(below.find(other), std::string::npos) << file.path << " imports from " << other;
      }
    }
  }
}

// They would be those of the machine that wrote the file.
TEST(Style, TheLockFileOfThePageNamesNoAddresses) {
  const std::string text = read_source("web/package-lock.json").text;
  ASSERT_NE(text.find("lockfileVersion"), std::string::npos);
  EXPECT_EQ(text.find("\"resolved\""), std::string::npos) << "npm config set omit-lockfile-registry-resolved true";
}

TEST(Style, SourcesAreFormatted) {
  std::vector<std::string> command = {"clang-format", "--dry-run", "--Werror"};
  for (const SourceFile& file : cpp_files()) command.push_back(file.path);
  const Outcome outcome = run_process(command, {.folder = test::source_path()});
  EXPECT_EQ(outcome.exit_code, 0) << "run: make format\n" << outcome.err.substr(0, 2000);
}

TEST(Style, MachinePathsAreRecognised) {
  const std::string someone = "/home/someone/x";
  EXPECT_TRUE(names_a_machine("cd " + someone));
  EXPECT_TRUE(names_a_machine("path: \"" + someone + "\""));
  EXPECT_FALSE(names_a_machine("tests/home/someone"));
  EXPECT_FALSE(names_a_machine("the /work of art"));
}

TEST(Style, NoFileNamesAPathOfOneMachine) {
  auto files = read_trees({"forerun", "tests", "bench", "fuzz", "tools", "cmake", "docs", "robots", "scenarios", ".ci",
                           "packaging", "examples"},
                          {".hpp", ".cpp", ".txt", ".md", ".mjs", ".yaml", ".cmake", ".svg", "run", "setup", "soak",
                           "fuzz", ".service", ".default"});
  for (SourceFile& file : page_files()) files.push_back(std::move(file));
  for (const char* path :
       {"Makefile", "README.md", "CMakeLists.txt", "CMakePresets.json", "CONTRIBUTING.md", "CHANGELOG.md"}) {
    files.push_back(read_source(path));
    EXPECT_FALSE(files.back().text.empty()) << path;
  }
  for (const SourceFile& file : files) {
    if (file.path == "tests/tools/style_test.cpp") continue;
    EXPECT_FALSE(names_a_machine(file.text)) << file.path;
  }
}

TEST(Style, DocumentsLinkOnlyToFilesThatExist) {
  static const std::regex kLink(R"(\]\(([^)#]+)(#[^)]*)?\))");
  auto documents = read_tree("docs", {".md"});
  for (const char* path : {"README.md", "CONTRIBUTING.md", "CHANGELOG.md"}) documents.push_back(read_source(path));
  for (const SourceFile& document : documents) {
    const fs::path folder = fs::path(test::source_path()) / fs::path(document.path).parent_path();
    const std::sregex_iterator end;
    for (std::sregex_iterator link(document.text.begin(), document.text.end(), kLink); link != end; ++link) {
      const std::string target = (*link)[1];
      if (target.find("://") != std::string::npos) continue;
      EXPECT_TRUE(fs::exists(folder / target)) << document.path << " links to " << target;
    }
  }
}

// A robot's file names its control system: who makes one asks navigate/control_systems for that name.
TEST(Style, ControlSystemsAreAskedForByName) {
  for (const SourceFile& file : read_tree("forerun", {".hpp", ".cpp"})) {
    // predict/driver.cpp has the list of those who may be driving
    if (file.path.rfind("forerun/navigate/", 0) == 0 || file.path == "forerun/predict/driver.cpp") continue;
    EXPECT_EQ(file.text.find("navigate::Navigator"), std::string::npos) << file.path;
  }
}

// Code that waits for a time instead of a condition: too short on a busy machine, too long on a quick one. A program
// that a test starts may sleep (`exec sleep 100` stays).
bool sleeps(const std::string& text) {
  static const std::regex kSleeps(
      R"re(sleep_for|sleep_until|\busleep\(|nanosleep|time\.sleep|waitForTimeout|setTimeout\([^;]*, *[\w.]+\)|(^|[;&|(]) *sleep +[\d$])re");
  for (const std::string& line : split_lines(text)) {
    if (std::regex_search(line, kSleeps)) return true;
  }
  return false;
}

TEST(Style, SleepsAreRecognised) {
  for (const char* bad : {"  std::this_thread::sleep_for(300ms);", "usleep(10'000);", "time.sleep(1)", "a & sleep 1; b",
                          "await page.waitForTimeout(kAgain_ms);", "new Promise((r) => setTimeout(r, 300))"}) {
    EXPECT_TRUE(sleeps(bad)) << bad;
  }
  for (const char* good : {"echo here; exec sleep 300", "setTimeout(resolve)", "wait_until([&] { return done; })",
                           "laptops sleep 8 hours"}) {
    EXPECT_FALSE(sleeps(good)) << good;
  }
}

TEST(Style, TestsWaitForAConditionAndNeverForATime) {
  const std::set<std::string> allowed = {"tests/support/wait_until.cpp", "web/e2e/harness.mjs", "web/e2e/measure.mjs",
                                         "tests/tools/style_test.cpp"};
  auto files = read_trees({"tests", "web/e2e"}, {".hpp", ".cpp", ".mjs", ".py", ".sh", ".cmake", "CMakeLists.txt",
                                                 "install", "outside", "program", "services", "subdirectory"});
  for (SourceFile& file : read_tree("web/src", {".test.ts"})) files.push_back(std::move(file));
  EXPECT_GT(files.size(), 200u);
  for (const SourceFile& file : files) {
    if (allowed.contains(file.path)) continue;
    EXPECT_FALSE(sleeps(file.text)) << file.path << ": tests/support/wait_until.hpp";
  }
}

TEST(Style, TheLicenceIsApache2) {
  const std::string text = read_source("LICENSE").text;
  EXPECT_NE(text.find("Apache License"), std::string::npos);
  EXPECT_NE(text.find("END OF TERMS AND CONDITIONS"), std::string::npos);
}

}  // namespace
}  // namespace forerun::test
