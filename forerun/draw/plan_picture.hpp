// A plan view as SVG: the world from above, paths, goals and robots, like a figure in a paper.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "forerun/base/result.hpp"
#include "forerun/geom/grid.hpp"
#include "forerun/geom/pose.hpp"
#include "forerun/world/world.hpp"

namespace forerun::draw {

struct PathStyle {
  std::string colour = "#c8321e";
  double width_px = 2.2;
  bool dashed = false;
  std::string label{};  // in the legend; empty: not there
};

struct RobotStyle {
  double radius = 0.25;  // [m]
  std::string colour = "#1f5fa8";
  std::string label{};
};

class PlanPicture {
 public:
  explicit PlanPicture(std::string title) : title_(std::move(title)) {}

  // The picture covers every world that was added, or else everything else that was added.
  // Solids are cut at this height above the floor: higher things are dark, lower ones seen from above.
  void add_world(const world::World& world, double cut_height = 1.25);
  // Free cells of a grid, where there is no world: 1 free, 0 taken. `y_down` for files that count rows from the top.
  void add_grid(const Grid<std::uint8_t>& free, bool y_down = false);
  // Shades the cells by their value, with a line every `contour`; infinite ones stay as they are.
  void add_value_function(const Grid<float>& values, double contour = 2.0);
  void add_value_function(const Grid<double>& values, double contour = 2.0);
  void add_path(std::span<const Vec2> points, const PathStyle& style);
  // A goal: a disc with a short text in it, and a name beside it when given.
  void add_goal(Vec2 at, const std::string& text, const std::string& name = "");
  void add_start(const Pose2& pose);
  void add_robot(const Pose2& pose, const RobotStyle& style);
  // A line under the title: what the figures are.
  void set_subtitle(std::string subtitle) { subtitle_ = std::move(subtitle); }

  [[nodiscard]] std::string svg() const;
  [[nodiscard]] Result<void> write(const std::string& path) const;

 private:
  struct Path {
    std::vector<Vec2> points;
    PathStyle style;
  };
  struct Goal {
    Vec2 at;
    std::string text, name;
  };
  struct Robot {
    Pose2 pose;
    RobotStyle style;
  };
  struct Shading {
    GridFrame frame;
    std::string png;  // encoded
  };

  struct Canvas;
  void draw_worlds(Canvas& canvas) const;
  void draw_doors(Canvas& canvas, const world::World& world) const;
  void draw_shadings(Canvas& canvas) const;
  void draw_paths(Canvas& canvas) const;
  void draw_robots(Canvas& canvas) const;
  void draw_goals(Canvas& canvas) const;
  void draw_legend(Canvas& canvas) const;
  void draw_scale_bar(Canvas& canvas) const;
  [[nodiscard]] Box2 covered() const;

  struct DrawnWorld {
    world::World world;
    double cut_height = 1.25;
  };

  std::string title_, subtitle_;
  std::vector<DrawnWorld> worlds_;
  std::vector<Shading> grids_, values_;
  std::vector<Path> paths_;
  std::vector<Goal> goals_;
  std::vector<Robot> robots_;
  std::vector<Pose2> starts_;
};

}  // namespace forerun::draw
