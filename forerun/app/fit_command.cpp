// `forerun fit`: limits, weights and lag of a robot's control system from recorded drives (BEY-5).
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "forerun/app/arguments.hpp"
#include "forerun/app/commands.hpp"
#include "forerun/app/output.hpp"
#include "forerun/app/terminal.hpp"
#include "forerun/base/random.hpp"
#include "forerun/io/file.hpp"
#include "forerun/io/robot_file.hpp"
#include "forerun/io/robot_writer.hpp"
#include "forerun/io/setting.hpp"
#include "forerun/io/text.hpp"
#include "forerun/learn/fit.hpp"
#include "forerun/learn/fit_drives.hpp"
#include "forerun/study/percentile.hpp"
#include "forerun/study/workers.hpp"

namespace forerun::app {
namespace {

constexpr const char* kUsualWorld = "bonn-office";
constexpr double kMostTrials = 200;  // for the search; more cost time and tell little
constexpr double kMostTests = 1000;
constexpr double kLeastInterval = 1.5;    // of the reports cut from a drive [s]
constexpr double kHeldOut = 1.0 / 3;      // the last share of each drive, when there are no others to test on
constexpr std::size_t kFewestTrials = 8;  // of training and of testing
constexpr double kMostOff = 0.1;          // share of poses in walls that a world may have which the user names …
constexpr double kMostOffGuess = 0.02;    // … and one that is only guessed
constexpr std::size_t kParts = 4;         // of the drives that must agree on each step

struct FitOptions {
  std::vector<std::string> logs, tests;
  std::string robot, world, output, json;
  std::uint64_t seed = 1;
};

struct FitResult {
  std::size_t n_trials = 0;
  double before = 0;  // mean error on what was not seen [m]
  double after = 0;
  learn::Fit fit;
};

// What is fitted to and what is tested on; nothing of one is in the other.
struct Material {
  std::vector<learn::Trial> training, testing;
  std::vector<learn::MotorLog> motors;
  std::vector<Vec2> places;  // where the robot went, row by row
};

// Asks all replicas at once, a share of the trials each.
class Judges {
 public:
  explicit Judges(const predict::ReplicaModel& model)
      : forecasters_(std::max(1u, std::thread::hardware_concurrency()), learn::Forecaster(model)) {}

  // Errors [m]; nothing when the user wants to stop.
  std::optional<std::vector<double>> errors(const std::vector<learn::Trial>& trials, const robot::Description& robot) {
    std::vector<double> result(trials.size());
    const std::size_t n = forecasters_.size();
    const auto work = [&](std::size_t i) {
      const std::size_t begin = trials.size() * i / n, size = trials.size() * (i + 1) / n - begin;
      forecasters_[i].errors(std::span(trials).subspan(begin, size), robot, std::span(result).subspan(begin, size));
    };
    const bool done = study::for_each_piece(n, work);
    return done && !interrupted() ? std::optional(std::move(result)) : std::nullopt;
  }

