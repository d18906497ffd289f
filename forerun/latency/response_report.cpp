#include "forerun/latency/response_report.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "forerun/draw/chart.hpp"
#include "forerun/draw/markup.hpp"
#include "forerun/draw/page.hpp"

namespace forerun::latency {
namespace {

using Json = nlohmann::ordered_json;
using learn::HorizonErrors;
using learn::Method;

constexpr int kBins = 30;

template <class Value>
Json by_method(const HorizonErrors& errors, Value&& value) {
  Json json;
  for (std::size_t i = 0; i < learn::kMethods; ++i) json[learn::kMethodNames[i]] = value(errors.methods[i]);
  return json;
}

struct Shown {
  Method method;
  draw::Role role;
};
// The papers' three, and ours.
constexpr Shown kShown[] = {{Method::velocity, draw::Role::extrapolation},
                            {Method::linear, draw::Role::other},
                            {Method::network, draw::Role::truth},
                            {Method::best, draw::Role::prediction}};

std::string name_of(Method method) { return learn::kMethodNames[static_cast<std::size_t>(method)]; }

// The share of errors in each bin; what is larger is not shown.
draw::Curve histogram(const std::vector<double>& values, double highest) {
  std::vector<double> bins(kBins);
  for (const double value : values) {
    const double bin = std::floor(value / highest * kBins);
    if (bin < kBins) bins[static_cast<std::size_t>(bin)] += 1 / static_cast<double>(values.size());
  }
  draw::Curve curve;
  for (int i = 0; i < kBins; ++i) {
    for (const int side : {0, 1}) {
      curve.at.push_back((i + side) * highest / kBins);
      curve.mean.push_back(bins[static_cast<std::size_t>(i)]);
    }
  }
  return curve;
}

// Which colour is whose.
std::string legend() {
  std::string html;
  for (const auto& [method, role] : kShown) {
    html += std::string("<i class=\"") + draw::to_string(role) + "\" style=\"color:var(--role)\">" + name_of(method) +
            "</i> ";
  }
  return html;
}

std::string draw_histogram(const HorizonErrors& errors, std::vector<double> learn::MethodErrors::*part, double scale,
                           const char* label) {
  draw::Chart chart;
  chart.description = std::string("How often errors of each size are: ") + label;
  chart.x.label = label;
  chart.y.label = "share of predictions";
  chart.y.percent = true;
  std::vector<double> all = errors.of(Method::velocity).*part;
  const auto far = all.begin() + static_cast<std::ptrdiff_t>(0.95 * static_cast<double>(all.size() - 1));
  std::nth_element(all.begin(), far, all.end());
  const double highest = std::max(*far * scale, 1e-6);
  for (const auto& [method, role] : kShown) {
    std::vector<double> values = errors.of(method).*part;
    for (double& value : values) value *= scale;
    chart.lines.push_back({histogram(values, highest), role});
  }
  return "<figure>" + draw::draw(chart) + "<figcaption>" + legend() + "</figcaption></figure>\n";
}

std::string table(std::span<const HorizonErrors> errors) {
  std::string html = "<table class=\"figures\"><thead><tr><th>ahead</th>";
  for (const char* name : learn::kMethodNames) html += std::string("<th>") + name + "</th>";
  html += "</tr></thead><tbody>\n";
  for (const HorizonErrors& one : errors) {
    html += "<tr><td>" + draw::fixed(one.horizon, 2) + " s [mm]</td>";
    for (const auto& method : one.methods) html += "<td>" + draw::fixed(1000 * method.place_rms(), 2) + "</td>";
    html += "</tr>\n<tr><td>" + draw::fixed(one.horizon, 2) + " s [mrad]</td>";
    for (const auto& method : one.methods) html += "<td>" + draw::fixed(1000 * method.heading_rms(), 1) + "</td>";
    html += "</tr>\n";
  }
  return html + "</tbody></table>\n";
}

}  // namespace

Json to_json(std::span<const HorizonErrors> errors) {
  Json horizons = Json::array();
  for (const HorizonErrors& one : errors) {
    horizons.push_back({{"horizon_s", one.horizon},
                        {"n", one.of(Method::best).place.size()},
                        {"position_rmse_m", by_method(one, [](const auto& m) { return m.place_rms(); })},
                        {"heading_rmse_rad", by_method(one, [](const auto& m) { return m.heading_rms(); })},
                        {"p95", by_method(one, [](const auto& m) { return m.place_p95(); })},
                        {"heading_p95_rad", by_method(one, [](const auto& m) { return m.heading_p95(); })}});
  }
  return {{"horizons", horizons}};
}

std::string draw_histograms(const HorizonErrors& errors) {
  return "<div class=\"pair\">" + draw_histogram(errors, &learn::MethodErrors::place, 100, "position error [cm]") +
         draw_histogram(errors, &learn::MethodErrors::heading, 1, "heading error [rad]") + "</div>\n";
}

std::string evaluation_page(std::span<const HorizonErrors> errors, const learn::LearnedModel& model) {
  const HorizonErrors& middle = errors[errors.size() / 2];
  const double ours = middle.of(Method::best).place_rms(), theirs = middle.of(Method::commands).place_rms();
  std::string content = "<p>Root mean squares of the errors:</p>\n" + table(errors);
  for (const HorizonErrors& one : errors) {
    content += "<h2>" + draw::fixed(one.horizon, 2) + " s ahead</h2>\n" + draw_histograms(one);
  }
  const auto& r = model.best.response;
  content += "<p>The model: " + std::to_string(model.n_samples) + " samples, " + draw::fixed(1 / model.best.period, 0) +
             " frames a second. Its response, forward: " + draw::fixed(1000 * r.forward.delay, 0) + " ms delay, " +
             draw::fixed(1000 * r.forward.lag, 0) + " ms lag; turning: " + draw::fixed(1000 * r.turn.delay, 0) +
             " ms and " + draw::fixed(1000 * r.turn.lag, 0) + " ms.</p>\n";
  return draw::write_page({.title = "Predicting away control latency",
                           .lead = draw::fixed(middle.horizon, 2) +
                                   " s ahead, <strong class=\"prediction\">best</strong> is " +
                                   draw::fixed(1000 * ours, 1) + " mm off; the commands alone, with the best delay, " +
                                   draw::fixed(1000 * theirs, 1) + " mm.",
                           .content = content});
}

}  // namespace forerun::latency
