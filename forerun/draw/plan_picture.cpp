#include "forerun/draw/plan_picture.hpp"

#include <algorithm>
#include <cmath>

#include "forerun/draw/plan_shapes.hpp"
#include "forerun/draw/shading.hpp"
#include "forerun/draw/simplify.hpp"
#include "forerun/io/base64.hpp"
#include "forerun/io/file.hpp"
#include "forerun/io/image.hpp"

namespace forerun::draw {

namespace {

constexpr double kPictureWidth = 1200;  // [px]
constexpr double kTallest = 1500;       // of the plan itself [px]
constexpr double kEdge = 28;            // around everything [px]
constexpr double kPathGrain = 0.01;     // [m] paths are drawn no finer than this

std::string px(double value) {
  const double rounded = std::round(value * 100) / 100;
  std::string text = std::to_string(rounded == 0 ? 0.0 : rounded);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string escape(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '&')
      escaped += "&amp;";
    else if (c == '<')
      escaped += "&lt;";
    else if (c == '>')
      escaped += "&gt;";
    else if (c == '"')
      escaped += "&quot;";
    else if (static_cast<unsigned char>(c) >= 0x20)
      escaped += c;
  }
  return escaped;
}

}  // namespace

// Turns metres into pixels and collects what is drawn.
struct PlanPicture::Canvas {
  Box2 area;         // [m]
  double scale = 1;  // [px/m]
  double top = 0;    // where the plan begins [px]
  std::string out;

  [[nodiscard]] double x(double metres) const { return kEdge + (metres - area.low.x) * scale; }
  [[nodiscard]] double y(double metres) const { return top + (area.high.y - metres) * scale; }
  [[nodiscard]] std::string at(Vec2 p) const { return px(x(p.x)) + " " + px(y(p.y)); }
  [[nodiscard]] double bottom() const { return top + area.size().y * scale; }

  void fill(const std::vector<std::array<Vec2, 3>>& triangles, const std::string& colour) {
    if (triangles.empty()) return;
    out += "<path fill=\"" + colour + "\" stroke=\"" + colour + "\" stroke-width=\"0.4\" d=\"";
    for (const auto& t : triangles) out += "M" + at(t[0]) + "L" + at(t[1]) + "L" + at(t[2]) + "Z";
    out += "\"/>\n";
  }
  void stroke(const std::vector<Segment2>& segments, const std::string& colour, double width_px) {
    if (segments.empty()) return;
    out += "<path fill=\"none\" stroke=\"" + colour + "\" stroke-width=\"" + px(width_px) + "\" d=\"";
    for (const Segment2& s : segments) out += "M" + at(s.a) + "L" + at(s.b);
    out += "\"/>\n";
  }
  void text(Vec2 place_px, const std::string& words, const std::string& attributes) {
    out += "<text x=\"" + px(place_px.x) + "\" y=\"" + px(place_px.y) + "\" " + attributes + ">" + escape(words) +
           "</text>\n";
  }
};

void PlanPicture::add_world(const world::World& world, double cut_height) { worlds_.push_back({world, cut_height}); }

void PlanPicture::add_grid(const Grid<std::uint8_t>& free, bool y_down) {
  grids_.push_back({free.frame(), shade_free(free, y_down)});
}

void PlanPicture::add_value_function(const Grid<float>& values, double contour) {
  values_.push_back({values.frame(), shade_values(values, contour)});
}

void PlanPicture::add_value_function(const Grid<double>& values, double contour) {
  Grid<float> narrow(values.frame());
  for (std::size_t i = 0; i < values.size(); ++i) narrow[i] = static_cast<float>(values[i]);
  add_value_function(narrow, contour);
}

void PlanPicture::add_path(std::span<const Vec2> points, const PathStyle& style) {
  paths_.push_back({simplify(points, kPathGrain), style});
}

void PlanPicture::add_goal(Vec2 at, const std::string& text, const std::string& name) {
  goals_.push_back({at, text, name});
}