 private:
  std::vector<learn::Forecaster> forecasters_;
};

double total_time(const std::vector<learn::RecordedLog>& logs) {
  double sum = 0;
  for (const learn::RecordedLog& log : logs) sum += log.end() - log.start();
  return sum;
}

void add(std::vector<learn::Trial>& all, std::vector<learn::Trial> more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

void add_places(std::vector<Vec2>& places, const std::vector<learn::RecordedLog>& logs) {
  for (const learn::RecordedLog& log : logs) {
    for (const learn::Stretch& stretch : log.recording.stretches) {
      for (const learn::RecordedRow& row : stretch) places.push_back(row.truth.position());
    }
  }
}

Result<Material> make_material(const FitOptions& options, const robot::Description& robot) {
  const auto logs = learn::load_logs(options.logs, robot);
  if (!logs) return logs.error();
  const auto tests = learn::load_logs(options.tests, robot);
  if (!tests) return tests.error();
  Material material;
  add_places(material.places, *logs);
  add_places(material.places, *tests);
  const auto times = [&](double time, double most) {
    const double interval = std::max(kLeastInterval, time / most);
    return learn::ReportTimes{interval, Random(options.seed, 0xf17).uniform(0, interval)};
  };
  const auto training_times = times(total_time(*logs), kMostTrials);
  const auto testing_times = times(total_time(tests->empty() ? *logs : *tests), kMostTests);
  for (const learn::RecordedLog& log : *logs) {
    const double share = tests->empty() ? 1 - kHeldOut : 1;
    const learn::Span seen{log.start(), log.start() + share * (log.end() - log.start())};
    add(material.training, learn::make_trials(log, seen, training_times, robot));
    material.motors.push_back(learn::make_motor_log(log, seen));
    if (tests->empty()) add(material.testing, learn::make_trials(log, {seen.to, log.end()}, testing_times, robot));
  }
  for (const learn::RecordedLog& log : *tests) {
    add(material.testing, learn::make_trials(log, {log.start(), log.end()}, testing_times, robot));
  }
  return material;
}

Result<void> check_amount(const Material& material, const FitOptions& options) {
  const auto few = [](const std::string& what, std::size_t n) {
    return Error{what + ": only " + std::to_string(n) + " reports with a goal and the six seconds after them, but " +
                 std::to_string(kFewestTrials) + " are needed"};
  };
  if (material.training.size() < kFewestTrials) return few(options.logs.front(), material.training.size());
  if (material.testing.size() < kFewestTrials) {
    return few(options.tests.empty() ? "the last third of " + options.logs.front() : options.tests.front(),
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

Result<predict::ReplicaModel> make_model(const FitOptions& options, const robot::Description& robot,
                                         const Material& material) {
  const auto world = io::load_named_world(options.world.empty() ? kUsualWorld : options.world);
  if (!world) return world.error();
  auto model = predict::make_replica_model(*world, robot);
  if (!model) return model.error();
  const double off = share_off(*model, material.places);
  if (options.world.empty() && off > kMostOffGuess) {
    return Error{options.logs.front() + " does not lie in the world " + kUsualWorld +
                 "; say with --world in which one it was driven"};
  }
  if (off > kMostOff) {
    return Error{options.logs.front() + " does not lie in the world " + options.world + ": " +
                 io::show(std::round(100 * off)) + " % of its poses are in walls or off the floor"};
  }
  return model;
}

// Nothing when the user stopped it.
std::optional<FitResult> run(const predict::ReplicaModel& model, const robot::Description& robot,
                             const Material& material) {
  Judges judges(model);
  const auto before = judges.errors(material.testing, robot);
  if (!before) return std::nullopt;
  const learn::SearchParams params;
  Progress progress("fitting to " + std::to_string(material.training.size()) + " reports");
  int n = 0;
  const auto judge = [&](const robot::Description& candidate) -> std::optional<learn::Costs> {
    progress.update(static_cast<double>(n++) / params.most_costs);
    const auto errors = judges.errors(material.training, candidate);
    if (!errors) return std::nullopt;
    return learn::robust_means(*errors, kParts);
  };
  auto fit = learn::refine(robot, learn::estimate_directly(robot, material.motors), judge, params);
  const auto after = fit.stopped ? std::nullopt : judges.errors(material.testing, fit.robot);
  if (!after) return std::nullopt;
  return FitResult{material.training.size(), study::mean(*before), study::mean(*after), std::move(fit)};
}

nlohmann::ordered_json to_json(const FitResult& result, const FitOptions& options) {
  nlohmann::ordered_json parameters;
  for (std::size_t i = 0; i < learn::fitted_names().size(); ++i) {
    parameters[learn::fitted_names()[i]] = learn::fitted_value(result.fit.robot, i);
  }
  return {{"drives", options.logs.size()},
          {"test_drives", options.tests.size()},
          {"error_6s_before_m", result.before},
          {"error_6s_after_m", result.after},
          {"parameters", parameters}};
}

void print(const FitResult& result, const FitOptions& options, const robot::Description& before) {
  for (std::size_t i = 0; i < learn::fitted_names().size(); ++i) {
    std::printf("%-26s %8.4g -> %8.4g\n", learn::fitted_names()[i], learn::fitted_value(before, i),
                learn::fitted_value(result.fit.robot, i));
  }
  const std::string where = options.tests.empty() ? "the last third of each drive, which was not fitted to"
                                                  : std::to_string(options.tests.size()) + " other drives";
  std::printf("error after 6 s on %s: %.3f m before, %.3f m with the fitted robot\n", where.c_str(), result.before,
              result.after);
  std::printf("robot: %s\n", options.output.c_str());
}

int fit(const FitOptions& options) {
  // everything that may be wrong is found before the work begins
  const auto path = io::find_file(io::FileKind::robot, options.robot);
  if (!path) return complain(path.error());
  const auto text = io::read_file(*path, io::kLargestText);
  if (!text) return complain(text.error());
  const auto robot = io::parse_robot(*text, *path);
  if (!robot) return complain(robot.error());
  std::vector<std::string> inputs = options.logs;
  inputs.insert(inputs.end(), options.tests.begin(), options.tests.end());
  if (auto kept = keep_inputs(inputs, {options.output, options.json}); !kept) return complain(kept.error());
  if (options.output == options.json) {
    return complain(Error{options.output + " is named for the robot and for the JSON, but holds only one of them"});
  }
  auto output = io::PendingFile::open(options.output);
  if (!output) return complain(output.error());
  auto json = open_pending(options.json);
  if (!json) return complain(json.error());
  const auto material = make_material(options, *robot);
  if (!material) return complain(material.error());
  if (auto enough = check_amount(*material, options); !enough) return complain(enough.error());
  const auto model = make_model(options, *robot, *material);
  if (!model) return complain(model.error());

  catch_interrupts();
  const auto result = run(*model, *robot, *material);
  if (!result) return kInterrupted;
  const auto fitted =
      io::rewrite_robot(*text, *path, result->fit.robot, "Limits and weights fitted to recorded drives.");
  if (!fitted) return complain(fitted.error());
  if (result->after > result->before) {
    std::fprintf(stderr,
                 "forerun: the fitted robot is predicted worse than the given one on the drives that it was tested on; "
                 "fit it to longer drives, with turns and stops\n");
  }
  output->write(*fitted);
  if (auto written = output->commit(); !written) return complain(written.error());
  if (options.json.empty()) {
    print(*result, options, *robot);
    return kDone;
  }
  const auto written = write_json(options.json, std::move(*json), to_json(*result, options));
  return written ? kDone : complain(written.error());
}

}  // namespace

int run_fit(Arguments arguments) {
  FitOptions options;
  CLI::App app(
      "Makes the copy of a robot drive like the robot: estimates top speeds, accelerations, weights and motor lag from "
      "recorded drives of it, and says how much better it is then predicted on drives that it did not see.",
      "fit");
  app.add_option("logs", options.logs, "recorded drives of one robot (drive logs, may be packed with gzip)")
      ->required();
  app.add_option("--robot", options.robot, "the robot as it is believed to be: a file, or a bare name")->required();
  app.add_option("--world", options.world,
                 std::string("where it was driven: a file, or a bare name; ") + kUsualWorld + " if it lies in that");
  app.add_option("-o,--output", options.output, "robot file to write, with all that was not fitted as it was")
      ->required();
  app.add_option("--test", options.tests,
                 "other drives to test on; none: the last third of each drive is kept for that");
  app.add_option("--seed", options.seed, "of the moments at which reports are cut from the drives")
      ->capture_default_str();
  app.add_option("--json", options.json, "write the result as JSON to this file; -: standard output");
  app.footer(
      "Examples:\n"
      "  forerun sim --scenario office-delivery --reality mismatched --seed 1 --log drive.csv\n"
      "  forerun fit drive.csv --robot rhino -o fitted.yaml");
  if (const auto code = parse_or_exit(app, arguments)) return *code;
  return fit(options);
}

}  // namespace forerun::app
