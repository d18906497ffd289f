#include "forerun/study/prediction_page.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "forerun/draw/markup.hpp"
#include "forerun/draw/page.hpp"
#include "forerun/study/page_pictures.hpp"

namespace forerun::study {
namespace {

constexpr double kMainGap = 6;  // between two messages of the papers [s]

std::string strong(const char* role, double metres) {
  return "<strong class=\"" + std::string(role) + "\">" + draw::fixed(metres, 2) + " m</strong>";
}

// The study in one sentence: at the gap of the papers, or the longest there is.
std::string say_main(const StudyPage& input) {
  const Displacement& d = input.by_gap;
  if (d.empty()) return "There were too few messages for a figure.";
  const double gap = std::min(kMainGap, d.prediction().at.back());
  const std::string predicted = strong("prediction", value_at(d.prediction(), gap));
  const std::string extrapolated = strong("extrapolation", value_at(d.extrapolation(), gap));
  if (input.measure == Measure::relative) {
    return draw::brief(gap) + " s after a message, the motion since it is predicted with an error of " + predicted +
           " on average, and extrapolated with " + extrapolated + ".";
  }
  return draw::brief(gap) + " s after the last message the prediction is off by " + predicted +
         " on average, extrapolation by " + extrapolated + ".";
}

std::string draw_settings(const StudyPage& input) {
  if (input.settings.empty()) return "";
  std::string out = "<dl>\n";
  for (const auto& [what, value] : input.settings) {
    out += "<div><dt>" + draw::escape(what) + "</dt><dd>" + draw::escape(value) + "</dd></div>\n";
  }
  return out + "</dl>\n";
}

std::string row(const char* what, const std::string& papers, const std::string& here) {
  return "<tr><td>" + std::string(what) + "</td><td>" + papers + "</td><td>" + here + "</td></tr>\n";
}

std::string or_nowhere(const std::optional<double>& value, const char* unit) {
  return value ? draw::brief(*value) + " " + unit : "nowhere";
}

std::string say_messages(const StudyPage& input) {
  if (!(input.interval_s > 0)) return "–";
  return draw::brief(60 / input.interval_s) + " a minute, " + draw::fixed(input.loss * 100, 0) + " % lost";
}

// The papers' figures (PSS-14) beside those of this study.
std::string draw_comparison(const StudyPage& input) {
  const Trajectories& t = input.trajectories;
  return "<table class=\"figures\"><thead><tr><th></th><th>papers 1 and 2</th><th>here</th></tr></thead><tbody>\n" +
         row("length of the drive", "80.8 m", draw::fixed(input.path_length_m, 1) + " m") +
         row("time of the drive", "320 s", draw::fixed(input.duration_s, 0) + " s") +
         row("mean speed while driving", "34.5 cm/s", draw::fixed(t.driving_speed * 100, 1) + " cm/s") +
         row("messages", "10 a minute, some lost", say_messages(input)) +
         row("significantly better from gaps of", "2.5 s", or_nowhere(input.by_gap.significant_from, "s")) +
         row("significantly better from travels of", "1 m", or_nowhere(input.by_distance.significant_from, "m")) +
         row("jumps of more than 1 m, extrapolated", "several", std::to_string(t.n_extrapolation_jumps)) +
         row("jumps of more than 1 m, predicted", "–", std::to_string(t.n_prediction_jumps)) +
         "</tbody></table>\n<p class=\"soft\">The papers drove one real robot; their mean displacements are curves "
         "without printed numbers, so only what the text states stands here.</p>\n";
}

std::string row(const char* what, const std::string& value) {
  return "<tr><td>" + std::string(what) + "</td><td>" + value + "</td></tr>\n";
}

// A recorded robot is another one than the papers', elsewhere: there is nothing to put beside its figures.
std::string draw_figures(const StudyPage& input) {
  const Trajectories& t = input.trajectories;
  return "<table class=\"figures\"><tbody>\n" + row("length of a drive", draw::fixed(input.path_length_m, 1) + " m") +
         row("time of a drive", draw::fixed(input.duration_s, 0) + " s") +
         row("mean speed while driving", draw::fixed(t.driving_speed * 100, 1) + " cm/s") +
         row("messages", say_messages(input)) +
         row("significantly better from gaps of", or_nowhere(input.by_gap.significant_from, "s")) +
         row("significantly better from travels of", or_nowhere(input.by_distance.significant_from, "m")) +
         row("jumps of more than 1 m, extrapolated", std::to_string(t.n_extrapolation_jumps)) +
         row("jumps of more than 1 m, predicted", std::to_string(t.n_prediction_jumps)) +
         "</tbody></table>\n<p class=\"soft\">The control software of this robot is unknown here: the replica only "
         "supposes how it drives.</p>\n";
}

std::string section(const char* letter, const char* title, const std::string& content) {
  const std::string mark = std::string(letter).size() == 1 ? "<b>(" + std::string(letter) + ")</b>" : "";
  return draw::write_section(letter, mark + title, content);
}

void add(double at, double value, draw::Curve& curve) {
  curve.at.push_back(at);
  curve.mean.push_back(value);
}

Displacement make_displacement(const std::vector<ErrorBin>& bins, const std::vector<MethodScores>& methods) {
  Displacement d;
  for (std::size_t i = 0; i < methods.size(); ++i) {
    draw::Curve& curve = d.curves.emplace_back();
    curve.name = methods[i].name;
    for (const ErrorBin& bin : bins) {
      const MethodErrors& errors = bin.by_method[i];
      add(bin.at, errors.mean, curve);
      curve.low.push_back(errors.ci95[0]);
      curve.high.push_back(errors.ci95[1]);
    }
  }
  return d;
}

}  // namespace

void set_scores(const Scores& scores, Measure measure, StudyPage& input) {
  input.measure = measure;
  const MethodScores& prediction = scores.prediction();
  input.by_gap = make_displacement(scores.gap_bins, scores.methods);
  input.by_gap.significant_from = prediction.significant_from_gap_s;
  input.by_distance = make_displacement(scores.distance_bins, scores.methods);
  input.by_distance.significant_from = prediction.significant_from_distance_m;
  CoverageCurves& coverage = input.coverage;
  coverage = {.coverage95 = prediction.coverage95, .coverage50 = prediction.coverage50, .score95 = prediction.score95};
  input.experts.clear();
  for (std::size_t i = 0; i < scores.experts.size(); ++i) {
    draw::Curve& curve = input.experts.emplace_back();
    curve.name = scores.experts[i];
    for (const ErrorBin& bin : scores.gap_bins) add(bin.at, bin.experts[i], curve);
  }
  for (const ErrorBin& bin : scores.gap_bins) {
    add(bin.at, bin.prediction().coverage95, coverage.share95);
    add(bin.at, bin.prediction().coverage50, coverage.share50);
    add(bin.at, bin.prediction().radius95, coverage.radius95);
    add(bin.at, bin.prediction().p95, coverage.error95);
  }
}

double value_at(const draw::Curve& curve, double place) {
  const auto after = std::lower_bound(curve.at.begin(), curve.at.end(), place - 1e-9);
  if (after == curve.at.end()) return std::numeric_limits<double>::quiet_NaN();
  const auto i = static_cast<std::size_t>(after - curve.at.begin());
  if (*after <= place + 1e-9) return curve.mean[i];
  if (i == 0) return std::numeric_limits<double>::quiet_NaN();
  const double share = (place - curve.at[i - 1]) / (curve.at[i] - curve.at[i - 1]);
  return curve.mean[i - 1] + (curve.mean[i] - curve.mean[i - 1]) * share;
}

std::string write_study_page(const StudyPage& input) {
  const bool is_recorded = input.source == DriveSource::recorded;
  return draw::write_page(
      {input.title, say_main(input),
       draw_settings(input) + section("a", "The whole drive", draw_trajectories(input)) +
           section("b", is_recorded ? "A long gap" : "A long gap after leaving the first goal", draw_gaps(input)) +
           section("c", "The same gap as a sequence of images", draw_sequence(input)) +
           section("d", "Displacement against the gap", draw_by_gap(input)) +
           section("e", "Displacement against the distance travelled", draw_by_distance(input)) +
           section("f", "How sure it says it is, and how sure it should be", draw_coverage(input)) +
           (input.experts.empty() ? "" : section("g", "Whom it believes", draw_experts(input))) +
           (is_recorded ? section("figures", "The drives in figures", draw_figures(input))
                        : section("papers", "Beside the papers", draw_comparison(input))),
       draw::plan_definition(input.plan)});
}

}  // namespace forerun::study
