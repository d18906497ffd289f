#include "forerun/lab/study_scores.hpp"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>

#include "forerun/cli/output.hpp"

namespace forerun::lab {

void print_table(const study::Scores& scores) {
  std::printf("             extrapolated           predicted            ratio   95 %% region\n");
  std::printf("   gap       mean   median       mean   median               radius   holds\n");
  for (const double gap : {0.25, 0.5, 1.0, 2.5, 6.0, 12.5, 18.0}) {
    const study::ErrorBin* bin = study::bin_at(scores, gap);
    if (bin == nullptr) continue;
    const study::MethodErrors &extrapolation = bin->extrapolation(), &prediction = bin->prediction();
    std::printf("%5.2f s  %7.3f  %7.3f    %7.3f  %7.3f m   %8.2f  %6.2f m  %5.1f %%\n", gap, extrapolation.mean,
                extrapolation.median, prediction.mean, prediction.median, study::ratio_at(scores, gap).value_or(0),
                prediction.radius95, prediction.coverage95 * 100);
  }
  const study::MethodScores& prediction = scores.prediction();
  if (prediction.significant_from_gap_s && prediction.significant_from_distance_m) {
    std::printf("prediction is significantly better from gaps of %.2f s and from %.2f m of travel\n",
                *prediction.significant_from_gap_s, *prediction.significant_from_distance_m);
  } else if (prediction.significant_from_gap_s) {
    std::printf("prediction is significantly better from gaps of %.2f s\n", *prediction.significant_from_gap_s);
  } else {
    std::printf("prediction is not significantly better at all gaps from any on\n");
  }
  std::printf("the 50 %% regions held the truth %.1f %% of the time, the 95 %% regions %.1f %%\n",
              prediction.coverage50 * 100, prediction.coverage95 * 100);
}

Result<ScoreFiles> ScoreFiles::open(const ScoreDestinations& destinations) {
  const auto& [json, csv, report] = destinations;
  if (auto apart = cli::keep_apart({{"--json", json}, {"--csv", csv}, {"--report", report}}); !apart)
    return apart.error();
  ScoreFiles files;
  files.destinations_ = destinations;
  for (const auto& [destination, file] :
       {std::pair(&json, &files.json_), std::pair(&csv, &files.csv_), std::pair(&report, &files.report_)}) {
    auto pending = cli::open_pending(*destination);
    if (!pending) return pending.error();
    *file = std::move(*pending);
  }
  return files;
}

Result<void> ScoreFiles::write(const ScoreTexts& texts) {
  if (auto written = cli::write_json(destinations_.json, std::move(json_), texts.json); !written) return written;
  if (auto written = cli::write_text(destinations_.csv, std::move(csv_), texts.csv); !written) return written;
  return cli::write_text(destinations_.report, std::move(report_), texts.report);
}

void add_score_options(CLI::App& app, ScoreDestinations& destinations) {
  app.add_option("--json", destinations.json, "write the figures as JSON (- for standard output)");
  app.add_option("--csv", destinations.csv, "write the bins as CSV (- for standard output)");
  app.add_option("--report", destinations.report,
                 "write figures, curves and trajectories as one page (HTML, - for standard output)");
}

}  // namespace forerun::lab
