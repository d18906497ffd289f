#include "forerun/app/study_scores.hpp"

#include <CLI/CLI.hpp>
#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>
#include <vector>

#include "forerun/app/output.hpp"
#include "forerun/io/text.hpp"

namespace forerun::app {
namespace {

using Json = nlohmann::ordered_json;
using study::ErrorBin;

constexpr std::array<std::pair<const char*, double>, 4> kRatioGaps{{{"1", 1}, {"2.5", 2.5}, {"6", 6}, {"12.5", 12.5}}};

Json or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

// Both measures sort the same samples into the same bins.
Json bins_json(const std::vector<ErrorBin>& bins, const std::vector<ErrorBin>& others, const std::string& other_name,
               const char* what) {
  Json list = Json::array();
  for (std::size_t i = 0; i < bins.size(); ++i) {
    const ErrorBin &bin = bins[i], &other = others[i];
    list.push_back({{what, bin.at},
                    {"n", bin.n},
                    {"extrapolation_m", bin.extrapolation},
                    {"extrapolation_ci95_m", bin.extrapolation_ci95},
                    {"extrapolation_median_m", bin.extrapolation_median},
                    {"prediction_m", bin.prediction},
                    {"prediction_ci95_m", bin.prediction_ci95},
                    {"prediction_median_m", bin.prediction_median},
                    {"prediction_p95_m", bin.prediction_p95},
                    {"coverage50", bin.coverage50},
                    {"coverage95", bin.coverage95},
                    {"radius95_m", bin.radius95},
                    {"extrapolation_" + other_name + "_m", other.extrapolation},
                    {"prediction_" + other_name + "_m", other.prediction},
                    {"coverage95_" + other_name, other.coverage95}});
  }
  return list;
}

Json ratios_json(const study::Scores& scores) {
  Json ratios;
  for (const auto& [name, gap] : kRatioGaps) ratios[name] = or_null(study::ratio_at(scores, gap));
  return ratios;
}

std::string csv_rows(const std::vector<ErrorBin>& bins, const std::vector<ErrorBin>& others, const char* by) {
  std::string rows;
  for (std::size_t i = 0; i < bins.size(); ++i) {
    const ErrorBin &bin = bins[i], &other = others[i];
    rows += by + std::string(",") + io::show(bin.at) + "," + std::to_string(bin.n);
    for (const double value :
         {bin.extrapolation, bin.extrapolation_ci95[0], bin.extrapolation_ci95[1], bin.extrapolation_median,
          bin.prediction, bin.prediction_ci95[0], bin.prediction_ci95[1], bin.prediction_median, bin.prediction_p95,
          bin.coverage50, bin.coverage95, bin.radius95, other.extrapolation, other.prediction, other.coverage95}) {
      rows += "," + io::show(value);
    }
    rows += "\n";
  }
  return rows;
}

}  // namespace

Json to_json(const ScoreView& view) {
  const study::Scores &main = view.main, &other = view.other;
  return {{"gap_bins", bins_json(main.gap_bins, other.gap_bins, view.other_name, "gap_s")},
          {"distance_bins", bins_json(main.distance_bins, other.distance_bins, view.other_name, "distance_m")},
          {"ratio", ratios_json(main)},
          {"ratio_" + view.other_name, ratios_json(other)},
          {"significant_from_gap_s", or_null(main.significant_from_gap_s)},
          {"significant_from_distance_m", or_null(main.significant_from_distance_m)},
          {"coverage50", main.coverage50},
          {"coverage95", main.coverage95}};
}

std::string to_csv(const ScoreView& view) {
  const std::string& other = view.other_name;
  return "by,at,n,extrapolation_m,extrapolation_lo_m,extrapolation_hi_m,extrapolation_median_m,prediction_m,"
         "prediction_lo_m,prediction_hi_m,prediction_median_m,prediction_p95_m,coverage50,coverage95,radius95_m,"
         "extrapolation_" +
         other + "_m,prediction_" + other + "_m,coverage95_" + other + "\n" +
         csv_rows(view.main.gap_bins, view.other.gap_bins, "gap_s") +
         csv_rows(view.main.distance_bins, view.other.distance_bins, "distance_m");
}

void print_table(const study::Scores& scores) {
  std::printf("             extrapolated           predicted            ratio   95 %% region\n");
  std::printf("   gap       mean   median       mean   median               radius   holds\n");
  for (const double gap : {0.25, 0.5, 1.0, 2.5, 6.0, 12.5, 18.0}) {
    const ErrorBin* bin = study::bin_at(scores, gap);
    if (bin == nullptr) continue;
    std::printf("%5.2f s  %7.3f  %7.3f    %7.3f  %7.3f m   %8.2f  %6.2f m  %5.1f %%\n", gap, bin->extrapolation,
                bin->extrapolation_median, bin->prediction, bin->prediction_median,
                study::ratio_at(scores, gap).value_or(0), bin->radius95, bin->coverage95 * 100);
  }
  if (scores.significant_from_gap_s && scores.significant_from_distance_m) {
    std::printf("prediction is significantly better from gaps of %.2f s and from %.2f m of travel\n",
                *scores.significant_from_gap_s, *scores.significant_from_distance_m);
  } else if (scores.significant_from_gap_s) {
    std::printf("prediction is significantly better from gaps of %.2f s\n", *scores.significant_from_gap_s);
  } else {
    std::printf("prediction is not significantly better at all gaps from any on\n");
  }
  std::printf("the 50 %% regions held the truth %.1f %% of the time, the 95 %% regions %.1f %%\n",
              scores.coverage50 * 100, scores.coverage95 * 100);
}

Result<ScoreFiles> ScoreFiles::open(const ScoreDestinations& destinations) {
  const auto& [json, csv, report] = destinations;
  for (const auto& [a, b, options] :
       {std::tuple(json, csv, "--json and --csv"), std::tuple(json, report, "--json and --report"),
        std::tuple(csv, report, "--csv and --report")}) {
    if (!a.empty() && a == b) return Error{std::string(options) + " name the same file, " + a};
  }
  ScoreFiles files;
  files.destinations_ = destinations;
  for (const auto& [destination, file] :
       {std::pair(&json, &files.json_), std::pair(&csv, &files.csv_), std::pair(&report, &files.report_)}) {
    auto pending = open_pending(*destination);
    if (!pending) return pending.error();
    *file = std::move(*pending);
  }
  return files;
}

Result<void> ScoreFiles::write(const ScoreTexts& texts) {
  if (auto written = write_json(destinations_.json, std::move(json_), texts.json); !written) return written;
  if (auto written = write_text(destinations_.csv, std::move(csv_), texts.csv); !written) return written;
  return write_text(destinations_.report, std::move(report_), texts.report);
}

void add_score_options(CLI::App& app, ScoreDestinations& destinations) {
  app.add_option("--json", destinations.json, "write the figures as JSON (- for standard output)");
  app.add_option("--csv", destinations.csv, "write the bins as CSV (- for standard output)");
  app.add_option("--report", destinations.report,
                 "write figures, curves and trajectories as one page (HTML, - for standard output)");
}

}  // namespace forerun::app
