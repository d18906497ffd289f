// How value iteration does on the problems of a grid benchmark (Moving AI), against the optimal lengths.
#pragma once

#include <cstddef>
#include <vector>

#include "forerun/atlas/movingai.hpp"
#include "forerun/navigate/planning_grid.hpp"
#include "forerun/study/workers.hpp"

namespace forerun::study {

struct GridPlans {
  std::size_t n_problems = 0;
  std::size_t n_solved = 0;
  std::size_t n_matched = 0;
  double worst_relative_error = 0;  // absolute where the optimum is 0
  double planning_ms = 0;
};

// Problems with one goal share a value function; a goal with a single problem stops as soon as that is solved.
[[nodiscard]] GridPlans plan_grid_problems(const navigate::PlanningGrid& grid,
                                           std::vector<atlas::MovingAiProblem> problems,
                                           const OnProgress& on_progress = {});

}  // namespace forerun::study
