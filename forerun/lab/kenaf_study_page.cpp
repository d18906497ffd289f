#include "forerun/lab/kenaf_study_page.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "forerun/atlas/terrain_parts.hpp"
#include "forerun/draw/chart.hpp"
#include "forerun/draw/markup.hpp"
#include "forerun/draw/page.hpp"
#include "forerun/draw/plan_svg.hpp"
#include "forerun/io/base64.hpp"
#include "forerun/lab/tracked_robot.hpp"
#include "forerun/physics/crawler_shape.hpp"
#include "forerun/physics/jpeg.hpp"

namespace forerun::lab {
namespace {

using draw::fixed;
using mobility::Comparison;
using mobility::Frame;
using mobility::TrialKind;

std::string name(const mobility::Trial& trial) {
  const char* what = trial.kind == TrialKind::step            ? "step, flippers unused"
                     : trial.kind == TrialKind::step_flippers ? "step, flippers used"
                                                              : "trench";
  return std::string(what) + ", " + fixed(1000 * trial.size, 0) + " mm";
}

// What stands there, with the colours of wood and concrete.
world::World world_of(const mobility::Trial& trial) {
  world::World world;
  world.name = "trial";
  world.materials = {{.name = "ground", .red = 0.42, .green = 0.4, .blue = 0.37},
                     {.name = "obstacle", .red = 0.55, .green = 0.42, .blue = 0.26}};
  const world::Terrain terrain = mobility::trial_terrain(trial);
  for (std::size_t i = 0; i < terrain.blocks.size(); ++i) atlas::add_block(world, terrain.blocks[i], i == 0 ? 0 : 1);
  return world;
}

// From the side and a little above, where the obstacle is.
physics::Camera from_the_side(double x) {
  physics::Camera camera;
  camera.place = {x + 0.05, -2.4, 0.8};
  const Attitude looks{0, 0.26, kPi / 2 - 0.1};
  camera.axes = rotation(looks);
  camera.field_of_view = 0.58;
  camera.width = 360;
  camera.height = 240;
  return camera;
}

Result<std::string> picture(physics::CameraView& view, const robot::Crawler& robot,
                            const mobility::TrialMoment& moment) {
  std::vector<physics::ColouredTriangle> shapes;
  physics::add_shape(robot, moment.state, shapes);
  physics::Picture seen;
  view.draw(from_the_side(0.75), shapes, seen);
  const auto jpeg = physics::encode_jpeg(seen, 80);
  if (!jpeg) return jpeg.error();
  return "<figure><img alt=\"The robot after " + fixed(moment.time, 1) +
         " s\" style=\"width:100%\" src=\"data:image/jpeg;base64," + io::encode_base64(*jpeg) + "\"><figcaption>" +
         fixed(moment.time, 1) + " s, nose up by " + fixed(degrees(moment.nose_up), 0) + "°</figcaption></figure>\n";
}

// A climb in six pictures: from where its nose begins to rise until it stands on top.
Result<std::string> sequence(const Comparison& run, const robot::Crawler& robot) {
  const auto& moments = run.ours.moments;
  const auto rises = std::find_if(moments.begin(), moments.end(), [](const auto& m) { return m.nose_up > 0.05; });
  const auto first = static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, rises - moments.begin() - 5));
  constexpr std::size_t kPictures = 6;
  physics::CameraView view(world_of(run.trial));
  std::string made = "<div class=\"pair\">\n";
  for (std::size_t i = 0; i < kPictures; ++i) {
    const auto one = picture(view, robot, moments[first + (moments.size() - 1 - first) * i / (kPictures - 1)]);
    if (!one) return one.error();
    made += *one;
  }
  return draw::write_section("climb", "A climb in pictures: " + name(run.trial), made + "</div>\n");
}

template <class Value>
draw::Curve curve(const char* called, const std::vector<Frame>& frames, Value value) {
  draw::Curve made{called, {}, {}, {}, {}};
  for (std::size_t i = 0; i < frames.size(); ++i) {
    made.at.push_back(static_cast<double>(i) * mobility::kMomentEvery);
    made.mean.push_back(value(frames[i]));
  }
  return made;
}

// The other robot's frames where matching puts them, on our time.
std::vector<Frame> moved(const Comparison& run) {
  std::vector<Frame> made(run.ours_frames.size());
  for (const mobility::Pair& pair : run.pairs) made[pair.a] = run.other_frames[pair.b];
  return made;
}

template <class Value>
std::string chart(const Comparison& run, const std::vector<Frame>& other, const char* label, Value value,
                  const std::string& about) {
  draw::Chart made;
  made.description = about;
  made.x.label = "s";
  made.y.label = label;
  if (std::string_view(label) == "°") made.y = {label, -20, 50, false};  // noses hang down as well as up
  made.lines = {{curve("ours", run.ours_frames, value), draw::Role::prediction, false},
                {curve("the other", other, value), draw::Role::truth, true}};
  return "<figure>" + draw::draw(made) + "<figcaption>" + about + "</figcaption></figure>\n";
}

