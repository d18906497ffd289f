// Files that a command writes are kept apart, whatever they are called.
#include "forerun/cli/output.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/temp_folder.hpp"

namespace forerun::cli {
namespace {

TEST(KeepApart, KnowsAFileByAllItsNames) {
  const test::TempFolder folder;
  const std::string file = folder.write("real.json", "{}"), link = folder.file("link.json");
  std::filesystem::create_symlink("real.json", link);
  const auto apart = [](const std::string& a, const std::string& b) {
    return keep_apart({{"--json", a}, {"--report", b}}).ok();
  };
  EXPECT_FALSE(apart(file, link));
  EXPECT_FALSE(apart(folder.path() + "/./new.json", folder.file("new.json")));
  EXPECT_FALSE(apart("new.json", "./new.json"));
  EXPECT_FALSE(apart("-", "-"));
  EXPECT_TRUE(apart(file, folder.file("new.json")));
  EXPECT_TRUE(apart("", ""));
  EXPECT_TRUE(apart("-", file));
}

}  // namespace
}  // namespace forerun::cli
