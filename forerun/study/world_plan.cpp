#include "forerun/study/world_plan.hpp"

#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "forerun/draw/plan_picture.hpp"
#include "forerun/navigate/path.hpp"

namespace forerun::study {
namespace {

using Clock = std::chrono::steady_clock;

std::string show_point(Vec2 p) {
  char text[80];
  std::snprintf(text, sizeof text, "(%.2f, %.2f)", p.x, p.y);
  return text;
}

template <class Points>
nlohmann::ordered_json points_json(const Points& points) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Vec2 p : points) list.push_back({p.x, p.y});
  return list;
}

}  // namespace

Result<WorldPlan> make_world_plan(const WorldPlanTask& task, const navigate::PlanningModel& model,
                                  navigate::ValueFunction& values) {
  if (auto ok = navigate::check_place(model, task.robot, task.from, task.from_name.c_str()); !ok) return ok.error();
  if (auto ok = navigate::check_place(model, task.robot, task.to, task.to_name.c_str()); !ok) return ok.error();
  WorldPlan plan;
  const Clock::time_point start = Clock::now();
  values.plan(model.grid, model.grid.frame().cell_of(task.to));
  plan.planning_ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  plan.n_expanded = values.n_expanded();

  plan.path = navigate::path_from(values, model.grid, task.from);
  if (plan.path.empty()) {
    return Error{task.to_name + " " + show_point(task.to) + " cannot be reached from " + show_point(task.from) +
                     " by " + task.robot.name,
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

nlohmann::ordered_json to_json(const WorldPlan& plan) {
  return {{"reachable", true},
          {"path_length_m", navigate::path_length(plan.path)},
          {"cost", plan.cost},
          {"expanded_cells", plan.n_expanded},
          {"value_iteration_ms", plan.planning_ms},
          {"path", points_json(plan.path)},
          {"target_points", points_json(plan.targets)}};
}

Result<void> draw_world_plan(const WorldPlanTask& task, const navigate::ValueFunction& values, const WorldPlan& plan,
                             const std::string& file) {
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

}  // namespace forerun::study
