// Value iteration against textbook sweeps and a binary heap, on a large office floor, and what a repair saves.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "bench/ratios.hpp"
#include "bench/reference_planners.hpp"
#include "forerun/atlas/world_file.hpp"
#include "forerun/base/hash.hpp"
#include "forerun/io/robot_file.hpp"
#include "forerun/io/scenario_file.hpp"
#include "forerun/navigate/goal_plan.hpp"
#include "forerun/navigate/target_points.hpp"
#include "forerun/navigate/value_function.hpp"
#include "forerun/world/doors.hpp"

namespace forerun::bench {
namespace {

using navigate::PlanningGrid;
using navigate::ValueFunction;

constexpr int kSide = 1000;
constexpr Cell kGoal{kSide / 2 + 5, kSide / 2};

// A million cells and all that plans on them.
struct Office {
  explicit Office(bool with_clearance)
      : free(make_office_grid(kSide)),
        clearance(world::clearance(free)),
        factors(navigate::clearance_factors(clearance, {.distance = 0.5, .extra = 2})),
        grid(free, with_clearance ? &factors : nullptr),
        values(free.frame()),
        dijkstra(grid),
        sweeps(grid) {}

  world::FreeGrid free;
  Grid<float> clearance, factors;
  PlanningGrid grid;
  ValueFunction values;
  HeapDijkstra dijkstra;
  TextbookSweeps sweeps;
};

Office& office(bool with_clearance) {
  static Office plain(false), with_cost(true);
  return with_clearance ? with_cost : plain;
}

template <class Values>
std::uint64_t hash_of(const GridFrame& frame, const Values& values) {
  Hash hash;
  for (std::size_t i = 0; i < frame.size(); ++i) hash.add(values.value(frame.cell_at(i)));
  return hash.value();
}

template <class Work>
double milliseconds(Work&& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> times) {
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2), times.end());
  return times[times.size() / 2];
}

void report_planning(const char* what, Office& o, bool with_sweeps) {
  constexpr int kRounds = 21;
  std::vector<double> ours, dijkstra;
  for (int i = 0; i < kRounds; ++i) {
    ours.push_back(milliseconds([&] { o.values.plan(o.grid, kGoal); }));
    dijkstra.push_back(milliseconds([&] { o.dijkstra.plan(kGoal); }));
  }
  const std::uint64_t hash = hash_of(o.free.frame(), o.values);
  bool same = hash == hash_of(o.free.frame(), o.dijkstra);
  std::printf("value iteration, %d x %d office grid%s: ", kSide, kSide, what);
  if (with_sweeps) {
    int n_sweeps = 0;
    const double sweeps = milliseconds([&] { n_sweeps = o.sweeps.plan(kGoal); });
    same = same && hash == hash_of(o.free.frame(), o.sweeps);
    std::printf("%.0fx textbook sweeps (%d of them), ", sweeps / median(ours), n_sweeps);
  }
  std::printf("%.1fx binary-heap Dijkstra, %.1f ms for %zu cells, values %016llx, %s\n",
              median(dijkstra) / median(ours), median(ours), o.values.n_expanded(),
              static_cast<unsigned long long>(hash), same ? "all the same bits" : "BUT THE VALUES DIFFER");
}

// The doorway of a room beside the corridor, as far from the goal as most.
std::vector<Cell> find_door(const world::FreeGrid& free) {
  std::vector<Cell> door;
  constexpr int kWallY = 100;
  for (int x = 2; x < 100; ++x) {
    if (free[Cell{x, kWallY}] != 0) door.push_back({x, kWallY});
  }
  return door;
}

void report_repair(Office& o) {
  const std::vector<Cell> door = find_door(o.free);
  std::vector<double> plans, repairs;
  bool same = true;
  for (int i = 0; i < 20; ++i) {
    const bool open = i % 2 == 1;
    o.grid.set_free(door, open);
    repairs.push_back(milliseconds([&] { o.values.repair(o.grid, door); }));
    const std::uint64_t hash = hash_of(o.free.frame(), o.values);
    plans.push_back(milliseconds([&] { o.values.plan(o.grid, kGoal); }));
    same = same && hash == hash_of(o.free.frame(), o.values);
  }
  std::printf("repair after a door has opened or closed, same grid: %.0fx a new plan, %.2f ms, %s\n",
              median(plans) / median(repairs), median(repairs), same ? "same bits" : "BUT THE VALUES DIFFER");
}

