// A plan from one place of a world to another: the path, what it cost to find it, JSON and a picture.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "forerun/base/result.hpp"
#include "forerun/navigate/planning_model.hpp"
#include "forerun/navigate/target_points.hpp"
#include "forerun/navigate/value_function.hpp"
#include "forerun/robot/description.hpp"
#include "forerun/world/world.hpp"

namespace forerun::study {

struct WorldPlanTask {
  world::World world;
  robot::Description robot;
  Vec2 from, to;
  std::string from_name = "the start", to_name = "the goal";  // in complaints
};

struct WorldPlan {
  std::vector<Vec2> path;  // from the start to the goal
  navigate::TargetPoints targets;
  double cost = 0;  // length, with the extra for passing near to obstacles [m]
  std::size_t n_expanded = 0;
  double planning_ms = 0;
};

// `values` is filled in. An error names the place that cannot be or cannot be reached.
[[nodiscard]] Result<WorldPlan> make_world_plan(const WorldPlanTask& task, const navigate::PlanningModel& model,
                                                navigate::ValueFunction& values);
[[nodiscard]] nlohmann::ordered_json to_json(const WorldPlan& plan);
[[nodiscard]] Result<void> draw_world_plan(const WorldPlanTask& task, const navigate::ValueFunction& values,
                                           const WorldPlan& plan, const std::string& file);

}  // namespace forerun::study
