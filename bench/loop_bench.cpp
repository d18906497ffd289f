// How much faster than real time the whole robot runs, and how many decisions a second the dynamic window makes.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <ctime>
#include <memory>
#include <vector>

#include "bench/ratios.hpp"
#include "forerun/atlas/world_file.hpp"
#include "forerun/io/file.hpp"
#include "forerun/io/robot_file.hpp"
#include "forerun/io/scenario_file.hpp"
#include "forerun/navigate/navigator.hpp"
#include "forerun/sim/loop.hpp"

namespace forerun::bench {
namespace {

// Of this thread: others on the machine do not count.
double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

sim::Model load_delivery(const sim::Reality& reality, std::uint64_t seed) {
  const auto scenario = io::load_scenario(FORERUN_SOURCE_DIR "/scenarios/office-delivery.yaml");
  const auto world = atlas::load_world(scenario->world);
  const auto robot = io::load_robot(scenario->robot);
  return std::move(*sim::make_model({*world, *robot, *scenario, reality}, seed));
}

// One whole delivery; a fast wrong answer shows in the hash.
struct Drive {
  double simulated = 0;  // [s]
  double elapsed = 0;    // [s]
  std::uint64_t hash = 0;
};

Drive drive(const sim::Model& model) {
  const double start = cpu_seconds();
  navigate::Navigator navigator(model.planning, model.robot);
  sim::Loop loop(model, navigator);
  while (!loop.finished()) loop.step();
  return {to_seconds(loop.time()), cpu_seconds() - start, loop.state_hash()};
}

// A moment in the doorway of an office: the control system with its percept.
struct Moment {
  explicit Moment(const sim::Model& model) : navigator(model.planning, model.robot), loop(model, navigator) {
    while (to_seconds(loop.time()) < 24) loop.step();
  }
  [[nodiscard]] navigate::Percept percept() const {
    return {loop.time(), loop.reported_pose(), loop.plant().odometry(), loop.plant().measured_velocity(),
            loop.readings()};
  }
  navigate::Navigator navigator;
  sim::Loop loop;
};

void BM_Delivery(benchmark::State& state) {
  const sim::Model model = load_delivery(sim::kRealities[static_cast<std::size_t>(state.range(0))], 1);
  double simulated = 0;
  for (auto _ : state) simulated += drive(model).simulated;
  state.counters["simulated_s_per_s"] = benchmark::Counter(simulated, benchmark::Counter::kIsRate);
  state.SetLabel(model.reality.name);
}
BENCHMARK(BM_Delivery)->DenseRange(0, 3)->Unit(benchmark::kMillisecond);

void BM_Decision(benchmark::State& state) {
  const sim::Model model = load_delivery(sim::kNoisy, 1);
  Moment moment(model);
  const navigate::Percept percept = moment.percept();
  for (auto _ : state) benchmark::DoNotOptimize(moment.navigator.decide(percept));
  state.counters["decisions_per_s"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK(BM_Decision)->Unit(benchmark::kMicrosecond);

}  // namespace

void report_loop_rates() {
  for (const sim::Reality& reality : sim::kRealities) {
    const sim::Model model = load_delivery(reality, 1);
    Drive best = drive(model);
    for (int i = 0; i < 4; ++i) {
      const Drive again = drive(model);
      if (again.elapsed < best.elapsed) best = again;
    }
    std::printf("whole loop, office delivery, %s: %.0f simulated seconds per second (state %016llx)\n", reality.name,
                best.simulated / best.elapsed, static_cast<unsigned long long>(best.hash));
  }
  const sim::Model model = load_delivery(sim::kNoisy, 1);
  Moment moment(model);
  const navigate::Percept percept = moment.percept();
  constexpr int kDecisions = 2000;
  const double start = cpu_seconds();
  for (int i = 0; i < kDecisions; ++i) benchmark::DoNotOptimize(moment.navigator.decide(percept));
  const double elapsed = cpu_seconds() - start;
  std::printf("dynamic window: %.0f decisions per second, %.0f times the four that a robot needs\n",
              kDecisions / elapsed, kDecisions / elapsed / 4);
}

}  // namespace forerun::bench
