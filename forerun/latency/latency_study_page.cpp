#include <string>

#include "forerun/draw/chart.hpp"
#include "forerun/draw/markup.hpp"
#include "forerun/draw/page.hpp"
#include "forerun/draw/plan_svg.hpp"
#include "forerun/latency/course.hpp"
#include "forerun/latency/latency_study.hpp"
#include "forerun/latency/response_report.hpp"

namespace forerun::latency {
namespace {

std::string centimetres(double metres) { return draw::fixed(100 * metres, 1) + " cm"; }

std::string draw_ways(const TaskRun& without, const TaskRun& with, const std::vector<Vec2>& wanted, const char* about) {
  Box2 area;
  for (const auto* path : {&without.path, &with.path, &wanted}) {
    for (const Vec2 p : *path) area.include(p);
  }
  area.low = area.low - Vec2{0.15, 0.15};
  area.high = area.high + Vec2{0.15, 0.15};
  draw::PlanWindow window(area, about);
  if (wanted.size() > 1) window.add_path(wanted, draw::Role::truth, "dashed");
  window.add_path(without.path, draw::Role::extrapolation);
  window.add_path(with.path, draw::Role::prediction);
  if (wanted.size() == 1) window.add_dot(wanted.front(), draw::Role::truth);
  window.add_scale();
  return "<figure>" + window.html(420);
}

std::string say_loop(const LatencyResult& r) {
  std::vector<Vec2> line;
  const FreeKickLoop loop(1);
  for (double along = 0; along <= FreeKickLoop::length(); along += 0.02) line.push_back(loop.at(along).place);
  return draw::write_section(
      "loop", "A loop round the free-kick points",
      draw_ways(r.loop_without, r.loop_with, line, "Three laps with and without prediction") +
          "<figcaption>Three laps, as truly driven. Mean distance from the dashed line: <i class=\"extrapolation\">" +
          centimetres(r.loop_without.error_m) + "</i> without prediction, <i class=\"prediction\">" +
          centimetres(r.loop_with.error_m) +
          "</i> with it.</figcaption></figure>\n<p>With a dead time half as long again as the " +
          "learned one, the robot stays within " + centimetres(r.loop_longer.error_m) +
          " in the mean; with half of it, within " + centimetres(r.loop_shorter.error_m) + ".</p>\n");
}

std::string say_targets(const LatencyResult& r) {
  return draw::write_section("target", "To a target",
                             draw_ways(r.target_without, r.target_with, {r.target_with.path.back()},
                                       "A way to a target with and without prediction") +
                                 "<figcaption>It gets <i class=\"extrapolation\">" +
                                 centimetres(r.target_without.error_m) +
                                 "</i> beyond its targets in the mean without prediction, <i class=\"prediction\">" +
                                 centimetres(r.target_with.error_m) + "</i> with it.</figcaption></figure>\n");
}

}  // namespace

std::string latency_study_page(const LatencyResult& r) {
  const respond::Response& found = r.model.best.response;
  const std::string content =
      say_loop(r) + say_targets(r) +
      draw::write_section("errors", "Errors four frames ahead", draw_histograms(r.errors)) +
      "<p class=\"soft\">Learned from " + draw::fixed(r.model.duration_s, 0) + " s of play: dead time " +
      draw::fixed(1000 * found.forward.delay, 0) + " ms, lag " + draw::fixed(1000 * found.forward.lag, 0) +
      " ms. The robot is driven by where it will be " + draw::fixed(1000 * r.ahead_s, 0) + " ms later.</p>\n";
  return draw::write_page(
      {.title = "Predicting away control latency",
       .lead = "A small omnidirectional robot under a camera, its commands late by the dead time: "
               "driven by what is seen, it swerves; driven by where it will be when a command shows, it "
               "keeps to the line.",
       .content = content});
}

}  // namespace forerun::latency
