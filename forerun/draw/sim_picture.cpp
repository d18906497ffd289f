#include "forerun/draw/sim_picture.hpp"

#include <cstdio>

#include "forerun/draw/plan_picture.hpp"

namespace forerun::draw {
namespace {

std::string describe(const SimPicture& p) {
  char text[200];
  std::snprintf(text, sizeof text, "%s in %s · reality %s, seed %llu · %.1f m in %.0f s, %d collisions",
                p.model.robot.name.c_str(), p.world.name.c_str(), p.model.reality.name,
                static_cast<unsigned long long>(p.model.seed), p.loop.plant().path_length(), to_seconds(p.loop.time()),
                p.loop.statistics().collisions);
  return text;
}

// Boxes as outlines and people as discs, where they are at the end.
void add_crowd(const SimPicture& p, draw::PlanPicture& drawing) {
  for (std::size_t i = 0; i < p.model.cast.people.size(); ++i) {
    const draw::RobotStyle style{.radius = sim::kPersonRadius, .colour = "#7a7a7a", .label = i == 0 ? "person" : ""};
    drawing.add_robot(p.loop.surroundings().movers()[i].pose, style);
  }
  for (std::size_t i = 0; i < p.model.cast.boxes.size(); ++i) {
    const world::Mover& box = p.model.cast.boxes[i];
    std::vector<Vec2> outline;
    for (const Vec2 corner : {Vec2{1, 1}, Vec2{-1, 1}, Vec2{-1, -1}, Vec2{1, -1}, Vec2{1, 1}}) {
      outline.push_back(box.pose * Vec2{corner.x * box.half_length, corner.y * box.half_width});
    }
    drawing.add_path(outline, {.colour = "#8a5a00", .width_px = 2, .label = i == 0 ? "box that is on no map" : ""});
  }
}

}  // namespace

std::string draw(const SimPicture& p) {
  draw::PlanPicture drawing(p.scenario.name);
  drawing.set_subtitle(describe(p));
  drawing.add_world(p.world);
  drawing.add_path(p.trail, {.label = "path driven"});
  add_crowd(p, drawing);
  drawing.add_start(p.scenario.start);
  for (std::size_t i = 0; i < p.scenario.goals.size(); ++i) {
    drawing.add_goal(p.scenario.goals[i].position, std::to_string(i + 1), p.scenario.goals[i].name);
  }
  drawing.add_robot(p.loop.truth().pose, {.radius = p.model.robot.footprint.radius, .label = p.model.robot.name});
  return drawing.svg();
}

}  // namespace forerun::draw
