#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

#include "forerun/app/commands.hpp"
#include "forerun/app/plan_command.hpp"
#include "forerun/atlas/world_file.hpp"
#include "forerun/cli/arguments.hpp"
#include "forerun/cli/output.hpp"
#include "forerun/cli/terminal.hpp"
#include "forerun/io/file.hpp"
#include "forerun/io/robot_file.hpp"
#include "forerun/navigate/path.hpp"
#include "forerun/navigate/planning_model.hpp"
#include "forerun/study/world_plan.hpp"

namespace forerun::app {
namespace {

Result<study::WorldPlanTask> load(const PlanOptions& options) {
  const auto from = cli::parse_point("--from", options.from);
  if (!from) return from.error();
  const auto to = cli::parse_point("--to", options.to);
  if (!to) return to.error();
  const auto world_path = io::find_file(io::FileKind::world, options.world);
  if (!world_path) return world_path.error();
  const auto robot_path = io::find_file(io::FileKind::robot, options.robot);
  if (!robot_path) return robot_path.error();
  auto world = atlas::load_world(*world_path);
  if (!world) return world.error();
  auto robot = io::load_robot(*robot_path);
  if (!robot) return robot.error();
  return study::WorldPlanTask{std::move(*world), std::move(*robot), *from, *to, "--from", "--to"};
}

}  // namespace

int plan_in_world(const PlanOptions& options) {
  const auto task = load(options);
  if (!task) return cli::complain(task.error());
  const auto model = navigate::make_planning_model(task->world, task->robot);
  if (!model) return cli::complain(model.error());
  navigate::ValueFunction values(model->grid.frame());
  const auto plan = study::make_world_plan(*task, *model, values);
  if (!plan) return cli::complain(plan.error());

  if (!options.svg.empty()) {
    if (const auto drawn = study::draw_world_plan(*task, values, *plan, options.svg); !drawn)
      return cli::complain(drawn.error());
  }
  if (!options.json.empty()) {
    if (const auto written = cli::write_json(options.json, study::to_json(*plan)); !written)
      return cli::complain(written.error());
  }
  if (options.json != "-") {
    std::printf("%.2f m through %zu target points, value iteration over %zu cells in %.1f ms\n",
                navigate::path_length(plan->path), plan->targets.size(), plan->n_expanded, plan->planning_ms);
    if (!options.svg.empty()) std::printf("picture: %s\n", options.svg.c_str());
  }
  return cli::kDone;
}

}  // namespace forerun::app
