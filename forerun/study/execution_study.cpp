#include "forerun/study/execution_study.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "forerun/mission/make_mission.hpp"
#include "forerun/mission/record_drive.hpp"

namespace forerun::study {
namespace {

using mission::Fault;
using mission::FaultKind;

constexpr double kShortest = 5;      // way of a mission, straight from start to goal [m]
constexpr double kFarthest = 15;     // likewise [m]
constexpr int kTries = 200;          // to find a start and a goal
constexpr int kMissionTries = 10;    // to make a mission that can be rehearsed
constexpr double kRoomNeeded = 0.1;  // a mission that comes nearer to something is not uploaded [m]
constexpr double kBesidePath = 0.3;  // between the footprint and a box of the crowd [m]
constexpr double kLimit = 300;       // for a try-out [s]

struct Route {
  sim::Scenario scenario;
  mission::Mission mission;
};

// A place where the robot can stand, with some room around it.
std::optional<Vec2> draw_place(const navigate::PlanningModel& planning, Random& random) {
  const GridFrame& frame = planning.grid.frame();
  for (int i = 0; i < kTries; ++i) {
    const Cell cell{static_cast<int>(random.below(static_cast<std::uint64_t>(frame.width))),
                    static_cast<int>(random.below(static_cast<std::uint64_t>(frame.height)))};
    if (planning.grid.is_free(cell) && planning.clearance[cell] > 0.5f) return frame.center(cell);
  }
  return std::nullopt;
}

std::optional<sim::Scenario> draw_scenario(const navigate::PlanningModel& planning, Random& random) {
  for (int i = 0; i < kTries; ++i) {
    const auto from = draw_place(planning, random), to = draw_place(planning, random);
    if (!from || !to || distance(*from, *to) < kShortest || distance(*from, *to) > kFarthest) continue;
    sim::Scenario scenario;
    scenario.start = {from->x, from->y, random.uniform(-kPi, kPi)};
    scenario.goals = {{"goal", *to, 0}};
    return scenario;
  }
  return std::nullopt;
}

// Tried out by the planner, trimmed, and rehearsed.
std::optional<Route> draw_route(const sim::Setting& setting, const mission::RehearsedWorld& known, Random& random) {
  for (int i = 0; i < kMissionTries; ++i) {
    const auto scenario = draw_scenario(known.planning, random);
    if (!scenario) return std::nullopt;
    const auto model = sim::make_model({setting.world, setting.robot, *scenario, sim::kExact}, 1);
    if (!model) continue;  // no way leads from one to the other
    const auto path = mission::record_goals(*model, kLimit);
    if (!path) continue;
    const auto trimmed = mission::apply_cuts(*path, mission::find_cuts(*path, {}).cuts);
    auto made = mission::make_mission("mission", trimmed, setting.world, setting.robot);
    if (made && made->trial.min_clearance_m >= kRoomNeeded) return Route{*scenario, std::move(made->mission)};
  }
  return std::nullopt;
}

std::size_t first_laser(const robot::Description& robot) {
  const auto found = std::find_if(robot.sensors.begin(), robot.sensors.end(), [](const robot::Sensor& sensor) {
    return std::holds_alternative<robot::Laser>(sensor);
  });
  return found == robot.sensors.end() ? 0 : static_cast<std::size_t>(found - robot.sensors.begin());
}

// Every second mission has one, of each kind in turn.
Fault draw_fault(int number, const mission::Mission& mission, const robot::Description& robot, Random& random) {
  Fault fault;
  if (number % 2 == 0) return fault;
  fault.kind = static_cast<FaultKind>(1 + number / 2 % (mission::kFaultKinds - 1));
  fault.at_s = random.uniform(0.3, 0.6) * mission.path.back().time;
  const double angle = random.uniform(-kPi, kPi), far = random.uniform(0.4, 1.0);
  fault.jump = {far * cos(angle), far * sin(angle), random.uniform(-0.3, 0.3)};
  fault.grip = random.uniform(0.5, 0.8);
  const bool slips = fault.kind == FaultKind::slip;
  fault.part = slips ? random.below(static_cast<std::uint64_t>(robot.drive.n_wheels)) : first_laser(robot);
  if (fault.kind != FaultKind::obstacle) return fault;
  // the box must not stand where the robot starts
  const Vec2 start = mission.path.front().pose.position();
  while (fault.at_s < mission.path.back().time * 0.9 &&
         distance(mission::point_at(mission.path, fault.at_s).pose.position(), start) < 2) {
    fault.at_s += 0.5;
  }
  return fault;
}

// What the crowd has put onto the path would end every mission before anything planted can show: people walk there, but
// boxes stand beside it, unless they are planted.
void clear_path(const mission::TimedPath& path, const robot::Description& robot, sim::Model& model) {
  std::erase_if(model.cast.boxes, [&](const world::Mover& box) {
    return std::any_of(path.begin(), path.end(), [&](const mission::TimedPoint& point) {
      return world::plan_distance(box, point.pose.position()) < robot.footprint.radius + kBesidePath;
    });
  });
}

bool fits(FaultKind kind, mission::Departure departure) {
  switch (kind) {
    case FaultKind::none:
      return false;
    case FaultKind::obstacle:
      return departure == mission::Departure::blocked;
    case FaultKind::localization_jump:
      return departure == mission::Departure::off_path;
    case FaultKind::slip:
      return departure == mission::Departure::calibration_drifted || departure == mission::Departure::off_path;
    case FaultKind::blind_sensor:
    case FaultKind::stuck_sensor:
    case FaultKind::silent_sensor:
      break;
  }
  return departure == mission::Departure::sensors_disagree;
}

}  // namespace

bool ExecutionRun::handed_back_correctly() const {
  if (!handed_back()) return false;
  if (departed() && fits(fault.kind, trial.departure)) return true;
  return trial.departure == mission::Departure::blocked && trial.something_in_way;
}

bool ExecutionRun::is_false_alarm() const { return handed_back() && !departed() && !handed_back_correctly(); }

Result<ExecutionResult> run_execution_study(const sim::Setting& given, const ExecutionParams& params,
                                            const OnProgress& on_progress) {
  sim::Setting setting = given;
  setting.scenario = {};
  const robot::Description driven = mission::for_missions(setting.robot);
  const auto known = mission::make_rehearsed_world(setting.world, driven);
  if (!known) return known.error();
  std::vector<std::optional<ExecutionRun>> runs(static_cast<std::size_t>(params.missions));
  const bool done = for_each_piece(
      runs.size(),
      [&](std::size_t i) {
        Random random(params.seed, 0xe0000 + i);
        const auto route = draw_route(setting, *known, random);
        if (!route) return;
        auto model = sim::make_model({setting.world, driven, route->scenario, setting.reality}, params.seed * 1000 + i);
        if (!model) return;
        clear_path(route->mission.path, driven, *model);
        ExecutionRun run;
        run.length_m = mission::length_of(route->mission.path);
        run.duration_s = route->mission.path.back().time;
        run.fault = draw_fault(static_cast<int>(i), route->mission, driven, random);
        run.trial = mission::run_trial(route->mission, *known, std::move(*model), {}, run.fault);
        runs[i] = std::move(run);
      },
      on_progress);
  if (!done) return Error{"the study was ended early", ErrorKind::impossible};
  ExecutionResult result;
  for (auto& run : runs) {
    if (run) result.runs.push_back(std::move(*run));
  }
  if (result.runs.empty()) return Error{"no mission can be driven in this world", ErrorKind::impossible};
  return result;
}

nlohmann::ordered_json to_json(const ExecutionResult& result) {
  int completed = 0, collisions = 0, handed_back = 0, correctly = 0, false_alarms = 0, planted = 0, missed = 0;
  double sum = 0, time = 0;
  for (const ExecutionRun& run : result.runs) {
    completed += run.trial.state == mission::MissionState::done ? 1 : 0;
    collisions += run.trial.collisions;
    handed_back += run.handed_back() ? 1 : 0;
    correctly += run.handed_back_correctly() ? 1 : 0;
    false_alarms += run.is_false_alarm() ? 1 : 0;
    planted += run.departed() ? 1 : 0;
    missed += run.departed() && !run.handed_back() ? 1 : 0;
    // what was planted drives the robot off its path
    if (run.fault.kind != FaultKind::none) continue;
    sum += square(run.trial.cross_track_rms_m) * run.trial.duration_s;
    time += run.trial.duration_s;
  }
  return {{"missions", result.runs.size()},
          {"completed", completed},
          {"collisions", collisions},
          {"cross_track_rms_m", time > 0 ? sqrt(sum / time) : 0.0},
          {"handed_back", handed_back},
          {"handed_back_correctly", correctly},
          {"false_alarms", false_alarms},
          {"planted", planted},
          {"missed", missed}};
}

}  // namespace forerun::study