void PlanPicture::add_start(const Pose2& pose) { starts_.push_back(pose); }

void PlanPicture::add_robot(const Pose2& pose, const RobotStyle& style) { robots_.push_back({pose, style}); }

Box2 PlanPicture::covered() const {
  Box2 box;
  const auto include = [&](const Box2& other) {
    if (other.empty()) return;
    box.include(other.low);
    box.include(other.high);
  };
  for (const DrawnWorld& drawn : worlds_) include(world::bounds(drawn.world));
  if (box.empty()) {
    for (const auto* shadings : {&grids_, &values_}) {
      for (const Shading& s : *shadings) {
        const Vec2 size{s.frame.width * s.frame.cell_size, s.frame.height * s.frame.cell_size};
        include({s.frame.origin, s.frame.origin + size});
      }
    }
    for (const Path& path : paths_) {
      for (const Vec2 p : path.points) box.include(p);
    }
    for (const Goal& goal : goals_) box.include(goal.at);
  }
  if (box.empty()) include({{0, 0}, {1, 1}});
  // a point or a line still needs some room
  const double grow = std::max(0.5 - std::min(box.size().x, box.size().y), 0.1);
  return {box.low - Vec2{grow, grow}, box.high + Vec2{grow, grow}};
}

void PlanPicture::draw_worlds(Canvas& canvas) const {
  for (const DrawnWorld& drawn : worlds_) {
    const PlanShapes plan = make_plan(drawn.world, drawn.cut_height);
    const auto& materials = drawn.world.materials;
    const auto tone = [&](std::int32_t material, const Tone& towards) {
      const bool known = material >= 0 && static_cast<std::size_t>(material) < materials.size();
      return mix(known ? materials[static_cast<std::size_t>(material)] : world::Material{}, towards);
    };
    canvas.out += "<g shape-rendering=\"crispEdges\">\n";
    for (const PlanFace& face : plan.floors) canvas.fill(face.triangles, tone(face.material, kFloorTone));
    canvas.out += "</g>\n";
    draw_shadings(canvas);
    for (const PlanFace& face : plan.furniture) {
      canvas.fill(face.triangles, tone(face.material, kFurnitureTone));
      canvas.stroke(face.outline, tone(face.material, kOutlineTone), 0.7);
    }
    for (const PlanFace& face : plan.cut) canvas.fill(face.triangles, tone(face.material, kCutTone));
    draw_doors(canvas, drawn.world);
  }
  if (worlds_.empty()) draw_shadings(canvas);
}

// An open leaf with the quarter circle over which it swings.
void PlanPicture::draw_doors(Canvas& canvas, const world::World& world) const {
  for (const world::Door& door : world.doors) {
    const Vec2 open = door.hinge + unit_vector(door.open_angle) * door.width;
    const Vec2 closed = door.hinge + unit_vector(door.closed_angle) * door.width;
    const double radius = door.width * canvas.scale;
    const double turn = door.open_angle - door.closed_angle;
    canvas.out += "<path fill=\"none\" stroke=\"#a9a49a\" stroke-width=\"0.7\" stroke-dasharray=\"2.5 2.5\" d=\"M" +
                  canvas.at(closed) + "A" + px(radius) + " " + px(radius) + " 0 " +
                  (std::fabs(turn) > kPi ? "1" : "0") + " " + (turn > 0 ? "0" : "1") + " " + canvas.at(open) + "\"/>\n";
    canvas.stroke({{door.hinge, door.open ? open : closed}}, "#7a4a24", std::max(door.thickness * canvas.scale, 1.8));
  }
}

