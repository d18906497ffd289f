#include <cstdio>
#include <nlohmann/json.hpp>
#include <vector>

#include "forerun/app/commands.hpp"
#include "forerun/app/plan_command.hpp"
#include "forerun/atlas/movingai.hpp"
#include "forerun/cli/output.hpp"
#include "forerun/cli/terminal.hpp"
#include "forerun/study/grid_plans.hpp"

namespace forerun::app {
namespace {

study::GridPlans solve(const navigate::PlanningGrid& grid, const std::vector<atlas::MovingAiProblem>& problems) {
  cli::Progress progress("planning");
  return study::plan_grid_problems(grid, problems, [&](double share) {
    progress.update(share);
    return true;
  });
}

}  // namespace

int plan_on_grid(const PlanOptions& options) {
  const auto free = atlas::load_movingai_map(options.grid);
  if (!free) return cli::complain(free.error());
  const auto problems = atlas::load_movingai_problems(options.scenarios, free->frame());
  if (!problems) return cli::complain(problems.error());

  const study::GridPlans tally = solve(navigate::PlanningGrid(*free), *problems);
  if (options.json != "-") {
    std::printf(
        "%zu problems, %zu solved, %zu with the optimal length, worst relative error %.2g, %.0f ms of planning\n",
        tally.n_problems, tally.n_solved, tally.n_matched, tally.worst_relative_error, tally.planning_ms);
  }
  if (options.json.empty()) return cli::kDone;
  const auto written = cli::write_json(options.json, {{"scenarios", tally.n_problems},
                                                      {"solved", tally.n_solved},
                                                      {"matched", tally.n_matched},
                                                      {"worst_relative_error", tally.worst_relative_error},
                                                      {"value_iteration_ms", tally.planning_ms}});
  return written ? cli::kDone : cli::complain(written.error());
}

}  // namespace forerun::app
