#include "forerun/study/grid_plans.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <tuple>

#include "forerun/navigate/value_function.hpp"

namespace forerun::study {
namespace {

using Clock = std::chrono::steady_clock;
using atlas::MovingAiProblem;

constexpr double kTolerance = 1e-5;  // older files carry six digits of the optimal length

void judge(const MovingAiProblem& problem, double length, GridPlans& tally) {
  ++tally.n_problems;
  if (!std::isfinite(length)) return;
  ++tally.n_solved;
  const double error = std::fabs(length - problem.optimal_length);
  const double relative = problem.optimal_length > 0 ? error / problem.optimal_length : error;
  if (relative <= kTolerance) ++tally.n_matched;
  tally.worst_relative_error = std::max(tally.worst_relative_error, relative);
}

}  // namespace

GridPlans plan_grid_problems(const navigate::PlanningGrid& grid, std::vector<MovingAiProblem> problems,
                             const OnProgress& on_progress) {
  std::stable_sort(problems.begin(), problems.end(), [](const MovingAiProblem& a, const MovingAiProblem& b) {
    return std::tie(a.goal.y, a.goal.x) < std::tie(b.goal.y, b.goal.x);
  });
  navigate::ValueFunction values(grid.frame());
  GridPlans tally;
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
    const double share = static_cast<double>(tally.n_problems) / static_cast<double>(problems.size());
    if (on_progress && !on_progress(share)) break;
  }
  return tally;
}

}  // namespace forerun::study