void PlanPicture::draw_shadings(Canvas& canvas) const {
  for (const auto* shadings : {&grids_, &values_}) {
    for (const Shading& s : *shadings) {
      const double width = s.frame.width * s.frame.cell_size, height = s.frame.height * s.frame.cell_size;
      canvas.out +=
          "<image x=\"" + px(canvas.x(s.frame.origin.x)) + "\" y=\"" + px(canvas.y(s.frame.origin.y + height)) +
          "\" width=\"" + px(width * canvas.scale) + "\" height=\"" + px(height * canvas.scale) +
          "\" preserveAspectRatio=\"none\" href=\"data:image/png;base64," + io::encode_base64(s.png) + "\"/>\n";
    }
  }
}

void PlanPicture::draw_paths(Canvas& canvas) const {
  for (const Path& path : paths_) {
    if (path.points.size() < 2) continue;
    std::string points;
    for (const Vec2 p : path.points)
      points += (points.empty() ? "" : " ") + px(canvas.x(p.x)) + "," + px(canvas.y(p.y));
    const std::string common = "fill=\"none\" stroke-linejoin=\"round\" stroke-linecap=\"round\" points=\"" + points;
    // a light edge keeps crossing paths apart
    canvas.out += "<polyline stroke=\"#ffffff\" stroke-opacity=\"0.75\" stroke-width=\"" + px(path.style.width_px + 2) +
                  "\" " + common + "\"/>\n";
    canvas.out += "<polyline stroke=\"" + escape(path.style.colour) + "\" stroke-width=\"" + px(path.style.width_px) +
                  "\" " + (path.style.dashed ? "stroke-dasharray=\"7 5\" " : "") + common + "\"/>\n";
  }
}

void PlanPicture::draw_robots(Canvas& canvas) const {
  for (const Robot& robot : robots_) {
    const Vec2 nose = robot.pose * Vec2{robot.style.radius, 0};
    const std::string colour = escape(robot.style.colour);
    canvas.out += "<circle cx=\"" + px(canvas.x(robot.pose.x)) + "\" cy=\"" + px(canvas.y(robot.pose.y)) + "\" r=\"" +
                  px(robot.style.radius * canvas.scale) + "\" fill=\"" + colour + "\" fill-opacity=\"0.25\" stroke=\"" +
                  colour + "\" stroke-width=\"1.4\"/>\n";
    canvas.stroke({{robot.pose.position(), nose}}, colour, 1.4);
  }
  for (const Pose2& start : starts_) {
    // an arrowhead that lies on the place and points along the heading
    const double size = 11 / canvas.scale;
    const Vec2 tip = start * Vec2{size, 0}, left = start * Vec2{-size * 0.8, size * 0.8};
    const Vec2 notch = start * Vec2{-size * 0.4, 0}, right = start * Vec2{-size * 0.8, -size * 0.8};
    canvas.out += "<path fill=\"#1d2733\" stroke=\"#ffffff\" stroke-width=\"1.2\" d=\"M" + canvas.at(tip) + "L" +
                  canvas.at(left) + "L" + canvas.at(notch) + "L" + canvas.at(right) + "Z\"/>\n";
  }
}

void PlanPicture::draw_goals(Canvas& canvas) const {
  for (const Goal& goal : goals_) {
    const Vec2 at{canvas.x(goal.at.x), canvas.y(goal.at.y)};
    canvas.out += "<circle cx=\"" + px(at.x) + "\" cy=\"" + px(at.y) +
                  "\" r=\"10\" fill=\"#1d2733\" stroke=\"#ffffff\" stroke-width=\"1.5\"/>\n";
    canvas.text(at + Vec2{0, 4.2}, goal.text,
                "font-size=\"12\" font-weight=\"600\" fill=\"#ffffff\" text-anchor=\"middle\"");
    if (goal.name.empty()) continue;
    canvas.text(at + Vec2{14, 4.2}, goal.name,
                "font-size=\"12\" fill=\"#1d2733\" stroke=\"#ffffff\" stroke-width=\"3\" stroke-linejoin=\"round\" "
                "paint-order=\"stroke\"");
  }
}