// A real world, its doors, and the goals of a tour through it.
struct Building {
  explicit Building(const std::string& scenario_name)
      : scenario(*io::load_scenario(FORERUN_SOURCE_DIR "/scenarios/" + scenario_name + ".yaml")),
        robot(*io::load_robot(scenario.robot)),
        model(std::move(
            *navigate::make_planning_model(world::with_doors_open(*atlas::load_world(scenario.world)), robot))),
        plan(model),
        fresh(model.grid.frame()) {}

  // New plan over repair, of one door that closes or opens while everything else stays as it is; 0: other values.
  double ratio(Vec2 goal, std::uint16_t door, bool closes) {
    constexpr int kRounds = 15;
    const robot::Change closed{.number = 1, .kind = robot::Change::Kind::door, .door = door, .opening = 0};
    const std::span<const robot::Change> with{&closed, 1}, without;
    std::vector<double> plans, repairs;
    for (int i = 0; i < kRounds; ++i) {
      plan.set_changes(closes ? without : with);
      plan.lead_to(goal);
      repairs.push_back(milliseconds([&] { plan.set_changes(closes ? with : without); }));
      plans.push_back(milliseconds([&] { fresh.plan(plan.grid(), plan.values().goal()); }));
    }
    if (hash_of(model.grid.frame(), plan.values()) != hash_of(model.grid.frame(), fresh)) return 0;
    return median(plans) / median(repairs);
  }

  sim::Scenario scenario;
  robot::Description robot;
  navigate::PlanningModel model;
  navigate::GoalPlan plan;
  ValueFunction fresh;
};

void report_doors() {
  std::vector<double> ratios;
  std::size_t n_doors = 0;
  for (const char* name : {"office-delivery", "museum-tour"}) {
    Building building(name);
    n_doors += building.model.doors.size();
    for (const sim::Goal& goal : building.scenario.goals) {
      for (std::size_t door = 0; door < building.model.doors.size(); ++door) {
        for (const bool closes : {true, false}) {
          ratios.push_back(building.ratio(goal.position, static_cast<std::uint16_t>(door), closes));
        }
      }
    }
  }
  const double least = *std::min_element(ratios.begin(), ratios.end());
  std::printf(
      "after one of the %zu doors of office and museum has closed or opened, for each goal of their tours: "
      "%.0fx a new plan (median of %zu), %.1fx at least, %s\n",
      n_doors, median(ratios), ratios.size(), least, least > 0 ? "same bits" : "BUT THE VALUES DIFFER");
}

void plan(benchmark::State& state, bool with_clearance) {
  Office& o = office(with_clearance);
  for (auto _ : state) benchmark::DoNotOptimize(o.values.plan(o.grid, kGoal));
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * o.values.n_expanded()));
  state.SetLabel(std::to_string(hash_of(o.free.frame(), o.values)));
}
void dijkstra(benchmark::State& state, bool with_clearance) {
  Office& o = office(with_clearance);
  for (auto _ : state) o.dijkstra.plan(kGoal);
  state.SetLabel(std::to_string(hash_of(o.free.frame(), o.dijkstra)));
}
void repair_door(benchmark::State& state) {
  Office& o = office(false);
  const std::vector<Cell> door = find_door(o.free);
  o.values.plan(o.grid, kGoal);
  bool open = true;
  for (auto _ : state) {
    open = !open;
    o.grid.set_free(door, open);
    o.values.repair(o.grid, door);
  }
  o.grid.set_free(door, true);
}
void first_target(benchmark::State& state) {
  Office& o = office(true);
  o.values.plan(o.grid, kGoal);
  const Vec2 position = o.free.frame().center({120, 120});
  for (auto _ : state) {
    benchmark::DoNotOptimize(navigate::target_points(o.values, o.grid, o.clearance, position, {.max_points = 1}));
  }
}

BENCHMARK_CAPTURE(plan, plain, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(plan, with_clearance, true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(dijkstra, plain, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(dijkstra, with_clearance, true)->Unit(benchmark::kMillisecond);
BENCHMARK(repair_door)->Unit(benchmark::kMicrosecond);
BENCHMARK(first_target)->Unit(benchmark::kMicrosecond);

}  // namespace

void report_value_iteration_ratios() {
  report_planning("", office(false), true);
  report_planning(" with clearance cost", office(true), false);
  report_repair(office(false));
  report_doors();
}

}  // namespace forerun::bench
