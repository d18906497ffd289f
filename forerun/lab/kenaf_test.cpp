#include "forerun/lab/kenaf_test.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "forerun/atlas/setting.hpp"
#include "forerun/cli/arguments.hpp"
#include "forerun/cli/command_line.hpp"
#include "forerun/cli/output.hpp"
#include "forerun/cli/terminal.hpp"
#include "forerun/io/text.hpp"
#include "forerun/lab/tracked_robot.hpp"
#include "forerun/mobility/robustness.hpp"

namespace forerun::lab {
namespace {

using Json = nlohmann::ordered_json;
using mobility::Trial;
using mobility::TrialKind;

struct Row {
  Trial trial;
  std::optional<bool> real_passed;  // where it was published
  mobility::TrialResult result;
};

struct Report {
  std::vector<Row> rows;              // the published trials, or those that were asked for
  std::vector<Row> level;             // trenches with the flippers stretched
  double simulated = 0, elapsed = 0;  // [s], the latter on one core
  std::optional<mobility::Robustness> robustness;
};

std::optional<bool> published(const Trial& trial) {
  for (const mobility::PublishedTrial& one : mobility::published_trials()) {
    if (one.trial.kind == trial.kind && std::fabs(one.trial.size - trial.size) < 1e-6) return one.real_passed;
  }
  return std::nullopt;
}

std::vector<Trial> chosen(const KenafTestOptions& options) {
  std::vector<Trial> all;
  for (const mobility::PublishedTrial& one : mobility::published_trials()) all.push_back(one.trial);
  for (const double width : {0.3, 0.35, 0.4}) all.push_back({TrialKind::trench_flippers_level, width});
  if (!options.kind.empty()) {
    std::erase_if(all, [&](const Trial& trial) { return options.kind != name_of(trial.kind); });
  }
  if (options.size_mm <= 0) return all;
  // each kind once, at this size
  std::vector<Trial> sized;
  for (const Trial& trial : all) {
    if (sized.empty() || sized.back().kind != trial.kind) sized.push_back({trial.kind, options.size_mm / 1000});
  }
  return sized;
}

Result<Report> run(const KenafTestOptions& options, const robot::Crawler& robot) {
  Report report;
  cli::Progress progress("trials");
  const std::vector<Trial> trials = chosen(options);
  const std::clock_t begin = std::clock();  // of this program alone, whatever else the machine does
  for (std::size_t i = 0; i < trials.size() && !cli::interrupted(); ++i) {
    progress.update(static_cast<double>(i) / static_cast<double>(trials.size()));
    auto result = mobility::run_trial(robot, trials[i], options.params);
    if (!result) return result.error();
    report.simulated += result->duration;
    const bool level = trials[i].kind == TrialKind::trench_flippers_level;
    (level ? report.level : report.rows).push_back({trials[i], published(trials[i]), std::move(*result)});
  }
  report.elapsed = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  return report;
}

Result<void> add_robustness(const KenafTestOptions& options, const robot::Crawler& robot, Report& report) {
  cli::Progress progress("variations");
  std::vector<Trial> trials;
  std::vector<bool> outcomes;
  for (const Row& row : report.rows) {
    trials.push_back(row.trial);
    outcomes.push_back(row.result.passed);
  }
  auto found = mobility::find_robustness(robot, trials, outcomes, options.params, [&](double share) {
    progress.update(share);
    return !cli::interrupted();
  });
  if (!found) return found.error();
  report.robustness = std::move(*found);
  return {};
}

int agreement(const Report& report) {
  return static_cast<int>(std::count_if(report.rows.begin(), report.rows.end(), [](const Row& row) {
    return row.real_passed && *row.real_passed == row.result.passed;
  }));
}

Json to_json(const Row& row) {
  return {{"kind", name_of(row.trial.kind)},
          {"size_mm", std::round(1e6 * row.trial.size) / 1e3},
          {"passed", row.result.passed},
          {"real_passed", row.real_passed ? Json(*row.real_passed) : Json(nullptr)},
          {"max_pitch_deg", degrees(row.result.max_pitch)},
          {"duration_s", row.result.duration},
          {"max_track_torque_nm", row.result.max_torque},
          {"end", robot::to_string(row.result.end)}};
}

int count_whole(const std::vector<int>& unchanged, int n) {
  return static_cast<int>(std::count(unchanged.begin(), unchanged.end(), n));
}

Json to_json(const Report& report) {
  Json json{{"tests", Json::array()}};
  for (const Row& row : report.rows) json["tests"].push_back(to_json(row));
  json["agreement"] = agreement(report);
  json["real_time_factor"] = report.simulated / report.elapsed;
  json["trench_flippers_level"] = Json::array();
  for (const Row& row : report.level) json["trench_flippers_level"].push_back(to_json(row));
  if (const auto& r = report.robustness) {
    json["robustness"] = {{"variations", r->variations},
                          {"tests_unchanged_by_variations", count_whole(r->unchanged_variations, r->variations)},
                          {"seeds", r->seeds},
                          {"tests_unchanged_by_seeds", count_whole(r->unchanged_seeds, r->seeds)}};
  }
  return json;
}

void print_row(const Row& row) {
  const char* real = !row.real_passed ? "not tried" : *row.real_passed ? "passed" : "failed";
  std::printf("  %-22s %4.0f mm   %-6s   real robot: %-9s   up to %4.1f degrees, %4.1f s\n", name_of(row.trial.kind),
              1000 * row.trial.size, row.result.passed ? "passed" : "failed", real, degrees(row.result.max_pitch),
              row.result.duration);
}

void print(const Report& report) {
  for (const Row& row : report.rows) print_row(row);
  for (const Row& row : report.level) print_row(row);
  const auto known =
      std::count_if(report.rows.begin(), report.rows.end(), [](const Row& row) { return row.real_passed.has_value(); });
  if (known > 0) std::printf("as the real robot: %d of %td\n", agreement(report), known);
  std::printf("%.0f times real time on one core\n", report.simulated / report.elapsed);
  if (const auto& r = report.robustness) {
    std::printf("the same with mass, friction and speed 3 %% up and down: %d of %zu; from %d other starts: %d of %zu\n",
                count_whole(r->unchanged_variations, r->variations), report.rows.size(), r->seeds,
                count_whole(r->unchanged_seeds, r->seeds), report.rows.size());
  }
}

}  // namespace

void add_kenaf_test_options(CLI::App& app, KenafTestOptions& options) {
  app.add_option("--robot", options.robot, "a robot file with a crawler, or a bare name")->capture_default_str();
  app.add_option("--kind", options.kind, "only step, step_flippers, trench or trench_flippers_level")
      ->check(CLI::IsMember({"step", "step_flippers", "trench", "trench_flippers_level"}));
  cli::bind_option(
      app, "--size", options.size_mm,
      Field{1, 1000,
            "height or width [mm] instead of the published ones; without --kind, of step, step_flippers and trench"})
      ->default_str("");
  cli::add_param_option(app, "--speed", options.params, "speed_mps");
  cli::add_param_option(app, "--mass-factor", options.params, "mass_factor");
  cli::add_param_option(app, "--friction-factor", options.params, "friction_factor");
  cli::add_param_option(app, "--seed", options.params, "seed");
  app.add_flag("--robustness", options.robustness,
               "also with mass, friction and speed 3 % up and down, and from 20 other starts");
  app.add_option("--json", options.json, "write the result as JSON to this file; -: standard output");
  app.footer(
      "Examples:\n"
      "  forerun kenaf test\n"
      "  forerun kenaf test --kind step_flippers --size 250 --json -\n"
      "  forerun kenaf test --kind step --mass-factor 1.03 --seed 7");
}

int run_kenaf_test(const KenafTestOptions& options) {
  const auto robot = load_tracked_robot(options.robot);
  if (!robot) return cli::complain(robot.error());
  cli::catch_interrupts();
  auto file = cli::open_pending(options.json);
  if (!file) return cli::complain(file.error());
  auto report = run(options, *robot->crawler);
  if (!report) return cli::complain(report.error());
  if (options.robustness && !cli::interrupted()) {
    if (auto done = add_robustness(options, *robot->crawler, *report); !done) return cli::complain(done.error());
  }
  if (cli::interrupted()) return cli::kInterrupted;
  if (options.json != "-") print(*report);
  const auto written = cli::write_json(options.json, std::move(*file), to_json(*report));
  return written ? cli::kDone : cli::complain(written.error());
}

}  // namespace forerun::lab
