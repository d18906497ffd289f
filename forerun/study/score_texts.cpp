#include "forerun/study/score_texts.hpp"

#include <array>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "forerun/io/text.hpp"

namespace forerun::study {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::pair<const char*, double>, 4> kRatioGaps{{{"1", 1}, {"2.5", 2.5}, {"6", 6}, {"12.5", 12.5}}};

Json or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

// A figure of a bin with its name; an interval is two.
struct Figure {
  std::string name;
  std::vector<double> values;
};

// Of a region: prediction's have no prefix.
std::string region_prefix(const Scores& scores, std::size_t method) {
  return method == kPrediction ? "" : scores.methods[method].name + "_";
}

// The one list behind JSON and CSV. Both measures sort the same samples into the same bins.
std::vector<Figure> figures_of(const ScoreView& view, const ErrorBin& bin, const ErrorBin& other) {
  const std::vector<MethodScores>& methods = view.main.methods;
  std::vector<Figure> figures;
  for (std::size_t i = 0; i < methods.size(); ++i) {
    const MethodErrors& errors = bin.by_method[i];
    const std::string& name = methods[i].name;
    figures.push_back({name + "_m", {errors.mean}});
    figures.push_back({name + "_ci95_m", {errors.ci95[0], errors.ci95[1]}});
    figures.push_back({name + "_median_m", {errors.median}});
    if (methods[i].has_regions) figures.push_back({name + "_p95_m", {errors.p95}});
  }
  for (std::size_t i = 0; i < methods.size(); ++i) {
    if (!methods[i].has_regions) continue;
    const MethodErrors& errors = bin.by_method[i];
    figures.push_back({region_prefix(view.main, i) + "coverage50", {errors.coverage50}});
    figures.push_back({region_prefix(view.main, i) + "coverage95", {errors.coverage95}});
    figures.push_back({region_prefix(view.main, i) + "radius95_m", {errors.radius95}});
    figures.push_back({region_prefix(view.main, i) + "score95_m", {errors.score95}});
  }
  for (std::size_t i = 0; i < methods.size(); ++i) {
    figures.push_back({methods[i].name + "_" + view.other_name + "_m", {other.by_method[i].mean}});
  }
  for (std::size_t i = 0; i < methods.size(); ++i) {
    if (!methods[i].has_regions) continue;
    figures.push_back({region_prefix(view.main, i) + "coverage95_" + view.other_name, {other.by_method[i].coverage95}});
  }
  return figures;
}

Json bins_json(const ScoreView& view, std::vector<ErrorBin> Scores::*bins, const char* what) {
  Json list = Json::array();
  for (std::size_t i = 0; i < (view.main.*bins).size(); ++i) {
    const ErrorBin& bin = (view.main.*bins)[i];
    Json entry{{what, bin.at}, {"n", bin.n}};
    for (const Figure& figure : figures_of(view, bin, (view.other.*bins)[i])) {
      entry[figure.name] = figure.values.size() == 1 ? Json(figure.values.front()) : Json(figure.values);
    }
    for (std::size_t k = 0; k < bin.experts.size(); ++k) entry["experts"][view.main.experts[k]] = bin.experts[k];
    list.push_back(std::move(entry));
  }
  return list;
}

Json ratios_json(const Scores& scores) {
  Json ratios;
  for (const auto& [name, gap] : kRatioGaps) ratios[name] = or_null(ratio_at(scores, gap));
  return ratios;
}

// An interval has a column for each end.
std::string csv_header(const ScoreView& view) {
  const ErrorBin empty{.by_method = std::vector<MethodErrors>(view.main.methods.size())};
  std::string header = "by,at,n";
  for (const Figure& figure : figures_of(view, empty, empty)) {
    const std::size_t interval = figure.name.find("_ci95_m");
    const std::string of = figure.name.substr(0, interval);
    header += "," + (interval == std::string::npos ? figure.name : of + "_lo_m," + of + "_hi_m");
  }
  return header + "\n";
}

std::string csv_rows(const ScoreView& view, std::vector<ErrorBin> Scores::*bins, const char* by) {
  std::string rows;
  for (std::size_t i = 0; i < (view.main.*bins).size(); ++i) {
    const ErrorBin& bin = (view.main.*bins)[i];
    rows += by + std::string(",") + io::show(bin.at) + "," + std::to_string(bin.n);
    for (const Figure& figure : figures_of(view, bin, (view.other.*bins)[i])) {
      for (const double value : figure.values) rows += "," + io::show(value);
    }
    rows += "\n";
  }
  return rows;
}

}  // namespace

Json to_json(const ScoreView& view) {
  const MethodScores& prediction = view.main.prediction();
  return {{"gap_bins", bins_json(view, &Scores::gap_bins, "gap_s")},
          {"distance_bins", bins_json(view, &Scores::distance_bins, "distance_m")},
          {"ratio", ratios_json(view.main)},
          {"ratio_" + view.other_name, ratios_json(view.other)},
          {"significant_from_gap_s", or_null(prediction.significant_from_gap_s)},
          {"significant_from_distance_m", or_null(prediction.significant_from_distance_m)},
          {"coverage50", prediction.coverage50},
          {"coverage95", prediction.coverage95},
          {"score95_m", prediction.score95}};
}

std::string to_csv(const ScoreView& view) {
  return csv_header(view) + csv_rows(view, &Scores::gap_bins, "gap_s") +
         csv_rows(view, &Scores::distance_bins, "distance_m");
}

}  // namespace forerun::study
