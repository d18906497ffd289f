#include "forerun/atlas/movingai.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/source_path.hpp"

namespace forerun::atlas {
namespace {

const std::string kMap = "type octile\nheight 2\nwidth 3\nmap\n.G@\nSTW\n";
const GridFrame kFrame{3, 2, 1, {}};

std::string map_complaint(const std::string& text) {
  const auto map = parse_movingai_map(text, "m.map");
  return map ? "none" : map.error().message;
}

std::string problem_complaint(const std::string& text) {
  const auto problems = parse_movingai_problems(text, "m.scen", kFrame);
  return problems ? "none" : problems.error().message;
}

TEST(MovingAi, ReadsAMap) {
  for (const std::string& text : {kMap, std::string("type octile\r\nheight 2\r\nwidth 3\r\nmap\r\n.G@\r\nSTW")}) {
    const auto map = parse_movingai_map(text, "m.map");
    ASSERT_TRUE(map) << map.error().message;
    EXPECT_EQ(map->frame().width, 3);
    EXPECT_EQ(map->frame().height, 2);
    const std::vector<int> expected{1, 1, 0, 1, 0, 0};
    for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ((*map)[i], expected[i]) << i;
  }
}

TEST(MovingAi, BadMapsAreNamed) {
  EXPECT_EQ(map_complaint(""), "m.map is not a grid map: it has no height and width");
  EXPECT_EQ(map_complaint("type octile\nheight x\n"),
            "m.map:2: the line is \"height x\", but must be type, height, width (1 to 20000) or map");
  EXPECT_EQ(map_complaint("hello"),
            "m.map:1: the line is \"hello\", but must be type, height, width (1 to 20000) or map");
  EXPECT_EQ(map_complaint("type octile\nheight 20000\nwidth 20000\nmap\n"),
            "m.map has 20000 × 20000 cells, but must have at most 64 million");
  EXPECT_EQ(map_complaint("type octile\nheight 8000\nwidth 8000\nmap\n..."),
            "m.map is cut short: it must hold 8000 rows of 8000 cells");
  EXPECT_EQ(map_complaint("type octile\nheight 2\nwidth 3\nmap\n...\n.."),
            "m.map:6: row 1 has 2 cells, but must have 3");
  EXPECT_EQ(map_complaint("type octile\nheight 2\nwidth 3\nmap\n...."), "m.map:5: row 0 has 4 cells, but must have 3");
}

TEST(MovingAi, ReadsProblemsWithTabsOrBlanksAndWithoutVersion) {
  for (const char* text : {"version 1\n0\tm.map\t3\t2\t0\t1\t1\t0\t1.41421\n", "0 m.map 3 2 0 1 1 0 1.41421",
                           "version 1.0\r\n0\tmy maps/m.map\t3\t2\t0\t1\t1\t0\t1.41421\r\n\r\n"}) {
    const auto problems = parse_movingai_problems(text, "m.scen", kFrame);
    ASSERT_TRUE(problems) << problems.error().message;
    ASSERT_EQ(problems->size(), 1u);
    EXPECT_EQ((*problems)[0].start, (Cell{0, 1}));
    EXPECT_EQ((*problems)[0].goal, (Cell{1, 0}));
    EXPECT_EQ((*problems)[0].optimal_length, 1.41421);
  }
}

TEST(MovingAi, BadProblemsAreNamed) {
  EXPECT_EQ(problem_complaint("version 1\n"), "m.scen holds no problems, but must hold at least one");
  EXPECT_EQ(problem_complaint("0 m.map 3 2 0 1"),
            "m.scen:1: the line is \"0 m.map 3 2 0 1\", but must be bucket, map, width, height, start x, y, goal x, y, "
            "optimum");
  EXPECT_EQ(problem_complaint("0 m.map 3 2 0 9 1 0 1"),
            "m.scen:1: start or goal of \"0 m.map 3 2 0 9 1 0 1\" lies outside the map of 3 × 2 cells");
  EXPECT_EQ(problem_complaint("0 m.map 3 2 0 -1 1 0 1"), "m.scen:1: \"-1\" must be a whole number from 0 to 20000");
  EXPECT_EQ(problem_complaint("0 m.map 3 2 0 1 1 0 nan"),
            "m.scen:1: the optimum is \"nan\", but must be a finite number from 0 on");
}

TEST(MovingAi, ReadsEveryPairOfTheBenchmark) {
  const std::filesystem::path folder = std::filesystem::path(test::source_path()) / "../shared/data/movingai";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << folder << " is absent";
  int n_pairs = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".map") continue;
    const auto map = load_movingai_map(entry.path().string());
    ASSERT_TRUE(map) << map.error().message;
    const auto problems = load_movingai_problems(entry.path().string() + ".scen", map->frame());
    ASSERT_TRUE(problems) << problems.error().message;
    for (const MovingAiProblem& problem : *problems) EXPECT_TRUE((*map)[problem.start] && (*map)[problem.goal]);
    ++n_pairs;
  }
  EXPECT_GE(n_pairs, 9);
}

}  // namespace
}  // namespace forerun::atlas