void PlanPicture::draw_legend(Canvas& canvas) const {
  constexpr double kSample = 26, kGap = 26, kLetter = 6.6;  // [px]; about the width of a letter of this size
  const double y = canvas.bottom() + 30;
  double x = kEdge;
  const auto add = [&](const std::string& sample, const std::string& label) {
    canvas.out += sample;
    canvas.text({x + kSample + 8, y + 4.2}, label, "font-size=\"13\" fill=\"#3a4149\"");
    x += kSample + 8 + kLetter * static_cast<double>(label.size()) + kGap;
  };
  for (const Path& path : paths_) {
    if (path.style.label.empty()) continue;
    add("<path fill=\"none\" stroke=\"" + escape(path.style.colour) + "\" stroke-width=\"" + px(path.style.width_px) +
            (path.style.dashed ? "\" stroke-dasharray=\"7 5" : "") + "\" d=\"M" + px(x) + " " + px(y) + "h" +
            px(kSample) + "\"/>\n",
        path.style.label);
  }
  for (const Robot& robot : robots_) {
    if (robot.style.label.empty()) continue;
    const std::string colour = escape(robot.style.colour);
    add("<circle cx=\"" + px(x + kSample / 2) + "\" cy=\"" + px(y) + "\" r=\"7\" fill=\"" + colour +
            "\" fill-opacity=\"0.25\" stroke=\"" + colour + "\" stroke-width=\"1.4\"/>\n",
        robot.style.label);
  }
}

void PlanPicture::draw_scale_bar(Canvas& canvas) const {
  // the roundest length that takes about a tenth of the width
  const double wanted = canvas.area.size().x / 10;
  double metres = std::pow(10.0, std::floor(std::log10(wanted)));
  for (const double factor : {5.0, 2.0}) {
    if (metres * factor <= wanted * 1.3) {
      metres *= factor;
      break;
    }
  }
  const double y = canvas.bottom() + 30, right = kPictureWidth - kEdge, left = right - metres * canvas.scale;
  canvas.out += "<path fill=\"none\" stroke=\"#3a4149\" stroke-width=\"1.4\" d=\"M" + px(left) + " " + px(y - 4) +
                "v8M" + px(left) + " " + px(y) + "H" + px(right) + "M" + px(right) + " " + px(y - 4) + "v8\"/>\n";
  canvas.text({left - 8, y + 4.2}, px(metres) + " m", "font-size=\"13\" fill=\"#3a4149\" text-anchor=\"end\"");
}

std::string PlanPicture::svg() const {
  Canvas canvas;
  canvas.area = covered();
  canvas.scale = std::min((kPictureWidth - 2 * kEdge) / canvas.area.size().x, kTallest / canvas.area.size().y);
  // a tall plan stands in the middle
  const double spare = (kPictureWidth - 2 * kEdge) / canvas.scale - canvas.area.size().x;
  canvas.area.low.x -= spare / 2;
  canvas.area.high.x += spare / 2;
  canvas.top = kEdge + 22 + (subtitle_.empty() ? 0 : 20);
  const double height = canvas.bottom() + 58;

  canvas.text({kEdge, kEdge + 8}, title_, "font-size=\"19\" font-weight=\"600\" fill=\"#1d2733\"");
  if (!subtitle_.empty()) canvas.text({kEdge, kEdge + 29}, subtitle_, "font-size=\"13\" fill=\"#5b636c\"");
  draw_worlds(canvas);
  draw_paths(canvas);
  draw_robots(canvas);
  draw_goals(canvas);
  draw_legend(canvas);
  draw_scale_bar(canvas);
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + px(kPictureWidth) + "\" height=\"" + px(height) +
         "\" viewBox=\"0 0 " + px(kPictureWidth) + " " + px(height) +
         "\" font-family=\"Helvetica, Arial, 'Liberation Sans', sans-serif\">\n"
         "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n" +
         canvas.out + "</svg>\n";
}

Result<void> PlanPicture::write(const std::string& path) const { return io::write_file(path, svg()); }

}  // namespace forerun::draw