std::string charts(const Comparison& run) {
  const auto along = [](const Frame& f) { return 1000 * std::hypot(f.x, f.z); };
  const auto nose = [](const Frame& f) { return degrees(f.pitch); };
  const std::vector<Frame> matched = moved(run);
  return draw::write_section("trajectories-" + fixed(1000 * run.trial.size, 0), name(run.trial),
                             "<div class=\"pair\">\n" +
                                 chart(run, run.other_frames, "mm", along, "Way from the start, as driven.") +
                                 chart(run, matched, "mm", along, "The same after matching.") +
                                 chart(run, run.other_frames, "°", nose, "Nose up, as driven.") +
                                 chart(run, matched, "°", nose, "The same after matching.") + "</div>\n");
}

std::string errors_table(const std::vector<Comparison>& runs) {
  std::string made =
      "<table class=\"figures rows\"><thead><tr><th>trial</th><th>mm, unmatched</th>"
      "<th>mm, matched</th><th>largest</th><th>°, unmatched</th><th>°, "
      "matched</th><th>largest</th></tr></thead><tbody>\n";
  for (const Comparison& run : runs) {
    made += "<tr><td>" + name(run.trial) + "</td>";
    for (const double value :
         {1000 * run.unmatched.norm_mean, 1000 * run.matched.norm_mean, 1000 * run.matched.norm_max,
          degrees(run.unmatched.pitch_mean), degrees(run.matched.pitch_mean), degrees(run.matched.pitch_max)}) {
      made += "<td>" + fixed(value, 1) + "</td>";
    }
    made += "</tr>\n";
  }
  made +=
      "</tbody></table>\n<p class=\"soft\">The paper reports means of at most 132.2 mm and 11.4° between its "
      "simulator and the real robot, in tests that both passed.</p>\n";
  return draw::write_section("errors", "How far apart", made);
}

std::string draw_square(const bridge::SquareTrial& square) {
  Box2 area;
  for (const Vec2 place : square.way) area.include(place);
  if (square.way.empty()) return "";
  area.low = area.low - Vec2{0.03, 0.03};
  area.high = area.high + Vec2{0.03, 0.03};
  draw::PlanWindow window(area, "The way of the robot, which drove a square");
  window.add_path(square.way, draw::Role::prediction);
  window.add_dot(square.way.front(), draw::Role::truth);
  window.add_dot(square.way.back(), draw::Role::prediction);
  window.add_scale();
  return "<figure>" + window.html(280) +
         "<figcaption>The way of its centre of gravity; it begins at the dark dot.</figcaption></figure>\n";
}

std::string say_square(const bridge::SquareTrial& square) {
  return draw::write_section("square", "The paper's square",
                             draw_square(square) +
                                 "<p>Four times 100 mm ahead and a quarter turn, through the robot's library and "
                                 "the intermediate process: it ends " +
                                 fixed(square.closure_mm, 1) + " mm from its start, turned by " +
                                 fixed(square.heading_deg, 2) + "°. The intermediate process adds " +
                                 fixed(square.bridge_delay_ms_p99, 2) +
                                 " ms or less to 99 % of the messages; meanwhile the camera gives " +
                                 fixed(square.camera_fps, 0) + " pictures a second.</p>\n");
}

std::string prediction_table(const char* title, const std::vector<mobility::GapScore>& scores) {
  std::string made =
      std::string("<h3>") + title +
      "</h3>\n<table class=\"figures rows\"><thead><tr><th>after</th><th>stays</th><th>goes on</th>"
      "<th>physics</th><th>believed</th><th>pitch kept</th><th>pitch predicted</th></tr></thead><tbody>\n";
  for (const mobility::GapScore& s : scores) {
    made += "<tr><td>" + fixed(s.gap, 1) + " s</td>";
    for (const double metres : {s.stays, s.extrapolated, s.physics, s.believed}) {
      made += "<td>" + fixed(100 * metres, 1) + " cm</td>";
    }
    for (const double angle : {s.pitch_held, s.pitch}) made += "<td>" + fixed(degrees(angle), 1) + "°</td>";
    made += "</tr>\n";
  }
  return made + "</tbody></table>\n";
}

}  // namespace

Result<std::string> kenaf_study_page(const KenafFigures& figures, const robot::Crawler& robot) {
  const auto climb = std::find_if(figures.runs.begin(), figures.runs.end(), [](const Comparison& run) {
    return run.trial.kind == TrialKind::step_flippers && run.trial.size > 0.15;
  });
  std::string content;
  if (climb != figures.runs.end()) {
    const auto pictures = sequence(*climb, robot);
    if (!pictures) return pictures.error();
    content += *pictures;
  }
  content += errors_table(figures.runs);
  for (const Comparison& run : figures.runs) {
    if (run.trial.kind == TrialKind::step_flippers) content += charts(run);
  }
  content += say_square(figures.square);
  content += draw::write_section("prediction", "Prediction on the course",
                                 prediction_table("For who drives it, and knows the commands", figures.course.gaps) +
                                     prediction_table("For who only watches", figures.course.untold));
  return draw::write_page({.title = "Kenaf on rough ground",
                           .lead = "A tracked robot with flippers in a physics engine, beside one that is a little "
                                   "heavier, slips more and is slower: as a real robot is beside its file.",
                           .content = content});
}

}  // namespace forerun::lab
