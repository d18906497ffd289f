#include "forerun/study/wheel_report.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "forerun/draw/chart.hpp"
#include "forerun/draw/markup.hpp"
#include "forerun/draw/page.hpp"
#include "forerun/draw/plan_svg.hpp"

namespace forerun::study {
namespace {

constexpr std::size_t kMostPictures = 12;
constexpr const char* kWheelNames[] = {"d_left_m", "d_right_m", "base_m"};

std::string millimetres(double metres) { return draw::fixed(metres * 1000, 1) + " mm"; }

std::string draw_ways(const learn::WheelTest& test) {
  Box2 area;
  for (const auto* paths : {&test.before, &test.after}) {
    for (const learn::ReckonedPath& path : *paths) {
      for (const Vec2 p : path.seen) area.include(p);
      for (const Vec2 p : path.reckoned) area.include(p);
    }
  }
  if (area.empty()) return "";
  const double margin = 0.08 * std::max({area.size().x, area.size().y, 0.1});
  area.low = area.low - Vec2{margin, margin};
  area.high = area.high + Vec2{margin, margin};
  draw::PlanWindow window(area, "Dead-reckoned ways of " + test.file + " before and after calibration");
  for (const learn::ReckonedPath& path : test.before) window.add_path(path.seen, draw::Role::truth);
  for (const learn::ReckonedPath& path : test.before) {
    window.add_path(path.reckoned, draw::Role::extrapolation, "dashed");
    window.add_dot(path.reckoned.back(), draw::Role::extrapolation);
  }
  for (const learn::ReckonedPath& path : test.after) {
    window.add_path(path.reckoned, draw::Role::prediction);
    window.add_dot(path.reckoned.back(), draw::Role::prediction);
  }
  for (const learn::ReckonedPath& path : test.before) window.add_dot(path.seen.back(), draw::Role::truth);
  window.add_scale();
  const learn::ReckoningError before = learn::error_of(test.before), after = learn::error_of(test.after);
  return "<figure>" + window.html(420) + "<figcaption>" +
         draw::escape(test.file.substr(test.file.find_last_of('/') + 1)) + ": at the end <i class=\"extrapolation\">" +
         millimetres(before.final_error) + "</i> off before, <i class=\"prediction\">" +
         millimetres(after.final_error) + "</i> after.</figcaption></figure>\n";
}

// One parameter over the time driven, with the band in which it lies with 95 %.
std::string draw_stages(const learn::WheelResult& result, double robot::DifferentialGeometry::*part, const char* name) {
  draw::Chart chart;
  chart.description = std::string(name) + " over the time driven, with its bounds";
  chart.x.label = "driven [s]";
  chart.y.label = std::string(name) + " [mm]";
  draw::Curve curve;
  curve.name = "calibrated";
  const auto& stages = result.calibration.stages;
  const double end = 1000 * stages.back().geometry.*part, nominal = 1000 * result.robot.nominal.*part;
  // what is not yet known would flatten the rest
  const double reach = std::max(1.3 * std::abs(nominal - end), 0.02 * end);
  for (const learn::CalibrationStage& stage : stages) {
    const double value = 1000 * stage.geometry.*part, bound = 1960 * stage.sigma.*part;
    curve.at.push_back(stage.driven_s);
    curve.mean.push_back(std::clamp(value, end - reach, end + reach));
    curve.low.push_back(std::clamp(value - bound, end - reach, end + reach));
    curve.high.push_back(std::clamp(value + bound, end - reach, end + reach));
  }
  chart.y.low = end - reach;
  chart.y.high = end + reach;
  chart.lines.push_back({curve, draw::Role::prediction});
  chart.y_marks.push_back({nominal, "nominal"});
  return "<figure>" + draw::draw(chart) + "</figure>\n";
}

std::string row(const char* what, double nominal, double value, double sigma, bool seen) {
  return "<tr><td>" + std::string(what) + "</td><td>" + draw::fixed(nominal * 1000, 2) + "</td><td>" +
         (seen ? draw::fixed(value * 1000, 2) : std::string("not shown")) + "</td><td>" +
         (seen ? draw::fixed(sigma * 1000, 2) : std::string("–")) + "</td></tr>\n";
}

std::string draw_table(const learn::WheelResult& result) {
  const auto& b = result.calibration.belief;
  const auto& n = result.robot.nominal;
  return "<table class=\"figures\"><thead><tr><th></th><th>nominal [mm]</th><th>calibrated [mm]</th><th>σ "
         "[mm]</th></tr></thead><tbody>\n" +
         row("left diameter", n.left_diameter, b.geometry.left_diameter, b.sigma.left_diameter, b.observable[0]) +
         row("right diameter", n.right_diameter, b.geometry.right_diameter, b.sigma.right_diameter, b.observable[1]) +
         row("base", n.base, b.geometry.base, b.sigma.base, b.observable[2]) + "</tbody></table>\n";
}

std::string say_sensor(const learn::Calibration& found) {
  const Pose2& m = found.belief.mount;
  return "<p>The external sensor is " + millimetres(std::abs(m.x)) + (m.x < 0 ? " behind" : " ahead of") +
         " the robot’s centre and " + millimetres(std::abs(m.y)) + (m.y < 0 ? " to its right" : " to its left") +
         ", turned by " + draw::fixed(m.theta * 180 / kPi, 1) + "°, and " +
         draw::fixed(std::abs(found.delay) * 1000, 0) + (found.delay < 0 ? " ms early.</p>\n" : " ms late.</p>\n");
}

std::string say_result(const learn::WheelResult& result) {
  return "Dead reckoning ends <strong class=\"extrapolation\">" + millimetres(result.before.final_error) +
         "</strong> off with the nominal wheels, and <strong class=\"prediction\">" +
         millimetres(result.after.final_error) + "</strong> with the calibrated ones.";
}

}  // namespace

nlohmann::ordered_json to_json(const learn::WheelResult& result) {
  const auto& belief = result.calibration.belief;
  const auto& g = belief.geometry;
  const auto& s = belief.sigma;
  const double values[] = {g.left_diameter, g.right_diameter, g.base};
  const double sigmas[] = {s.left_diameter, s.right_diameter, s.base};
  nlohmann::ordered_json json;
  nlohmann::ordered_json observable = nlohmann::ordered_json::array();
  const auto put = [&](const std::string& name, double value, bool seen) {
    json[name] = seen ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
  };
  for (std::size_t i = 0; i < 3; ++i) put(kWheelNames[i], values[i], belief.observable[i]);
  for (std::size_t i = 0; i < 3; ++i) {
    put(std::string("sigma_") + kWheelNames[i], sigmas[i], belief.observable[i]);
    if (belief.observable[i]) observable.push_back(kWheelNames[i]);
  }
  json["observable"] = observable;
  json["rms_before_m"] = result.before.rms;
  json["rms_after_m"] = result.after.rms;
  json["final_error_before_m"] = result.before.final_error;
  json["final_error_after_m"] = result.after.final_error;
  json["samples"] = result.calibration.n_samples;
  json["rejected"] = result.calibration.n_rejected;
  return json;
}

std::string wheel_page(const learn::WheelResult& result) {
  std::string ways;
  for (std::size_t i = 0; i < std::min(result.tests.size(), kMostPictures); ++i) ways += draw_ways(result.tests[i]);
  std::string out = draw_table(result) + say_sensor(result.calibration);
  out +=
      "<section><h2>The way, before and after</h2>\n<p>As it was seen (<i>dark</i>), as the <i "
      "class=\"extrapolation\">nominal</i> and as the <i class=\"prediction\">calibrated</i> wheels have it, each from "
      "the first pose on.</p>\n<div class=\"pair\">" +
      ways + "</div></section>\n";
  out +=
      "<section><h2>How the wheels came to be known</h2>\n<p>With the bounds that hold with 95 %, by the noise that "
      "was found.</p>\n<div class=\"pair\">" +
      draw_stages(result, &robot::DifferentialGeometry::left_diameter, "left diameter") +
      draw_stages(result, &robot::DifferentialGeometry::right_diameter, "right diameter") +
      draw_stages(result, &robot::DifferentialGeometry::base, "base") + "</div></section>\n";
  return draw::write_page({"Wheels, calibrated", say_result(result), out});
}

}  // namespace forerun::study
