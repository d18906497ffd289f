// The pages of `study calibration` and `study sensitivity`.
#include <algorithm>

#include "forerun/draw/markup.hpp"
#include "forerun/draw/page.hpp"
#include "forerun/draw/plan_svg.hpp"
#include "forerun/study/calibration_study.hpp"
#include "forerun/study/sensitivity_study.hpp"

namespace forerun::study {
namespace {

constexpr std::size_t kMostCircles = 4;  // that are drawn

Box2 around(std::initializer_list<const std::vector<Vec2>*> ways, double margin) {
  Box2 area;
  for (const auto* way : ways) {
    for (const Vec2 p : *way) area.include(p);
  }
  return {area.low - Vec2{margin, margin}, area.high + Vec2{margin, margin}};
}

std::string centimetres(double metres) { return draw::fixed(metres * 100, 2); }

std::string ellipse_row(const char* what, const learn::Ellipse& e, const char* paper) {
  return "<tr><td>" + std::string(what) + "</td><td>" + centimetres(e.major) + "</td><td>" + centimetres(e.minor) +
         "</td><td>" + draw::fixed(e.area() * 1e4, 0) + "</td><td>" + paper + "</td></tr>\n";
}

std::string draw_table(const CircleRun& run) {
  return "<table class=\"figures\"><thead><tr><th>first robot</th><th>major axis [cm]</th><th>minor axis "
         "[cm]</th><th>area "
         "[cm²]</th><th>the paper’s robot [cm]</th></tr></thead><tbody>\n" +
         ellipse_row("tracked", run.tracked_ellipse, "107.714 × 107.44") +
         ellipse_row("dead reckoning, measured by hand", run.nominal_ellipse, "109.875 × 109.036") +
         ellipse_row("dead reckoning, calibrated", run.calibrated_ellipse, "107.101 × 106.387") + "</tbody></table>\n";
}

std::string draw_circles(const CircleRun& run) {
  draw::PlanWindow window(around({&run.tracked, &run.by_nominal, &run.by_calibrated}, 0.05),
                          "A circle as tracked, and as the wheels have it before and after calibration");
  window.add_path(run.tracked, draw::Role::truth);
  window.add_path(run.by_nominal, draw::Role::extrapolation, "dashed");
  window.add_path(run.by_calibrated, draw::Role::prediction);
  window.add_scale();
  return "<figure>" + window.html(360) + "<figcaption>Major axis " + centimetres(run.tracked_ellipse.major) +
         " cm tracked, <i class=\"extrapolation\">" + centimetres(run.nominal_ellipse.major) +
         "</i> by hand-measured wheels, <i class=\"prediction\">" + centimetres(run.calibrated_ellipse.major) +
         "</i> calibrated.</figcaption></figure>\n";
}

}  // namespace

std::string calibration_study_page(const CalibrationStudyResult& result) {
  std::string circles;
  for (std::size_t i = 0; i < std::min(result.runs.size(), kMostCircles); ++i) circles += draw_circles(result.runs[i]);
  const std::string lead = "Dead reckoning makes a circle’s diameter wrong by <strong class=\"extrapolation\">" +
                           centimetres(result.nominal_error_m) +
                           " cm</strong> with wheels measured by hand, and by <strong class=\"prediction\">" +
                           centimetres(result.calibrated_error_m) + " cm</strong> with calibrated ones.";
  return draw::write_page(
      {"Circles, calibrated", lead,
       draw::write_section("ellipses", "Ellipses fitted to three rounds",
                           draw_table(result.runs.front()) + "<p class=\"soft\">The sentence on top is the mean of " +
                               std::to_string(result.runs.size()) + " robots.</p>\n") +
           draw::write_section("circles", "The circles", "<div class=\"pair\">" + circles + "</div>\n")});
}

std::string sensitivity_page(const SensitivityResult& result) {
  const WrongWay &less = result.wrong.front(), &more = result.wrong.back();
  draw::PlanWindow window(around({&result.wall, &result.way, &less.way, &more.way}, 0.4),
                          "The way along a wall, and as it is with a wrong base");
  window.add_path(result.wall, draw::Role::truth, "faint");
  window.add_path(result.way, draw::Role::truth);
  window.add_path(less.way, draw::Role::extrapolation, "dashed");
  window.add_path(more.way, draw::Role::other);
  window.add_dot(result.way.back(), draw::Role::truth);
  // beside the last fifth of the way
  const std::size_t place = result.way.size() * 4 / 5;
  window.add_words(less.way[place], draw::fixed(100 * less.base_off, 0) + " %", "name extrapolation left");
  window.add_words(more.way[place], "+" + draw::fixed(100 * more.base_off, 0) + " %", "name other right");
  window.add_scale();
  std::string rows;
  for (const WrongWay& way : result.wrong) {
    rows += "<tr><td>" + draw::fixed(100 * way.base_off, 1) + " %</td><td>" + draw::fixed(way.mean_squared_m2, 4) +
            "</td><td>" + draw::fixed(way.mean_m, 3) + "</td><td>" + draw::fixed(way.final_error_m, 3) + "</td></tr>\n";
  }
  const std::string table =
      "<table class=\"figures\"><thead><tr><th>base off by</th><th>mean squared error [m²]</th><th>mean error "
      "[m]</th><th>at "
      "the end [m]</th></tr></thead><tbody>\n" +
      rows + "</tbody></table>\n<p class=\"soft\">The paper’s path: 0.1043 and 0.1033 with a base 4 % off.</p>\n";
  return draw::write_page({"A wrong base",
                           "The same wheel speeds end " +
                               draw::fixed(std::max(less.final_error_m, more.final_error_m), 2) + " m off after " +
                               draw::fixed(result.length_m, 1) + " m when the base is wrong by " +
                               draw::fixed(100 * more.base_off, 0) + " %.",
                           draw::write_section("ways", "The ways", "<figure>" + window.html(520) + "</figure>\n") +
                               draw::write_section("errors", "How far off they are", table)});
}

}  // namespace forerun::study
