// Every scenario reaches the state it always reached, to the last bit. After an intended change: make golden
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "forerun/io/file.hpp"
#include "tests/sim/golden_drives.hpp"
#include "tests/support/process.hpp"
#include "tests/support/source_path.hpp"

namespace forerun::test {
namespace {

const std::string kGolden = test::source_path("tests/golden/drives.csv");

std::string read_golden() {
  std::ifstream file(kGolden);
  std::stringstream golden;
  golden << file.rdbuf();
  return golden.str();
}

TEST(Golden, DrivesReachTheStateTheyAlwaysReached) {
  const std::string table = drive_golden_table();
  if (std::getenv("FORERUN_WRITE_GOLDEN") != nullptr) {
    ASSERT_TRUE(io::write_file(kGolden, table).ok());
    return;
  }
  EXPECT_EQ(table, read_golden()) << "after an intended change: make golden, and look at the difference";
}

TEST(Golden, ClangsProgramReachesTheSameStates) {
  ASSERT_TRUE(std::filesystem::exists(FORERUN_CLANG_PROBE))
      << FORERUN_CLANG_PROBE << " is missing; make test builds it";
  const Outcome outcome = run_process({FORERUN_CLANG_PROBE});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, read_golden()) << "make test keeps the other program up to date";
}

}  // namespace
}  // namespace forerun::test
