#include <cmath>
#include <string>
#include <utility>

#include "forerun/draw/chart.hpp"
#include "forerun/draw/markup.hpp"
#include "forerun/draw/page.hpp"
#include "forerun/draw/plan_svg.hpp"
#include "forerun/driving/driving_study.hpp"
#include "forerun/navigate/planning_model.hpp"

namespace forerun::driving {
namespace {

constexpr double kWantedDelay = 1, kDrawnLoss = 0.1;
constexpr std::pair<Display, draw::Role> kRoles[] = {{Display::reported, draw::Role::other},
                                                     {Display::extrapolated, draw::Role::extrapolation},
                                                     {Display::predicted, draw::Role::prediction}};

std::string coloured(const std::string& words, draw::Role role) {
  return std::string("<i class=\"") + draw::to_string(role) + "\">" + words + "</i>";
}

std::string centimetres(double metres) { return draw::fixed(100 * metres, 1) + " cm"; }

std::string plan_of(const Course& course) { return "plan-" + course.name; }

std::string say_drive(const Condition& c, draw::Role role) {
  const std::string failed =
      c.failed > 0 ? ", " + std::to_string(c.failed) + " of " + std::to_string(c.runs) + " failed" : std::string();
  return coloured(to_string(c.display), role) + " " + centimetres(c.deviation_rms_m) + " off the line, " +
         draw::fixed(c.time_s, 0) + " s" + failed;
}

// A second, or what there is.
double drawn_delay(const DrivingResult& result) {
  double delay = result.conditions.front().delay_s;
  for (const Condition& c : result.conditions) {
    if (std::fabs(c.delay_s - kWantedDelay) < std::fabs(delay - kWantedDelay)) delay = c.delay_s;
  }
  return delay;
}

std::string draw_tracks(const DrivingResult& result, const Course& course) {
  draw::PlanWindow window(world::bounds(course.world), "The " + course.name + " as it was driven by each display",
                          plan_of(course));
  window.add_path(course.line, draw::Role::truth, "dashed");
  std::string words;
  for (const auto& [display, role] : kRoles) {
    const Condition* condition = find(result, course.name, drawn_delay(result), kDrawnLoss, display);
    if (condition == nullptr) continue;
    window.add_path(condition->track, role);
    words += (words.empty() ? "" : "; ") + say_drive(*condition, role);
  }
  window.add_scale();
  return "<figure>" + window.html(320) + "<figcaption>" + words + ".</figcaption></figure>\n";
}

std::string draw_deviations(const DrivingResult& result, const Course& course) {
  if (result.params.delays_s.size() < 2) return "";
  draw::Chart chart{.description = "Distance from the line by delay",
                    .x = {.label = "delay each way [s]"},
                    .y = {.label = "off the line, rms [m]"},
                    .lines = {},
                    .x_marks = {},
                    .y_marks = {}};
  for (const auto& [display, role] : kRoles) {
    draw::Curve curve{.name = to_string(display), .at = {}, .mean = {}, .low = {}, .high = {}};
    for (const Condition& c : result.conditions) {
      if (!c.is_usual || c.task != course.name || c.loss != kDrawnLoss || c.display != display) continue;
      curve.at.push_back(c.delay_s);
      curve.mean.push_back(c.deviation_rms_m);
    }
    chart.lines.push_back({std::move(curve), role});
  }
  return "<figure>" + draw::draw(chart) + "</figure>\n";
}

std::string say_late_answers(const DrivingResult& result) {
  std::string rows;
  for (const LateAnswer& a : result.late_answers) {
    rows += "<tr><td>" + a.task + "</td><td>" + draw::fixed(a.delay_s, 2) + " s</td><td>" +
            centimetres(a.unknown.deviation_rms_m) + "</td><td>" + centimetres(a.learned.deviation_rms_m) +
            "</td></tr>\n";
  }
  return "<p>A robot whose commands show late, by a dead time and the lag of its motors: off the line while the "
         "predictor does not know that, and after it has learned it.</p>\n"
         "<table class=\"figures rows\"><thead><tr><th>task</th><th>delay</th><th>not "
         "known</th><th>learned</th></tr></thead><tbody>\n" +
         rows + "</tbody></table>\n";
}

}  // namespace

std::string driving_page(const DrivingResult& result) {
  std::string content, plans;
  for (const Course& course : result.courses) {
    plans += draw::plan_definition(draw::draw_plan(course.world, world::FreeGrid{}), plan_of(course));
    content += draw::write_section(
        course.name, "The " + course.name,
        "<div class=\"pair\">" + draw_tracks(result, course) + draw_deviations(result, course) + "</div>\n");
  }
  if (!result.late_answers.empty()) {
    content += draw::write_section("late", "A robot that answers late", say_late_answers(result));
  }
  return draw::write_page({.title = "Driving by hand over a late link",
                           .lead = draw::escape(result.robot) + " (" + result.reality + ")" +
                                   ", driven by a model of a human driver: the tracks are those of the first drive of "
                                   "each display, " +
                                   draw::brief(drawn_delay(result)) +
                                   " s late each way with a tenth of all messages lost; figures are of " +
                                   std::to_string(result.params.runs) + " drives each, seed " +
                                   std::to_string(result.params.seed) + ".",
                           .content = content,
                           .definitions = plans,
                           .style = "i.other{color:var(--other)}"});
}

}  // namespace forerun::driving
