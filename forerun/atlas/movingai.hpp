// Grid maps and problems with known optimal lengths, in the format of the MovingAI benchmarks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "forerun/base/result.hpp"
#include "forerun/geom/grid.hpp"

namespace forerun::atlas {

// One problem: the shortest way with steps of 1 and √2 that cut no corner.
struct MovingAiProblem {
  Cell start;
  Cell goal;
  double optimal_length = 0;
};

// 1 where passable ('.', 'G', 'S'), 0 elsewhere; y runs down as in the file; cells of 1 m.
[[nodiscard]] Result<Grid<std::uint8_t>> load_movingai_map(const std::string& path);
[[nodiscard]] Result<Grid<std::uint8_t>> parse_movingai_map(std::string_view text, const std::string& file);

// Problems on a map of the size of `frame`; a cell outside it is an error.
[[nodiscard]] Result<std::vector<MovingAiProblem>> load_movingai_problems(const std::string& path,
                                                                          const GridFrame& frame);
[[nodiscard]] Result<std::vector<MovingAiProblem>> parse_movingai_problems(std::string_view text,
                                                                           const std::string& file,
                                                                           const GridFrame& frame);

}  // namespace forerun::atlas
