#include "forerun/draw/plan_svg.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "forerun/draw/markup.hpp"
#include "forerun/draw/plan_shapes.hpp"
#include "forerun/draw/simplify.hpp"
#include "forerun/io/base64.hpp"
#include "forerun/io/image.hpp"
#include "forerun/predict/outline.hpp"

namespace forerun::draw {
namespace {

constexpr std::size_t kHeavy = 250'000;  // more text than this is a picture instead
constexpr double kCutHeight = 1.25;      // above the floor, as in other plans [m]
constexpr double kPathGrain = 0.01;      // paths are drawn no finer than this [m] …
constexpr double kFineGrain = 0.0005;    // … or than this share of a small window
constexpr int kWallCells = 2;            // walls of a scanned map are drawn this thick
constexpr std::uint8_t kGrey = 0x80;     // of those walls: seen on light and on dark pages

// On the page y runs downwards.
Vec2 on_page(Vec2 place) { return {place.x, -place.y}; }

std::string fill(const std::vector<draw::PlanFace>& faces, const char* style) {
  std::string d;
  for (const draw::PlanFace& face : faces) {
    for (const auto& t : face.triangles) {
      d += "M" + brief(on_page(t[0])) + "L" + brief(on_page(t[1])) + "L" + brief(on_page(t[2])) + "Z";
    }
  }
  return d.empty() ? "" : std::string("<path class=\"") + style + "\" d=\"" + d + "\"/>\n";
}

std::string outline(const std::vector<draw::PlanFace>& faces) {
  std::string d;
  for (const draw::PlanFace& face : faces) {
    for (const Segment2& s : face.outline) d += "M" + brief(on_page(s.a)) + "L" + brief(on_page(s.b));
  }
  return d.empty() ? "" : "<path class=\"edge\" d=\"" + d + "\"/>\n";
}

std::string draw_doors(const world::World& world) {
  std::string d;
  for (const world::Door& door : world.doors) {
    const Vec2 end = door.hinge + unit_vector(door.open ? door.open_angle : door.closed_angle) * door.width;
    d += "M" + brief(on_page(door.hinge)) + "L" + brief(on_page(end));
  }
  return d.empty() ? "" : "<path class=\"door\" d=\"" + d + "\"/>\n";
}

// Taken, and near to where a robot could be: what lies deep in the unknown is of no interest.
bool is_wall(const world::FreeGrid& free, Cell cell) {
  if (free[cell] != 0) return false;
  for (int y = -kWallCells; y <= kWallCells; ++y) {
    for (int x = -kWallCells; x <= kWallCells; ++x) {
      const Cell near{cell.x + x, cell.y + y};
      if (free.frame().contains(near) && free[near] != 0) return true;
    }
  }
  return false;
}

double round_length(double wanted) {
  const double unit = std::pow(10.0, std::floor(std::log10(wanted)));
  return wanted >= 5 * unit ? 5 * unit : wanted >= 2 * unit ? 2 * unit : unit;
}

}  // namespace

PlanDrawing draw_plan(const world::FreeGrid& free) {
  const GridFrame& frame = free.frame();
  const Vec2 size{frame.width * frame.cell_size, frame.height * frame.cell_size};
  PlanDrawing plan{"", {frame.origin, frame.origin + size}};
  std::vector<std::uint8_t> rgba(frame.size() * 4, 0);
  for (std::size_t i = 0; i < frame.size(); ++i) {
    const Cell cell = frame.cell_at(i);
    if (!is_wall(free, cell)) continue;
    // the picture's first row is the plan's last
    const std::size_t pixel = frame.index({cell.x, frame.height - 1 - cell.y}) * 4;
    std::fill_n(rgba.begin() + static_cast<std::ptrdiff_t>(pixel), 3, kGrey);
    rgba[pixel + 3] = 0xff;
  }
  const auto png = io::encode_png(frame.width, frame.height, rgba);
  if (!png) return plan;
  const Vec2 corner = on_page({plan.area.low.x, plan.area.high.y});
  plan.shapes = "<image x=\"" + brief(corner.x) + "\" y=\"" + brief(corner.y) + "\" width=\"" + brief(size.x) +
                "\" height=\"" + brief(size.y) + "\" preserveAspectRatio=\"none\" href=\"data:image/png;base64," +
                io::encode_base64(*png) + "\"/>\n";
  return plan;
}

PlanDrawing draw_plan(const world::World& world, const world::FreeGrid& free) {
  const draw::PlanShapes shapes = draw::make_plan(world, kCutHeight);
  PlanDrawing plan{fill(shapes.floors, "floor") + fill(shapes.furniture, "furniture") + outline(shapes.furniture) +
                       fill(shapes.cut, "wall") + draw_doors(world),
                   world::bounds(world)};
  return plan.shapes.size() > kHeavy ? draw_plan(free) : plan;
}

std::string plan_definition(const PlanDrawing& plan, const std::string& name) {
  return "<svg class=\"definition\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs><g id=\"" + name + "\">\n" +
         plan.shapes + "</g></defs></svg>\n";
}

void PlanWindow::add_path(std::span<const Vec2> points, Role role, const std::string& extra_style) {
  const std::vector<Vec2> kept = draw::simplify(points, std::min(kPathGrain, area_.size().x * kFineGrain));
  if (kept.size() < 2) return;
  std::string d;
  for (const Vec2 p : kept) d += (d.empty() ? "M" : "L") + brief(on_page(p));
  shapes_ += std::string("<path class=\"line ") + to_string(role) + " " + extra_style + "\" d=\"" + d + "\"/>\n";
}

void PlanWindow::add_robot(const Pose2& pose, double radius, Role role, const std::string& extra_style) {
  const Vec2 centre = on_page(pose.position()), nose = on_page(pose * Vec2{radius, 0});
  shapes_ += std::string("<g class=\"robot ") + to_string(role) + " " + extra_style + "\"><circle cx=\"" +
             brief(centre.x) + "\" cy=\"" + brief(centre.y) + "\" r=\"" + brief(radius) + "\"/><path d=\"M" +
             brief(centre) + "L" + brief(nose) + "\"/></g>\n";
}

void PlanWindow::add_region(const predict::Region& region, Role role) {
  const predict::Outline outline = predict::outline_of(region, 0);
  std::string d;
  std::size_t begin = 0;
  for (const std::size_t end : outline.ends) {
    for (std::size_t i = begin; i < end; ++i) d += (i == begin ? "M" : "L") + brief(on_page(outline.points[i]));
    d += "Z";
    begin = end;
  }
  shapes_ += std::string("<path class=\"region ") + to_string(role) + "\" d=\"" + d + "\"/>\n";
}

void PlanWindow::add_dot(Vec2 place, Role role) {
  // a line of no length with round ends keeps its size on every screen
  shapes_ += std::string("<path class=\"dot ") + to_string(role) + "\" d=\"M" + brief(on_page(place)) + "h0\"/>\n";
}

std::string PlanWindow::percent_of(Vec2 place) const {
  const Vec2 size = area_.size();
  return "left:" + brief(100 * (place.x - area_.low.x) / size.x) +
         "%;top:" + brief(100 * (area_.high.y - place.y) / size.y) + "%";
}

void PlanWindow::add_words(Vec2 place, const std::string& words, const std::string& style) {
  if (!area_.contains(place)) return;
  words_ += "<span class=\"" + style + "\" style=\"" + percent_of(place) + "\">" + escape(words) + "</span>\n";
}

void PlanWindow::add_scale() {
  const Vec2 size = area_.size();
  const double length = round_length(size.x / 6);
  const Vec2 end{area_.high.x - 0.02 * size.x, area_.low.y + 0.02 * size.x}, begin = end - Vec2{length, 0};
  const std::string line = "d=\"M" + brief(on_page(begin)) + "L" + brief(on_page(end)) + "\"/>\n";
  // light under dark, so that it shows on walls too
  shapes_ += "<path class=\"scale under\" " + line + "<path class=\"scale\" " + line;
  add_words(begin + Vec2{length / 2, 0}, brief(length) + " m", "scale-words");
}

std::string PlanWindow::html(double height_px) const {
  const Vec2 size = area_.size();
  const Vec2 corner = on_page({area_.low.x, area_.high.y});
  return "<div class=\"window\" style=\"max-width:" + fixed(height_px * size.x / size.y, 0) +
         "px\"><svg role=\"img\" viewBox=\"" + brief(corner) + " " + brief(size) + "\" aria-label=\"" +
         escape(description_) + "\"><use href=\"#" + plan_ + "\"/>\n" + shapes_ + "</svg>\n" + words_ + "</div>\n";
}

}  // namespace forerun::draw
