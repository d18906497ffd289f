// `forerun study office`: how well the robot's position is predicted, against going on straight (PSS-14).
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "forerun/app/output.hpp"
#include "forerun/app/scenario_inputs.hpp"
#include "forerun/app/study_command.hpp"
#include "forerun/app/terminal.hpp"
#include "forerun/study/office_study.hpp"

namespace forerun::app {
namespace {

struct OfficeOptions {
  std::string scenario = "office-delivery";
  std::string reality = "noisy";
  std::string json;
  study::OfficeParams study;
};

using Json = nlohmann::ordered_json;

Json to_json(const std::vector<study::ErrorBin>& bins, const char* what) {
  Json list = Json::array();
  for (const study::ErrorBin& bin : bins) {
    list.push_back({{what, bin.at},
                    {"n", bin.n},
                    {"extrapolation_m", bin.extrapolation},
                    {"extrapolation_ci95_m", bin.extrapolation_ci95},
                    {"prediction_m", bin.prediction},
                    {"prediction_ci95_m", bin.prediction_ci95}});
  }
  return list;
}

Json to_json(const study::OfficeResult& r) {
  return {
      {"gap_bins", to_json(r.gap_bins, "gap_s")},
      {"distance_bins", to_json(r.distance_bins, "distance_m")},
      {"ratio", {{"1", ratio_at(r, 1)}, {"2.5", ratio_at(r, 2.5)}, {"6", ratio_at(r, 6)}, {"12.5", ratio_at(r, 12.5)}}},
      {"significant_from_gap_s", r.significant_from_gap_s},
      {"significant_from_distance_m", r.significant_from_distance_m},
      {"path_length_m", r.path_length_m},
      {"duration_s", r.duration_s}};
}

void print(const study::OfficeResult& r) {
  std::printf("   gap   extrapolated   predicted   ratio\n");
  for (const double gap : {0.25, 0.5, 1.0, 2.5, 6.0, 12.5, 18.0}) {
    for (const study::ErrorBin& bin : r.gap_bins) {
      if (bin.at != gap) continue;
      std::printf("%4.2f s      %7.3f m   %7.3f m   %5.2f\n", gap, bin.extrapolation, bin.prediction,
                  bin.prediction / bin.extrapolation);
    }
  }
  std::printf("significantly better from gaps of %.2f s and from %.2f m of travel\n", r.significant_from_gap_s,
              r.significant_from_distance_m);
  std::printf("mean of the runs: %.1f m in %.0f s\n", r.path_length_m, r.duration_s);
}

int run_office(const OfficeOptions& options) {
  const auto inputs = load_inputs(options.scenario, options.reality);
  if (!inputs) return report(inputs.error());
  catch_interrupts();
  Progress progress("office, " + options.reality);
  const auto result = study::run_office_study({inputs->world, inputs->robot, inputs->scenario, inputs->reality},
                                              options.study, [&](double share) {
                                                progress.update(share);
                                                return !interrupted();
                                              });
  if (interrupted()) return kInterrupted;
  if (!result) return report(result.error());
  if (options.json.empty()) {
    print(*result);
    return kDone;
  }
  const auto written = write_json(options.json, to_json(*result));
  return written ? kDone : report(written.error());
}

}  // namespace

Study add_office_study(CLI::App& app) {
  const auto options = std::make_shared<OfficeOptions>();
  CLI::App* office = app.add_subcommand(
      "office",
      "A robot drives, its reports are cut out, and each is scored at every gap up to 18 s: extrapolated at "
      "its velocities, and predicted by the replica.");
  office->add_option("--scenario", options->scenario, "what it drives")->capture_default_str();
  office->add_option("--reality", options->reality, "how far it departs from its copy: " + reality_names())
      ->capture_default_str();
  office->add_option("--interval-s", options->study.interval_s, "between two reports")
      ->capture_default_str()
      ->check(CLI::Range(0.1, 60.0));
  office->add_option("--runs", options->study.runs, "drives, with different chance each")
      ->capture_default_str()
      ->check(CLI::Range(1, 10000));
  office->add_option("--seed", options->study.seed, "of the first drive")->capture_default_str();
  office->add_option("--json", options->json, "write the figures as JSON (- for standard output)");
  office->footer("Example:\n  forerun study office --reality noisy --runs 2 --json -");
  return {office, [options] { return run_office(*options); }};
}

}  // namespace forerun::app
