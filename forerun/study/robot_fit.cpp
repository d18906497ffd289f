#include "forerun/study/robot_fit.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>
#include <thread>
#include <utility>

#include "forerun/atlas/setting.hpp"
#include "forerun/base/random.hpp"
#include "forerun/io/text.hpp"
#include "forerun/study/percentile.hpp"

namespace forerun::study {
namespace {

constexpr double kMostTrials = 200;  // for the search; more cost time and tell little
constexpr double kMostTests = 1000;
constexpr double kLeastInterval = 1.5;    // of the reports cut from a drive [s]
constexpr double kHeldOut = 1.0 / 3;      // the last share of each drive, when there are no others to test on
constexpr std::size_t kFewestTrials = 8;  // of training and of testing
constexpr double kMostOff = 0.1;          // share of poses in walls that a world may have which the user names …
constexpr double kMostOffGuess = 0.02;    // … and one that is only guessed
constexpr std::size_t kParts = 4;         // of the drives that must agree on each step

// Asks all replicas at once, a share of the trials each.
class Judges {
 public:
  Judges(const predict::ReplicaModel& model, const OnProgress& on_progress)
      : on_progress_(on_progress),
        forecasters_(std::max(1u, std::thread::hardware_concurrency()), learn::Forecaster(model)) {}

  // Errors [m]; nothing when the work is to end. `share` of it is done then.
  std::optional<std::vector<double>> errors(const std::vector<learn::Trial>& trials, const robot::Description& robot,
                                            double share) {
    std::vector<double> result(trials.size());
    const std::size_t n = forecasters_.size();
    const auto work = [&](std::size_t i) {
      const std::size_t begin = trials.size() * i / n, size = trials.size() * (i + 1) / n - begin;
      forecasters_[i].errors(std::span(trials).subspan(begin, size), robot, std::span(result).subspan(begin, size));
    };
    const bool done = for_each_piece(n, work);
    return done && on_progress_(share) ? std::optional(std::move(result)) : std::nullopt;
  }

 private:
  const OnProgress& on_progress_;
  std::vector<learn::Forecaster> forecasters_;
};

double total_time(const std::vector<learn::NamedDrive>& logs) {
  double sum = 0;
  for (const learn::NamedDrive& log : logs) sum += log.end() - log.start();
  return sum;
}

void add(std::vector<learn::Trial>& all, std::vector<learn::Trial> more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

void add_places(std::vector<Vec2>& places, const std::vector<learn::NamedDrive>& logs) {
  for (const learn::NamedDrive& log : logs) {
    for (const learn::Stretch& stretch : log.logged.stretches) {
      for (const learn::LogRow& row : stretch) places.push_back(row.truth.position());
    }
  }
}

Result<FitMaterial> cut_material(const FitInputs& inputs, const robot::Description& robot) {
  const auto logs = learn::load_logs(inputs.logs, robot);
  if (!logs) return logs.error();
  const auto tests = learn::load_logs(inputs.tests, robot);
  if (!tests) return tests.error();
  FitMaterial material;
  add_places(material.places, *logs);
  add_places(material.places, *tests);
  const auto times = [&](double time, double most) {
    const double interval = std::max(kLeastInterval, time / most);
    return learn::ReportTimes{interval, Random(inputs.seed, 0xf17).uniform(0, interval)};
  };
  const auto training_times = times(total_time(*logs), kMostTrials);
  const auto testing_times = times(total_time(tests->empty() ? *logs : *tests), kMostTests);
  for (const learn::NamedDrive& log : *logs) {
    const double share = tests->empty() ? 1 - kHeldOut : 1;
    const learn::Span seen{log.start(), log.start() + share * (log.end() - log.start())};
    add(material.training, learn::make_trials(log, seen, training_times, robot));
    material.motors.push_back(learn::make_motor_log(log, seen));
    if (tests->empty()) add(material.testing, learn::make_trials(log, {seen.to, log.end()}, testing_times, robot));
  }
  for (const learn::NamedDrive& log : *tests) {
    add(material.testing, learn::make_trials(log, {log.start(), log.end()}, testing_times, robot));
  }
  return material;
}

Result<void> check_amount(const FitMaterial& material, const FitInputs& inputs) {
  const auto few = [](const std::string& what, std::size_t n) {
    return Error{what + ": only " + std::to_string(n) + " reports with a goal and the six seconds after them, but " +
                 std::to_string(kFewestTrials) + " are needed"};
  };
  if (material.training.size() < kFewestTrials) return few(inputs.logs.front(), material.training.size());
  if (material.testing.size() < kFewestTrials) {
    return few(inputs.tests.empty() ? "the last third of " + inputs.logs.front() : inputs.tests.front(),
               material.testing.size());
  }
  return {};
}

// The share of the places where the robot would have stood in a wall, or off the floor.
double share_off(const predict::ReplicaModel& model, const std::vector<Vec2>& places) {
  const Grid<float>& clearance = model.planning.clearance;
  const auto n = std::count_if(places.begin(), places.end(), [&](Vec2 place) {
    const Cell cell = clearance.frame().cell_of(place);
    // half of the body may overlap: maps and poses are off by some centimetres
    return !clearance.frame().contains(cell) || clearance[cell] < 0.5 * model.robot.footprint.radius;
  });
  return static_cast<double>(n) / static_cast<double>(places.size());
}

}  // namespace

Result<FitMaterial> make_fit_material(const FitInputs& inputs, const robot::Description& robot) {
  auto material = cut_material(inputs, robot);
  if (!material) return material;
  if (auto enough = check_amount(*material, inputs); !enough) return enough.error();
  return material;
}

Result<predict::ReplicaModel> make_fit_model(const FitInputs& inputs, const robot::Description& robot,
                                             const FitMaterial& material) {
  const auto world = atlas::load_named_world(inputs.world.empty() ? kUsualFitWorld : inputs.world);
  if (!world) return world.error();
  auto model = predict::make_replica_model(*world, robot);
  if (!model) return model.error();
  const double off = share_off(*model, material.places);
  if (inputs.world.empty() && off > kMostOffGuess) {
    return Error{inputs.logs.front() + " does not lie in the world " + kUsualFitWorld +
                 "; say with --world in which one it was driven"};
  }
  if (off > kMostOff) {
    return Error{inputs.logs.front() + " does not lie in the world " + inputs.world + ": " +
                 io::show(std::round(100 * off)) + " % of its poses are in walls or off the floor"};
  }
  return model;
}

std::optional<FitResult> run_fit(const predict::ReplicaModel& model, const robot::Description& robot,
                                 const FitMaterial& material, const OnProgress& on_progress) {
  Judges judges(model, on_progress);
  const auto before = judges.errors(material.testing, robot, 0);
  if (!before) return std::nullopt;
  const learn::SearchParams params;
  int n = 0;
  const auto judge = [&](const robot::Description& candidate) -> std::optional<learn::Costs> {
    const auto errors = judges.errors(material.training, candidate, static_cast<double>(n++) / params.most_costs);
    if (!errors) return std::nullopt;
    return learn::robust_means(*errors, kParts);
  };
  auto fit = learn::refine(robot, learn::estimate_directly(robot, material.motors), judge, params);
  const auto after = fit.stopped ? std::nullopt : judges.errors(material.testing, fit.robot, 1);
  if (!after) return std::nullopt;
  return FitResult{material.training.size(), mean(*before), mean(*after), std::move(fit)};
}

}  // namespace forerun::study
