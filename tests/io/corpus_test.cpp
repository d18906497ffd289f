// The fuzz targets' corpus as plain tests: every file goes through its reader and does no harm.
#include <gtest/gtest.h>

#include <filesystem>

#include "forerun/base/random.hpp"
#include "fuzz/entries.hpp"
#include "tests/support/source_path.hpp"

namespace forerun::fuzz {
namespace {

class Corpus : public testing::TestWithParam<Entry> {
 protected:
  static std::vector<std::string> files() {
    std::vector<std::string> contents;
    const auto folder = std::filesystem::path(test::source_path()) / "fuzz/corpus" / GetParam().name;
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    for (const auto& path : paths) contents.push_back(*io::read_file(path.string(), std::size_t{1} << 20));
    return contents;
  }
};

TEST_P(Corpus, EveryFileIsReadOrRefused) {
  int taken = 0, refused = 0;
  for (const std::string& bytes : files()) (GetParam().run(bytes) ? taken : refused) += 1;
  EXPECT_GT(taken, 0) << "the corpus must hold something good";
  EXPECT_GT(refused, 0) << "the corpus must hold something bad";
}

TEST_P(Corpus, DamagedFilesDoNoHarm) {
  Random random(1, 99);
  for (const std::string& good : files()) {
    for (int i = 0; i < 60; ++i) {
      std::string bytes = good.substr(0, good.size() - random.below(good.size() / 4 + 1));
      for (std::uint64_t n = random.below(6); n > 0 && !bytes.empty(); --n) {
        bytes[random.below(bytes.size())] = static_cast<char>(random.below(256));
      }
      GetParam().run(bytes);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Readers, Corpus, testing::ValuesIn(kEntries),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace forerun::fuzz
