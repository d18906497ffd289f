// What looking ahead costs: the replica alone, and the whole predictor with the replicas that say how sure it is.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "bench/ratios.hpp"
#include "forerun/atlas/world_file.hpp"
#include "forerun/base/hash.hpp"
#include "forerun/io/robot_file.hpp"
#include "forerun/io/scenario_file.hpp"
#include "forerun/navigate/navigator.hpp"
#include "forerun/predict/predictor.hpp"
#include "forerun/predict/replica.hpp"
#include "forerun/study/office_study.hpp"

namespace forerun::bench {
namespace {

constexpr double kGap = 12.5;    // the papers' long gap [s]
constexpr double kInterval = 6;  // between two reports [s]
constexpr int kSweeps = 7;

// Everything that a robot said on a whole delivery: on its way, in doorways, waiting at goals and about to leave them.
struct Delivery {
  predict::ReplicaModel model;
  std::vector<robot::Report> reports;
};

Delivery load_delivery() {
  const auto scenario = io::load_scenario(FORERUN_SOURCE_DIR "/scenarios/office-delivery.yaml");
  const auto world = atlas::load_world(scenario->world);
  const auto robot = io::load_robot(scenario->robot);
  auto drive = study::simulate_drive({*world, *robot, *scenario, sim::kNoisy}, kInterval, 1);
  return {*predict::make_replica_model(*world, *robot), std::move(drive->reports)};
}

// The replica with the robot's own control system.
class ReplicaAlone {
 public:
  explicit ReplicaAlone(const predict::ReplicaModel& model)
      : navigator_(model.planning, model.robot), replica_(model, navigator_) {}
  Pose2 look_ahead(const robot::Report& report) {
    replica_.resync(report);
    replica_.advance(report.time + from_seconds(kGap));
    return replica_.state().pose;
  }

 private:
  navigate::Navigator navigator_;
  predict::Replica replica_;
};

class WholePredictor {
 public:
  explicit WholePredictor(const predict::ReplicaModel& model) : predictor_(model) {}
  Pose2 look_ahead(const robot::Report& report) {
    predictor_.resync(report);
    const Pose2 pose = predictor_.advance(report.time + from_seconds(kGap)).pose;
    benchmark::DoNotOptimize(predictor_.region(0.95));
    return pose;
  }

 private:
  predict::Predictor predictor_;
};

// Of this thread. What lasts longer than a slice of the scheduler is interrupted on a busy machine in every sweep, and
// the shortest of many wall times would then still contain the others' work.
double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// For each report the shortest time of all sweeps; a fast wrong answer shows in the hash.
struct Costs {
  std::vector<double> seconds;
  std::uint64_t hash = 0;

  [[nodiscard]] double worst() const { return *std::max_element(seconds.begin(), seconds.end()); }
  [[nodiscard]] double mean() const {
    double sum = 0;
    for (const double s : seconds) sum += s;
    return sum / static_cast<double>(seconds.size());
  }
};

// Each sweep starts anew, so that a new goal is planned for as often as on the drive.
template <class Method>
Costs measure(const Delivery& delivery) {
  Costs costs{std::vector<double>(delivery.reports.size(), std::numeric_limits<double>::infinity()), 0};
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    Method method(delivery.model);
    Hash hash;
    for (std::size_t i = 0; i < delivery.reports.size(); ++i) {
      const double start = cpu_seconds();
      const Pose2 pose = method.look_ahead(delivery.reports[i]);
      costs.seconds[i] = std::min(costs.seconds[i], cpu_seconds() - start);
      hash.add(pose.x);
      hash.add(pose.y);
      hash.add(pose.theta);
    }
    costs.hash = hash.value();
  }
  return costs;
}

// Over reports after which the robot drove all the time: one that waits costs next to nothing.
double rate_while_driving(const Delivery& delivery, const Costs& costs) {
  double elapsed = 0, simulated = 0;
  const auto& reports = delivery.reports;
  for (std::size_t i = 0; i + 3 < reports.size(); ++i) {
    // three intervals are longer than the gap
    const bool drives = std::all_of(reports.begin() + static_cast<std::ptrdiff_t>(i),
                                    reports.begin() + static_cast<std::ptrdiff_t>(i) + 4,
                                    [](const auto& r) { return r.task == robot::TaskState::driving; });
    if (!drives) continue;
    elapsed += costs.seconds[i];
    simulated += kGap;
  }
  return elapsed > 0 ? simulated / elapsed : 0;
}

template <class Method>
void run_look_ahead(benchmark::State& state) {
  const Delivery delivery = load_delivery();
  double simulated = 0;
  for (auto _ : state) {
    Method method(delivery.model);
    for (const robot::Report& report : delivery.reports) benchmark::DoNotOptimize(method.look_ahead(report));
    simulated += kGap * static_cast<double>(delivery.reports.size());
  }
  state.counters["simulated_s_per_s"] = benchmark::Counter(simulated, benchmark::Counter::kIsRate);
  state.SetLabel(std::to_string(delivery.reports.size()) + " reports, 12.5 s each");
}
BENCHMARK(run_look_ahead<ReplicaAlone>)->Name("BM_ReplicaLookAhead")->Unit(benchmark::kMillisecond);
BENCHMARK(run_look_ahead<WholePredictor>)->Name("BM_PredictorLookAhead")->Unit(benchmark::kMillisecond);

void print(const char* what, const Costs& costs) {
  std::printf(
      "resync after a gap of 12.5 s, %s: %.2f ms on average over %zu reports, %.2f ms at most (poses %016llx)\n", what,
      costs.mean() * 1e3, costs.seconds.size(), costs.worst() * 1e3, static_cast<unsigned long long>(costs.hash));
}

}  // namespace

void report_replica_rates() {
  const Delivery delivery = load_delivery();
  const Costs replica = measure<ReplicaAlone>(delivery);
  std::printf("replica, office delivery: %.0f simulated seconds per second while driving, %.0f with waits\n",
              rate_while_driving(delivery, replica), kGap / replica.mean());
  print("replica alone", replica);
  print("whole predictor", measure<WholePredictor>(delivery));
}

}  // namespace forerun::bench
