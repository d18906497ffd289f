// A simulated robot behind the C interface: what the golden scenarios run natively and in WebAssembly.
#include <cmath>
#include <memory>
#include <span>
#include <utility>

#include "forerun/navigate/control_systems.hpp"
#include "forerun/sim/command_reply.hpp"
#include "forerun/sim/loop.hpp"
#include "forerun/sim/report.hpp"
#include "forerun/sync/report_wire.hpp"
#include "forerun/wasm/capacity.hpp"
#include "forerun/wasm/model.hpp"
#include "forerun/wasm/results.hpp"

struct ForerunSimulation {
  explicit ForerunSimulation(forerun::sim::Model its_model)
      : model(std::move(its_model)),
        control(forerun::navigate::make_own_control_system(model.planning, model.robot)),
        loop(model, *control) {}

  forerun::sim::Model model;
  std::unique_ptr<forerun::navigate::ControlSystem> control;
  forerun::sim::Loop loop;
  std::uint32_t n_reports = 0;
};

namespace forerun::wasm {
namespace {

constexpr std::size_t kHead = 5;  // numbers before the goals

bool is_count(double number) noexcept { return number >= 0 && number <= 1000 && number == std::floor(number); }

Result<sim::Scenario> read_scenario(std::span<const double> numbers, const world::World& world) {
  for (const double number : numbers) {
    if (!std::isfinite(number)) return Error{"the scenario has numbers that are not finite"};
  }
  if (numbers.size() < kHead || !is_count(numbers[3]) || !is_count(numbers[4])) {
    return Error{"the scenario must begin with x, y, heading, number of goals and number of door times"};
  }
  const auto n_goals = static_cast<std::size_t>(numbers[3]), n_doors = static_cast<std::size_t>(numbers[4]);
  if (numbers.size() != kHead + 3 * (n_goals + n_doors)) {
    return Error{"the scenario has " + std::to_string(numbers.size()) + " numbers, but must have " +
                 std::to_string(kHead + 3 * (n_goals + n_doors))};
  }
  sim::Scenario scenario;
  scenario.start = {numbers[0], numbers[1], numbers[2]};
  for (std::size_t i = 0; i < n_goals; ++i) {
    const auto goal = numbers.subspan(kHead + 3 * i, 3);
    scenario.goals.push_back({"", {goal[0], goal[1]}, goal[2]});
  }
  for (std::size_t i = 0; i < n_doors; ++i) {
    const auto door = numbers.subspan(kHead + 3 * (n_goals + i), 3);
    if (!is_count(door[0]) || door[0] >= static_cast<double>(world.doors.size())) {
      return Error{"the scenario names a door that the world " + world.name + " does not have"};
    }
    scenario.doors.push_back({world.doors[static_cast<std::size_t>(door[0])].name, door[1], door[2]});
  }
  return scenario;
}

Result<sim::Model> make_simulation(const Model& model, std::span<const double> numbers, int reality,
                                   std::uint32_t seed) {
  if (reality < 0 || static_cast<std::size_t>(reality) >= sim::kRealities.size()) {
    return Error{"the reality is " + std::to_string(reality) + ", but must be 0 to 3"};
  }
  const auto& [world, robot] = model.bundle;
  auto scenario = read_scenario(numbers, world);
  if (!scenario) return scenario.error();
  const double needed = bytes_for_plan(world, robot.control.cell_size) + bytes_for_sensors(world, robot) +
                        bytes_for_goal_plan(model.replica.planning.grid.frame(), 2) + kBytesForControl;
  if (auto room = check_room("the simulation", needed); !room) return room.error();
  return sim::make_model({world, robot, *scenario, sim::kRealities[static_cast<std::size_t>(reality)]}, seed);
}

}  // namespace
}  // namespace forerun::wasm

using forerun::wasm::give;
using forerun::wasm::refuse;
using forerun::wasm::results;

ForerunSimulation* forerun_simulation_create(ForerunModel* model, const double* scenario, uint32_t n_numbers,
                                             int32_t reality, uint32_t seed) {
  auto made = forerun::wasm::make_simulation(*model->model, {scenario, n_numbers}, reality, seed);
  if (!made) {
    refuse(made.error().message);
    return nullptr;
  }
  return new ForerunSimulation(std::move(*made));
}

void forerun_simulation_free(ForerunSimulation* simulation) { delete simulation; }

int32_t forerun_simulation_run(ForerunSimulation* simulation, double until_s) {
  forerun::sim::Loop& loop = simulation->loop;
  const auto at_rest = [&] { return loop.finished() && loop.helm() != forerun::sim::Helm::hand; };
  while (!at_rest() && forerun::to_seconds(loop.time()) < until_s) loop.step();
  return at_rest() ? 1 : 0;
}

int32_t forerun_simulation_command(ForerunSimulation* simulation, int32_t kind, double x_or_v, double y_or_vy,
                                   double w) {
  if (kind < FORERUN_COMMAND_GOAL || kind > FORERUN_COMMAND_DRIVE) return refuse("there is no such command");
  const forerun::robot::Command command{.kind = static_cast<forerun::robot::CommandKind>(kind),
                                        .goal = {x_or_v, y_or_vy},
                                        .velocity = {x_or_v, y_or_vy, w}};
  const forerun::robot::Reply reply = forerun::sim::reply_of(simulation->loop.command(command));
  if (reply.state == forerun::robot::Reply::State::accepted) return FORERUN_OK;
  return refuse(forerun::robot::explain(reply.refusal));
}

int32_t forerun_simulation_state(ForerunSimulation* simulation) {
  const forerun::sim::Loop& loop = simulation->loop;
  const forerun::Pose2& pose = loop.truth().pose;
  give({static_cast<double>(loop.time().ns), pose.x, pose.y, pose.theta,
        static_cast<double>(loop.executive().n_reached()), static_cast<double>(loop.statistics().collisions),
        loop.plant().path_length(), static_cast<double>(loop.state_hash() >> 32),
        static_cast<double>(loop.state_hash() & 0xffffffffU)});
  return FORERUN_OK;
}

int32_t forerun_simulation_report(ForerunSimulation* simulation) {
  const auto report = forerun::sim::make_report(simulation->loop, {.robot = 1, .sequence = simulation->n_reports++});
  const auto body = forerun::sync::encode_report(report);
  if (!body) return refuse("the robot's state does not fit into a report");
  results().bytes.assign(body->begin(), body->end());
  return static_cast<int32_t>(results().bytes.size());
}
