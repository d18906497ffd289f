// A world seen from above, drawn once and looked at through many windows of one page.
#pragma once

#include <span>
#include <string>

#include "forerun/draw/chart.hpp"
#include "forerun/geom/box.hpp"
#include "forerun/geom/pose.hpp"
#include "forerun/predict/region.hpp"
#include "forerun/world/plan_grid.hpp"
#include "forerun/world/world.hpp"

namespace forerun::draw {

// In metres, with y upwards in the world and downwards on the page.
struct PlanDrawing {
  std::string shapes;  // SVG elements that take their colours from the page
  Box2 area;           // of the world
};

// Floors, furniture and walls as shapes; where these would make the page heavy (maps from scans), `free` as a picture.
[[nodiscard]] PlanDrawing draw_plan(const world::World& world, const world::FreeGrid& free);
[[nodiscard]] PlanDrawing draw_plan(const world::FreeGrid& free);

// The element that holds the drawing; it must stand once on the page, before the windows. Several plans on a page have
// names of their own.
[[nodiscard]] std::string plan_definition(const PlanDrawing& plan, const std::string& name = "plan");

// A window on the plan, with things drawn over it.
class PlanWindow {
 public:
  PlanWindow(const Box2& area, std::string description, std::string plan = "plan")
      : area_(area), description_(std::move(description)), plan_(std::move(plan)) {}

  void add_path(std::span<const Vec2> points, Role role, const std::string& extra_style = "");
  // A body, which way it faces, and what it is.
  void add_robot(const Pose2& pose, double radius, Role role, const std::string& extra_style = "");
  void add_region(const predict::Region& region, Role role);
  void add_dot(Vec2 place, Role role);
  // Words in the size of the page's text, however small the window is; right of the place or centred on it.
  void add_words(Vec2 place, const std::string& words, const std::string& style);
  // A round length at the lower edge.
  void add_scale();

  // `height_px`: it becomes no taller than this.
  [[nodiscard]] std::string html(double height_px) const;

 private:
  [[nodiscard]] std::string percent_of(Vec2 place) const;

  Box2 area_;
  std::string description_;
  std::string plan_;  // its name
  std::string shapes_;
  std::string words_;
};

}  // namespace forerun::draw
