#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "forerun/app/arguments.hpp"
#include "forerun/app/commands.hpp"
#include "forerun/app/output.hpp"
#include "forerun/app/plan_command.hpp"
#include "forerun/app/terminal.hpp"
#include "forerun/draw/plan_picture.hpp"
#include "forerun/io/file.hpp"
#include "forerun/io/robot_file.hpp"
#include "forerun/io/world_file.hpp"
#include "forerun/navigate/line_of_sight.hpp"
#include "forerun/navigate/path.hpp"
#include "forerun/navigate/planning_model.hpp"
#include "forerun/navigate/target_points.hpp"

namespace forerun::app {
namespace {

using Clock = std::chrono::steady_clock;

struct Task {
  world::World world;
  robot::Description robot;
  Vec2 from, to;
};

struct Plan {
  std::vector<Vec2> path;  // from the start to the goal
  navigate::TargetPoints targets;
  double cost = 0;  // length, with the extra for passing near to obstacles [m]
  std::size_t n_expanded = 0;
  double planning_ms = 0;
};

Result<Task> load(const PlanOptions& options) {
  const auto from = parse_point("--from", options.from);
  if (!from) return from.error();
  const auto to = parse_point("--to", options.to);
  if (!to) return to.error();
  const auto world_path = io::find_file(io::FileKind::world, options.world);
  if (!world_path) return world_path.error();
  const auto robot_path = io::find_file(io::FileKind::robot, options.robot);
  if (!robot_path) return robot_path.error();
  auto world = io::load_world(*world_path);
  if (!world) return world.error();
  auto robot = io::load_robot(*robot_path);
  if (!robot) return robot.error();
  return Task{std::move(*world), std::move(*robot), *from, *to};
}

std::string show_point(Vec2 p) {
  char text[80];
  std::snprintf(text, sizeof text, "(%.2f, %.2f)", p.x, p.y);
  return text;
}

Result<Plan> make_plan(const Task& task, const navigate::PlanningModel& model, navigate::ValueFunction& values) {
  if (auto ok = navigate::check_place(model, task.robot, task.from, "--from"); !ok) return ok.error();
  if (auto ok = navigate::check_place(model, task.robot, task.to, "--to"); !ok) return ok.error();
  Plan plan;
  const Clock::time_point start = Clock::now();
  values.plan(model.grid, model.grid.frame().cell_of(task.to));
  plan.planning_ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  plan.n_expanded = values.n_expanded();

  plan.path = navigate::path_from(values, model.grid, task.from);
  if (plan.path.empty()) {
    return Error{
        "--to " + show_point(task.to) + " cannot be reached from " + show_point(task.from) + " by " + task.robot.name,
        ErrorKind::impossible};
  }
  // cells end where the points themselves are
  if (plan.path.size() == 1) plan.path.push_back(task.to);
  plan.path.front() = task.from;
  plan.path.back() = task.to;
  plan.cost = values.value(values.frame().cell_of(task.from)) * values.frame().cell_size;
  plan.targets =
      navigate::target_points(values, model.grid, model.clearance, task.from, navigate::target_params(task.robot));
  // the goal itself, not the centre of its cell
  const GridFrame& frame = model.grid.frame();
  if (!plan.targets.empty() && frame.cell_of(plan.targets.back()) == values.goal()) plan.targets.back() = task.to;
  return plan;
}

template <class Points>
nlohmann::ordered_json to_json(const Points& points) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Vec2 p : points) list.push_back({p.x, p.y});
  return list;
}

nlohmann::ordered_json to_json(const Plan& plan) {
  return {{"reachable", true},
          {"path_length_m", navigate::path_length(plan.path)},
          {"cost", plan.cost},
          {"expanded_cells", plan.n_expanded},
          {"value_iteration_ms", plan.planning_ms},
          {"path", to_json(plan.path)},
          {"target_points", to_json(plan.targets)}};
}

Result<void> draw(const Task& task, const navigate::ValueFunction& values, const Plan& plan, const std::string& file) {
  Grid<double> metres(values.frame());
  for (std::size_t i = 0; i < metres.size(); ++i) {
    metres[i] = values.value(metres.frame().cell_at(i)) * metres.frame().cell_size;
  }
  std::vector<Vec2> hops{task.from};
  for (const Vec2 target : plan.targets) hops.push_back(target);

  char subtitle[160];
  std::snprintf(subtitle, sizeof subtitle, "%s in %s · %.2f m · value iteration over %zu cells in %.1f ms",
                task.robot.name.c_str(), task.world.name.c_str(), navigate::path_length(plan.path), plan.n_expanded,
                plan.planning_ms);
  draw::PlanPicture picture("Value function and path");
  picture.set_subtitle(subtitle);
  picture.add_world(task.world);
  picture.add_value_function(metres);
  picture.add_path(plan.path, {.label = "path"});
  picture.add_path(hops, {.colour = "#1f5fa8", .width_px = 1.2, .dashed = true, .label = "target points"});
  for (const Vec2 target : plan.targets) picture.add_robot({target.x, target.y, 0}, {.radius = 0.06});
  picture.add_start({task.from.x, task.from.y, angle_of(hops.size() > 1 ? hops[1] - hops[0] : Vec2{1, 0})});
  picture.add_goal(task.to, "1");
  return picture.write(file);
}

}  // namespace

int plan_in_world(const PlanOptions& options) {
  const auto task = load(options);
  if (!task) return complain(task.error());
  const auto model = navigate::make_planning_model(task->world, task->robot);
  if (!model) return complain(model.error());
  navigate::ValueFunction values(model->grid.frame());
  const auto plan = make_plan(*task, *model, values);
  if (!plan) return complain(plan.error());

  if (!options.svg.empty()) {
    if (const auto drawn = draw(*task, values, *plan, options.svg); !drawn) return complain(drawn.error());
  }
  if (!options.json.empty()) {
    if (const auto written = write_json(options.json, to_json(*plan)); !written) return complain(written.error());
  }
  if (options.json != "-") {
    std::printf("%.2f m through %zu target points, value iteration over %zu cells in %.1f ms\n",
                navigate::path_length(plan->path), plan->targets.size(), plan->n_expanded, plan->planning_ms);
    if (!options.svg.empty()) std::printf("picture: %s\n", options.svg.c_str());
  }
  return kDone;
}

}  // namespace forerun::app
