// The optimal lengths that others have published: a sample of every file that is there. `forerun plan` solves them all.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "forerun/atlas/movingai.hpp"
#include "forerun/navigate/value_function.hpp"
#include "tests/support/source_path.hpp"

namespace forerun::navigate {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> find_maps() {
  const fs::path folder = fs::path(test::source_path()) / ".." / "shared" / "data" / "movingai";
  std::vector<std::string> maps;
  if (!fs::exists(folder)) return maps;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".map") maps.push_back(entry.path().string());
  }
  std::sort(maps.begin(), maps.end());
  return maps;
}

TEST(ValueFunction, FindsTheOptimalLengthsOfMovingAi) {
  const std::vector<std::string> maps = find_maps();
  if (maps.empty()) GTEST_SKIP() << "the MovingAI maps are not beside this repository";
  for (const std::string& map : maps) {
    const auto free = atlas::load_movingai_map(map);
    ASSERT_TRUE(free) << free.error().message;
    const auto problems = atlas::load_movingai_problems(map + ".scen", free->frame());
    ASSERT_TRUE(problems) << problems.error().message;
    const PlanningGrid grid(*free);
    ValueFunction values(free->frame());
    const std::size_t step = std::max<std::size_t>(1, problems->size() / 24);
    for (std::size_t i = 0; i < problems->size(); i += step) {
      const atlas::MovingAiProblem& problem = (*problems)[i];
      ASSERT_TRUE(values.plan_until(grid, problem.goal, problem.start)) << map << " " << i;
      const double error = std::fabs(values.value(problem.start) - problem.optimal_length);
      EXPECT_LE(error, 1e-5 * std::max(problem.optimal_length, 1.0)) << map << " " << i;
    }
  }
}

}  // namespace
}  // namespace forerun::navigate
