// A kind of sensor is named in few files: what all kinds have in common is asked of the list.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>

#include "tests/support/source_tree.hpp"

namespace forerun::test {
namespace {

std::vector<std::string> files_naming(const std::string& word) {
  std::vector<std::string> found;
  for (const SourceFile& file : read_tree("forerun", {".hpp", ".cpp", ".h"})) {
    // the cases of the papers have robots of their own, and so has what is written about them
    if (file.path.find("/wall_follower.") != std::string::npos || file.path.rfind("forerun/papers/", 0) == 0) continue;
    std::string text = file.text;
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
    if (text.find(word) != std::string::npos) found.push_back(file.path);
  }
  return found;
}

// docs/architecture.md, "Adding a sensor kind", lists these files.
TEST(SensorKinds, AKindIsNamedInFiveFiles) {
  EXPECT_EQ(
      files_naming("infrared"),
      (std::vector<std::string>{"forerun/navigate/obstacles.cpp", "forerun/navigate/obstacles.hpp",
                                "forerun/robot/sensor.hpp", "forerun/sense/sensors.cpp", "forerun/sense/sensors.hpp"}));
}

TEST(SensorKinds, TheListOfTheDocumentIsTrue) {
  const std::string page = read_source("docs/architecture.md").text;
  const std::size_t begin = page.find("## Adding a sensor kind");
  ASSERT_NE(begin, std::string::npos);
  const std::string section = page.substr(begin, page.find("\n## ", begin + 1) - begin);
  for (const std::string& file : files_naming("infrared")) EXPECT_NE(section.find(file), std::string::npos) << file;
}

}  // namespace
}  // namespace forerun::test
