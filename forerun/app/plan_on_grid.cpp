#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <tuple>
#include <vector>

#include "forerun/app/commands.hpp"
#include "forerun/app/output.hpp"
#include "forerun/app/plan_command.hpp"
#include "forerun/app/terminal.hpp"
#include "forerun/io/movingai.hpp"
#include "forerun/navigate/value_function.hpp"

namespace forerun::app {
namespace {

using Clock = std::chrono::steady_clock;
using io::MovingAiProblem;

constexpr double kTolerance = 1e-5;  // older files carry six digits of the optimal length

struct Tally {
  std::size_t n_problems = 0;
  std::size_t n_solved = 0;
  std::size_t n_matched = 0;
  double worst_relative_error = 0;  // absolute where the optimum is 0
  double planning_ms = 0;
};

void judge(const MovingAiProblem& problem, double length, Tally& tally) {
  ++tally.n_problems;
  if (!std::isfinite(length)) return;
  ++tally.n_solved;
  const double error = std::fabs(length - problem.optimal_length);
  const double relative = problem.optimal_length > 0 ? error / problem.optimal_length : error;
  if (relative <= kTolerance) ++tally.n_matched;
  tally.worst_relative_error = std::max(tally.worst_relative_error, relative);
}

// Problems with one goal share a value function; a goal with a single problem stops as soon as that is solved.
Tally solve(const navigate::PlanningGrid& grid, std::vector<MovingAiProblem> problems) {
  std::stable_sort(problems.begin(), problems.end(), [](const MovingAiProblem& a, const MovingAiProblem& b) {
    return std::tie(a.goal.y, a.goal.x) < std::tie(b.goal.y, b.goal.x);
  });
  navigate::ValueFunction values(grid.frame());
  Progress progress("planning");
  Tally tally;
  for (auto first = problems.begin(); first != problems.end();) {
    const auto last = std::find_if(first, problems.end(), [&](const auto& p) { return !(p.goal == first->goal); });
    const Clock::time_point start = Clock::now();
    if (last - first == 1) {
      values.plan_until(grid, first->goal, first->start);
    } else {
      values.plan(grid, first->goal);
    }
    tally.planning_ms += std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    for (; first != last; ++first) judge(*first, values.value(first->start), tally);
    progress.update(static_cast<double>(tally.n_problems) / static_cast<double>(problems.size()));
  }
  return tally;
}

}  // namespace

int plan_on_grid(const PlanOptions& options) {
  const auto free = io::load_movingai_map(options.grid);
  if (!free) return complain(free.error());
  const auto problems = io::load_movingai_problems(options.scenarios, free->frame());
  if (!problems) return complain(problems.error());

  const Tally tally = solve(navigate::PlanningGrid(*free), *problems);
  if (options.json != "-") {
    std::printf(
        "%zu problems, %zu solved, %zu with the optimal length, worst relative error %.2g, %.0f ms of planning\n",
        tally.n_problems, tally.n_solved, tally.n_matched, tally.worst_relative_error, tally.planning_ms);
  }
  if (options.json.empty()) return kDone;
  const auto written = write_json(options.json, {{"scenarios", tally.n_problems},
                                                 {"solved", tally.n_solved},
                                                 {"matched", tally.n_matched},
                                                 {"worst_relative_error", tally.worst_relative_error},
                                                 {"value_iteration_ms", tally.planning_ms}});
  return written ? kDone : complain(written.error());
}

}  // namespace forerun::app
