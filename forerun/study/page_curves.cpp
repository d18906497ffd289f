// Curves of the study page: displacement against gap and distance, and how often the stated regions were right.
#include <algorithm>
#include <cmath>

#include "forerun/draw/markup.hpp"
#include "forerun/study/page_pictures.hpp"

namespace forerun::study {
namespace {

constexpr double kSoon = 3;  // the beginning of the curves, enlarged [s]

draw::Curve named(draw::Curve curve, const char* name) {
  curve.name = name;
  return curve;
}

struct DisplacementWords {
  const char* axis;  // of the horizontal one
  const char* unit;
  const char* against;
  std::optional<double> papers;  // from here on the papers' simulation was significantly better
  std::vector<double> rows;
  Measure measure;
};

std::string say_significance(const Displacement& d, const DisplacementWords& words) {
  if (!d.significant_from) return "Prediction is not significantly better than extrapolation at the far end. ";
  if (*d.significant_from <= 0) return "Prediction is significantly better from the first bin on. ";
  const std::string papers =
      words.papers ? " (in the papers from " + draw::brief(*words.papers) + " " + words.unit + ")" : "";
  return "Prediction is significantly better from <strong>" + draw::brief(*d.significant_from) + " " + words.unit +
         "</strong> on" + papers + ". ";
}

// Millimetres where they matter.
std::string metres(double value) { return draw::fixed(value, value < 0.1 ? 3 : 2); }

std::string with_interval(const draw::Curve& curve, double place) {
  const double mean = value_at(curve, place);
  if (curve.low.empty() || curve.high.empty()) return metres(mean);
  const draw::Curve low{"", curve.at, curve.low, {}, {}}, high{"", curve.at, curve.high, {}, {}};
  return metres(mean) + " <span class=\"soft\">" + metres(value_at(low, place)) + "–" + metres(value_at(high, place)) +
         "</span>";
}

std::string draw_rows(const Displacement& d, const DisplacementWords& words) {
  std::string out = "<table class=\"figures rows\"><thead><tr><th>" + std::string(words.against) + "</th>";
  for (const draw::Curve& curve : d.curves) out += "<th>" + draw::escape(curve.name) + " [m]</th>";
  out += "<th>ratio</th></tr></thead><tbody>\n";
  for (const double place : words.rows) {
    const double e = value_at(d.extrapolation(), place), p = value_at(d.prediction(), place);
    if (!std::isfinite(e) || !std::isfinite(p)) continue;
    out += "<tr><td>" + draw::brief(place) + " " + words.unit + "</td>";
    for (const draw::Curve& curve : d.curves) out += "<td>" + with_interval(curve, place) + "</td>";
    out += "<td>" + (e > 0 ? draw::fixed(p / e, 2) : "–") + "</td></tr>\n";
  }
  return out + "</tbody></table>\n";
}

draw::Role role_of(std::size_t method) {
  if (method == kExtrapolation) return draw::Role::extrapolation;
  return method == kPrediction ? draw::Role::prediction : draw::Role::other;
}

draw::Chart displacement_chart(const Displacement& d, const DisplacementWords& words) {
  draw::Chart chart;
  chart.description = std::string("Mean displacement against ") + words.against;
  chart.x.label = words.axis;
  chart.y.label = words.measure == Measure::relative ? "mean error of the motion [m]" : "mean displacement [m]";
  for (std::size_t i = 0; i < d.curves.size(); ++i) {
    chart.lines.push_back({d.curves[i], role_of(i), i != kPrediction});
  }
  const std::string unit = std::string(" ") + words.unit;
  const double reach = d.prediction().at.back();
  if (d.significant_from && *d.significant_from > 0) {
    chart.x_marks.push_back({*d.significant_from, "better from " + draw::brief(*d.significant_from) + unit});
  }
  if (words.papers && *words.papers <= reach) {
    chart.x_marks.push_back({*words.papers, "papers: from " + draw::brief(*words.papers) + unit});
  }
  return chart;
}

std::string say_displacement(const Displacement& d, const DisplacementWords& words) {
  const char* measured = words.measure == Measure::relative
                             ? " Measured is the motion since the message: the error that the reported pose had itself "
                               "is taken out of both methods."
                             : "";
  return "<p>" + say_significance(d, words) + "Bands: 95 % intervals of the mean." + measured + "</p>\n";
}

// The part of a curve up to a place.
draw::Curve beginning(const draw::Curve& curve, double until) {
  const auto n = std::upper_bound(curve.at.begin(), curve.at.end(), until + 1e-9) - curve.at.begin();
  draw::Curve part = curve;
  for (std::vector<double>* values : {&part.at, &part.mean, &part.low, &part.high}) {
    if (!values->empty()) values->resize(static_cast<std::size_t>(n));
  }
  return part;
}

// The papers' robot is no measure for another one.
std::optional<double> papers_have(const StudyPage& input, double value) {
  return input.source == DriveSource::simulated ? std::optional(value) : std::nullopt;
}

constexpr const char* kTooFew = "<p>Too few messages for a curve.</p>\n";

std::string draw_shares(const CoverageCurves& c) {
  draw::Chart chart;
  chart.description = "Share of moments at which the robot was within the stated region, against the gap";
  chart.x.label = "gap since the last message [s]";
  chart.y = {.label = "robot was within the region", .low = 0, .high = 1, .percent = true};
  chart.lines.push_back({named(c.share95, "95 % region"), draw::Role::prediction, false});
  if (!c.share50.empty()) chart.lines.push_back({named(c.share50, "50 % region"), draw::Role::prediction, true});
  chart.y_marks.push_back({0.95, ""});
  if (!c.share50.empty()) chart.y_marks.push_back({0.5, ""});
  return draw::draw(chart);
}

std::string draw_radius(const CoverageCurves& c) {
  draw::Chart chart;
  chart.description = "Radius of the stated 95 % region beside the 95th percentile of the error, against the gap";
  chart.x.label = "gap since the last message [s]";
  chart.y.label = "size [m]";
  chart.lines = {{named(c.radius95, "stated radius"), draw::Role::prediction, false},
                 {named(c.error95, "95 % of errors below"), draw::Role::truth, true}};
  return draw::draw(chart);
}

// How much larger or smaller the regions are than the errors ask for, on average over the gaps.
double mean_ratio(const draw::Curve& radius, const draw::Curve& error) {
  double sum = 0;
  int n = 0;
  for (std::size_t i = 0; i < radius.at.size(); ++i) {
    const double e = value_at(error, radius.at[i]);
    if (!(e > 0)) continue;
    sum += radius.mean[i] / e;
    ++n;
  }
  return n > 0 ? sum / n : 0;
}

}  // namespace

std::string draw_by_gap(const StudyPage& input) {
  const Displacement& d = input.by_gap;
  if (d.empty()) return kTooFew;
  const DisplacementWords words{"gap since the last message [s]", "s",          "gap", papers_have(input, 2.5),
                                {0.25, 0.5, 1, 2.5, 6, 12.5, 18}, input.measure};
  std::string out = say_displacement(d, words) + "<div class=\"pair\"><figure>" +
                    draw::draw(displacement_chart(d, words)) + "</figure>";
  Displacement soon = d;
  for (draw::Curve& curve : soon.curves) curve = beginning(curve, kSoon);
  if (soon.prediction().at.size() > 2) {
    out += "<figure>" + draw::draw(displacement_chart(soon, words)) +
           "<figcaption>The first seconds enlarged.</figcaption></figure>";
  }
  return out + "</div>\n<div class=\"scroll\">" + draw_rows(d, words) + "</div>\n";
}

std::string draw_by_distance(const StudyPage& input) {
  const Displacement& d = input.by_distance;
  if (d.empty()) return kTooFew;
  const DisplacementWords words{"distance travelled since the last message [m]",
                                "m",
                                "travelled",
                                papers_have(input, 1),
                                {0.25, 0.5, 1, 2, 3, 4, 5},
                                input.measure};
  return say_displacement(d, words) + "<div class=\"pair\"><figure>" + draw::draw(displacement_chart(d, words)) +
         "</figure><figure class=\"scroll\">" + draw_rows(d, words) + "</figure></div>\n";
}

std::string draw_experts(const StudyPage& input) {
  draw::Chart chart;
  chart.description = "Mean weight of each expert, against the gap";
  chart.x.label = "gap since the last message [s]";
  chart.y = {.label = "weight", .low = 0, .high = 1, .percent = true};
  for (std::size_t i = 0; i < input.experts.size(); ++i) {
    const draw::Curve& curve = input.experts[i];
    const bool extrapolates = curve.name == "extrapolation", stays = curve.name == "stay";
    const draw::Role role = extrapolates ? draw::Role::extrapolation
                            : stays      ? draw::Role::truth
                                         : (i % 2 == 0 ? draw::Role::prediction : draw::Role::other);
    chart.lines.push_back({curve, role, i >= 4});
  }
  return "<p>Several experts say where the robot is; who has been right at such gaps is believed. The mean of their "
         "weights over all messages:</p>\n<div class=\"pair\"><figure>" +
         draw::draw(chart) + "</figure></div>\n";
}

std::string draw_coverage(const StudyPage& input) {
  const CoverageCurves& c = input.coverage;
  if (c.share95.empty()) return "<p>The stated regions were not measured in this study.</p>\n";
  std::string out = "<p>The predictor says where the robot is with 95 % and with 50 %. It was there in <strong>" +
                    draw::fixed(c.coverage95 * 100, 1) + " %</strong>";
  if (!c.share50.empty()) out += " and <strong>" + draw::fixed(c.coverage50 * 100, 1) + " %</strong>";
  out += " of all moments.";
  if (c.score95 > 0) {
    out += " Its score, 5 % of the region’s radius and the distance to the region where the robot is outside, is " +
           metres(c.score95) + " m on average.";
  }
  const bool has_sizes = !c.radius95.empty() && !c.error95.empty();
  if (has_sizes) {
    out += " On average over the gaps the stated radius is " + draw::fixed(mean_ratio(c.radius95, c.error95), 2) +
           " times the error that 95 % stay below.";
  }
  out += "</p>\n<div class=\"pair\"><figure>" + draw_shares(c) + "<figcaption>Dotted: as stated.</figcaption></figure>";
  if (has_sizes) {
    out += "<figure>" + draw_radius(c) +
           "<figcaption>Radius of the disc with the region’s area; smaller is better while the robot is inside often "
           "enough.</figcaption></figure>";
  }
  return out + "</div>\n";
}

}  // namespace forerun::study
