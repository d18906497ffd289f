#include "forerun/draw/mission_page.hpp"

#include <algorithm>
#include <cmath>

#include "forerun/draw/chart.hpp"
#include "forerun/draw/markup.hpp"
#include "forerun/draw/page.hpp"
#include "forerun/draw/plan_svg.hpp"
#include "forerun/navigate/planning_model.hpp"

namespace forerun::draw {
namespace {

using mission::Cut;
using mission::TimedPath;

constexpr double kZoom = 12;        // length of an enlarged piece of time [s]
constexpr double kAround = 0.6;     // of an enlarged piece of the plan, to each side [m]
constexpr double kTall = 420;       // pictures of the plan [px]
constexpr double kMostSpike = 0.8;  // taller ones are cut off in the charts [m/s]

struct Span {
  double from = 0, to = 0;  // [s]
};

template <class Path>
std::vector<Vec2> places(const Path& path) {
  std::vector<Vec2> all;
  for (const auto& point : path) all.push_back(point.pose.position());
  return all;
}

// How fast the left and the right wheel roll [m/s].
std::pair<double, double> rolling(const robot::Description& robot, const robot::Twist& v) {
  const double half = 0.5 * std::get<robot::DifferentialGeometry>(robot.drive.geometry).base;
  return {v.vx - half * v.w, v.vx + half * v.w};
}

struct WheelCurves {
  Curve left{.name = "left wheel"}, right{.name = "right wheel"};
};
template <class Path>
WheelCurves wheel_curves(const Path& path, const robot::Description& robot, const Span& span) {
  WheelCurves curves;
  for (const auto& point : path) {
    if (point.time < span.from || point.time > span.to) continue;
    const auto [left, right] = rolling(robot, point.velocity);
    curves.left.at.push_back(point.time);
    curves.right.at.push_back(point.time);
    curves.left.mean.push_back(clamp(left, -kMostSpike, kMostSpike));
    curves.right.mean.push_back(clamp(right, -kMostSpike, kMostSpike));
  }
  return curves;
}

Chart wheel_chart(const WheelCurves& curves, const Span& span, double most, const char* description) {
  Chart chart;
  chart.description = description;
  chart.x = {.label = "time [s]", .low = span.from, .high = span.to};
  chart.y = {.label = "wheel velocity [m/s]", .low = -most, .high = most};
  chart.lines = {{curves.left, Role::extrapolation, false}, {curves.right, Role::prediction, false}};
  return chart;
}

std::string figure(const std::string& picture, const std::string& caption) {
  return "<figure>" + picture + "<figcaption>" + caption + "</figcaption></figure>\n";
}

// The whole of a path, and a piece of it.
template <class Path>
std::string draw_wheels(const MissionPicture& r, const Path& path, const Span& part, double most, const char* what) {
  const Span all{0, path.back().time};
  return "<div class=\"pair\">" + figure(draw(wheel_chart(wheel_curves(path, r.robot, all), all, most, what)), what) +
         figure(draw(wheel_chart(wheel_curves(path, r.robot, part), part, most, what)), "A part of it enlarged.") +
         "</div>\n";
}

std::string draw_distance(const MissionPicture& r, const Span& span, const char* caption) {
  Chart chart;
  chart.description = "Distance to the wall as the sensor measured it, against time";
  chart.x = {.label = "time [s]", .low = span.from, .high = span.to};
  chart.y = {.label = "measured distance [m]", .low = 0, .high = 0.9};
  Curve curve;
  for (const auto& point : r.recorded) {
    if (point.time < span.from || point.time > span.to) continue;
    curve.at.push_back(point.time);
    curve.mean.push_back(std::min(0.8, static_cast<double>(point.nearest[0])));
  }
  chart.lines.push_back({curve, Role::other, false});
  return figure(draw(chart), caption);
}

// The room, or the part around a place.
Box2 area_of(const MissionPicture& r) {
  Box2 area;
  for (const auto& point : r.recorded) area.include(point.pose.position());
  return {area.low - Vec2{0.4, 0.4}, area.high + Vec2{0.4, 0.4}};
}
Box2 around(Vec2 place) { return {place - Vec2{kAround, kAround}, place + Vec2{kAround, kAround}}; }

const Cut* first_cut(const MissionPicture& r) { return r.trim.cuts.empty() ? nullptr : &r.trim.cuts.front(); }

void add_bumps(const MissionPicture& r, PlanWindow& window) {
  for (std::size_t i = 1; i < r.recorded.size(); ++i) {
    if (r.recorded[i].bumped && !r.recorded[i - 1].bumped)
      window.add_dot(r.recorded[i].pose.position(), Role::extrapolation);
  }
}

std::string draw_recorded(const MissionPicture& r, const Box2& area, const char* caption, bool with_robot) {
  PlanWindow window(area, caption);
  window.add_path(places(r.recorded), Role::prediction);
  add_bumps(r, window);
  if (with_robot) window.add_robot(r.recorded.front().pose, r.robot.footprint.radius, Role::truth);
  window.add_scale();
  return figure(window.html(kTall), caption);
}

// What is cut out, in the colour of what is wrong, with its pinch points.
std::string draw_pinches(const MissionPicture& r, const Box2& area, const char* caption) {
  PlanWindow window(area, caption);
  window.add_path(places(r.recorded), Role::truth, "faint");
  for (const Cut& cut : r.trim.cuts) {
    std::vector<Vec2> section;
    for (std::size_t i = cut.from; i <= cut.to; ++i) section.push_back(r.recorded[i].pose.position());
    window.add_path(section, Role::extrapolation);
    window.add_dot(section.front(), Role::prediction);
    window.add_dot(section.back(), Role::prediction);
  }
  window.add_scale();
  return figure(window.html(kTall), caption);
}

// The trimmed path with the places at which the wheels would have to jump, or the filtered one.
std::string draw_path(const MissionPicture& r, const TimedPath& path, const Box2& area, const char* caption) {
  PlanWindow window(area, caption);
  window.add_path(places(path), Role::prediction);
  const std::vector<double> efforts = mission::wheel_effort(path, r.robot);
  for (std::size_t i = 0; i < efforts.size(); ++i) {
    if (efforts[i] > 1.001) window.add_dot(path[i].pose.position(), Role::extrapolation);
  }
  window.add_scale();
  return figure(window.html(kTall), caption);
}

std::string pair_of(const std::string& a, const std::string& b) { return "<div class=\"pair\">" + a + b + "</div>\n"; }

std::string list_cuts(const MissionPicture& r) {
  std::string rows =
      "<table class=\"figures rows\"><thead><tr><th>cut</th><th>from [s]</th><th>way [m]</th><th>time [s]</th>"
      "<th>gap [mm]</th></tr></thead><tbody>\n";
  for (const Cut& cut : r.trim.cuts) {
    rows += std::string("<tr><td>") + mission::to_string(cut.kind) + "</td><td>" + fixed(r.recorded[cut.from].time, 1) +
            "</td><td>" + fixed(cut.length_m, 2) + "</td><td>" + fixed(cut.duration_s, 1) + "</td><td>" +
            fixed(cut.gap_m * 1000, 0) + "</td></tr>\n";
  }
  return "<div class=\"scroll\">" + rows + "</tbody></table></div>\n";
}

std::string say_main(const MissionPicture& r) {
  const int before = mission::count_bumps(r.recorded), after = mission::count_bumps(r.trial.driven);
  return "The wall follower bumped <strong>" + std::to_string(before) + " times</strong> in " +
         fixed(r.recorded.back().time, 0) + " s. Trimmed and driven again it bumps <strong>" + std::to_string(after) +
         " times</strong>, takes " + fixed(r.trial.duration_s, 0) + " s, and is never nearer to a wall than " +
         fixed(r.trial.min_clearance_m * 100, 1) + " cm.";
}

// The moments around the first cut, in the time of the recording and of the spiky path.
Span around_time(double time, double end) {
  const double from = clamp(time - kZoom / 2, 0.0, std::max(0.0, end - kZoom));
  return {from, from + kZoom};
}

double time_near(const TimedPath& path, Vec2 place) {
  const auto nearest = std::min_element(path.begin(), path.end(), [&](const auto& a, const auto& b) {
    return distance(a.pose.position(), place) < distance(b.pose.position(), place);
  });
  return nearest->time;
}

std::string draw_sections(const MissionPicture& r) {
  const Cut* cut = first_cut(r);
  const std::size_t shown = cut != nullptr ? cut->from : 0;
  const Vec2 place = r.recorded[shown].pose.position();
  const Span early = around_time(r.recorded[shown].time, r.recorded.back().time);
  const Span spiky = around_time(time_near(r.spiky, place), r.spiky.back().time);
  const Span smooth = around_time(time_near(r.timed, place), r.timed.back().time);
  const Box2 whole = area_of(r), near = around(place);
  return write_section("setup", "The setup (figure 4)",
                       draw_recorded(r, whole,
                                     "The right-angled wall, the robot at its start, the way it took, "
                                     "and where it bumped (dots).",
                                     true)) +
         write_section("wheels", "Wheels and wall distance (figure 5)",
                       draw_wheels(r, r.recorded, early, 0.5, "Velocities of both wheels in the try-out.") +
                           pair_of(draw_distance(r, {0, r.recorded.back().time},
                                                 "Distance that the sensor measured; 0.8 m: no wall."),
                                   draw_distance(r, early, "The same part enlarged."))) +
         write_section("bumps", "Bump and back up (figure 6)",
                       pair_of(draw_recorded(r, whole, "The way of the try-out.", false),
                               draw_recorded(r, near, "The first bump enlarged.", false))) +
         write_section("pinch-points", "Pinch points (figure 7)",
                       pair_of(draw_pinches(r, whole, "What is cut (orange) between pinch points (blue dots)."),
                               draw_pinches(r, near, "The first one enlarged.")) +
                           list_cuts(r)) +
         write_section(
             "spikes", "Spikes and the filtered path (figure 8)",
             pair_of(draw_path(r, r.spiky, near,
                               "The trimmed path; dots: the wheels would have to speed up more than they can."),
                     draw_path(r, r.timed, near, "The path that is uploaded: joints rounded, no such place left."))) +
         write_section("control", "Control signals before and after (figure 9)",
                       draw_wheels(r, r.spiky, spiky, kMostSpike, "Wheels for the trimmed path as it is.") +
                           draw_wheels(r, r.timed, smooth, 0.5, "Wheels for the uploaded path, within all limits."));
}

}  // namespace

std::string mission_page(const MissionPicture& r) {
  const auto planning = navigate::make_planning_model(r.world, r.robot);
  const PlanDrawing plan = planning ? draw_plan(r.world, planning->free) : PlanDrawing{};
  return write_page({"From a try-out to an upload", say_main(r),
                     "<dl><div><dt>seed</dt><dd>" + std::to_string(r.seed) + "</dd></div><div><dt>robot</dt><dd>" +
                         escape(r.robot.name) + "</dd></div><div><dt>cuts</dt><dd>" +
                         std::to_string(r.trim.cuts.size()) + "</dd></div></dl>\n" + draw_sections(r),
                     plan_definition(plan)});
}

}  // namespace forerun::draw
