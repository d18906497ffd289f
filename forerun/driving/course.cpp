#include "forerun/driving/course.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "forerun/base/math.hpp"
#include "forerun/world/mover.hpp"

namespace forerun::driving {
namespace {

constexpr double kWallHeight = 2.2;  // [m]
constexpr double kNear = 1.5;        // a line is searched so far along [m]

double radius_of(const robot::Description& robot) { return robot.footprint.radius; }

void add_wall(world::World& world, Vec2 low, Vec2 high) {
  const world::Mover box =
      world::make_box({0.5 * (low.x + high.x), 0.5 * (low.y + high.y), 0}, high - low, kWallHeight, 0);
  world::append_triangles(box, world.triangles);
}

// A floor with walls round it.
world::World make_hall(const char* name, Vec2 low, Vec2 high) {
  constexpr double kThick = 0.1;
  world::World world{.name = name, .materials = {world::Material{}}, .triangles = {}, .doors = {}, .terrain = {}};
  const Vec3 a{low.x, low.y, 0}, b{high.x, low.y, 0}, c{high.x, high.y, 0}, d{low.x, high.y, 0};
  world.triangles.push_back({a, b, c, 0});
  world.triangles.push_back({a, c, d, 0});
  add_wall(world, {low.x - kThick, low.y - kThick}, {high.x + kThick, low.y});
  add_wall(world, {low.x - kThick, high.y}, {high.x + kThick, high.y + kThick});
  add_wall(world, {low.x - kThick, low.y}, {low.x, high.y});
  add_wall(world, {high.x, low.y}, {high.x + kThick, high.y});
  return world;
}

// A line that is drawn piece by piece, with points as dense as a course wants them.
class Pen {
 public:
  explicit Pen(Vec2 from) : line_{from} {}

  void straight_to(Vec2 to) {
    const Vec2 from = line_.back();
    const int n = pieces(distance(from, to));
    for (int i = 1; i <= n; ++i) line_.push_back(from + (to - from) * (static_cast<double>(i) / n));
  }
  // A quarter of a circle: at first in the direction `ahead`, in the end in that of `then`; unit vectors.
  void quarter(double radius, Vec2 ahead, Vec2 then) {
    const Vec2 middle = line_.back() + then * radius;
    const int n = pieces(0.5 * kPi * radius);
    for (int i = 1; i <= n; ++i) {
      const double angle = 0.5 * kPi * i / n;
      line_.push_back(middle - then * (radius * std::cos(angle)) + ahead * (radius * std::sin(angle)));
    }
  }
  [[nodiscard]] std::vector<Vec2> take() { return std::move(line_); }

 private:
  static int pieces(double length) { return std::max(1, static_cast<int>(std::lround(length / Course::kStep))); }
  std::vector<Vec2> line_;
};

// Points at the same distances along it.
std::vector<Vec2> evenly(const std::vector<Vec2>& curve) {
  std::vector<Vec2> line{curve.front()};
  double left = Course::kStep;
  for (std::size_t i = 1; i < curve.size(); ++i) {
    Vec2 from = curve[i - 1];
    while (distance(from, curve[i]) >= left) {
      from = from + (curve[i] - from) * (left / distance(from, curve[i]));
      line.push_back(from);
      left = Course::kStep;
    }
    left -= distance(from, curve[i]);
  }
  return line;
}

}  // namespace

Course make_slalom(const robot::Description& robot) {
  constexpr int kPosts = 5;
  constexpr double kPostHalf = 0.06;
  const double apart = std::max(2.0, 5 * radius_of(robot));
  const double swing = radius_of(robot) + kPostHalf + 0.3;
  const double length = (kPosts + 1) * apart;
  const double half = swing + radius_of(robot) + 0.8;
  const double free = radius_of(robot) + 1.2;  // behind the start, and beyond the end
  Course course{.name = "slalom", .world = make_hall("slalom", {-free, -half}, {length + free, half}), .line = {}};
  for (int i = 1; i <= kPosts; ++i) {
    add_wall(course.world, {i * apart - kPostHalf, -kPostHalf}, {i * apart + kPostHalf, kPostHalf});
  }
  std::vector<Vec2> curve;
  for (double x = 0; x <= length; x += 0.005) {
    // straight before the first post and after the last one
    const double ease = std::min({1.0, x / apart, (length - x) / apart});
    const double share = ease * ease * (3 - 2 * ease);
    curve.push_back({x, swing * share * std::sin(kPi * (x / apart - 0.5))});
  }
  course.line = evenly(curve);
  return course;
}

Course make_doorway(const robot::Description& robot) {
  const double radius = radius_of(robot);
  const double door = std::max(0.9, 2 * radius + 0.3);
  const double corridor = std::max(1.8, 2 * radius + 1);
  const double bend = std::max(0.6, 0.5 * corridor - 0.1);
  const double at = bend + 3;  // of the door, along the corridor
  const double low = 0.5 * corridor, high = low + 0.15;
  const double left = -radius - 0.8, right = at + 0.5 * door + 3;
  Course course{
      .name = "doorway", .world = make_hall("doorway", {left, -low}, {right, high + radius + 3.6}), .line = {}};
  add_wall(course.world, {left, low}, {at - 0.5 * door, high});
  add_wall(course.world, {at + 0.5 * door, low}, {right, high});
  Pen pen({0, 0});
  pen.straight_to({at - bend, 0});
  pen.quarter(bend, {1, 0}, {0, 1});
  pen.straight_to({at, low + 2.5});
  course.line = pen.take();
  return course;
}

Course make_docking(const robot::Description& robot) {
  constexpr double kBend = 1, kAt = 3, kPier = 0.4;  // of the line's corner, the bay and its walls [m]
  const double radius = radius_of(robot);
  const double bay = 2 * radius + 0.4, depth = 2 * radius + 0.4;
  const double end = kBend + depth + 1.5;
  const double free = radius + 0.8;
  Course course{.name = "docking",
                .world = make_hall("docking", {-free, -free - 0.5}, {kAt + 0.5 * bay + kPier + free, end}),
                .line = {}};
  for (const double side : {-1.0, 1.0}) {
    const double middle = kAt + side * 0.5 * (bay + kPier);
    add_wall(course.world, {middle - 0.5 * kPier, end - depth}, {middle + 0.5 * kPier, end});
  }
  Pen pen({0, 0});
  pen.straight_to({kAt - kBend, 0});
  pen.quarter(kBend, {1, 0}, {0, 1});
  pen.straight_to({kAt, end - radius - 0.25});
  course.line = pen.take();
  course.docks = true;
  return course;
}

OnLine find_on_line(const Course& course, Vec2 place, double near) {
  const auto& line = course.line;
  const auto index = [&](double along) {
    return static_cast<std::size_t>(clamp(along / Course::kStep, 0.0, static_cast<double>(line.size() - 2)));
  };
  OnLine best{0, 1e9};
  for (std::size_t i = index(near - kNear), last = index(near + kNear); i <= last; ++i) {
    const Vec2 way = line[i + 1] - line[i], off = place - line[i];
    const double size = length(way);
    const double share = clamp(dot(off, way) / (size * size), 0.0, 1.0);
    const double away = distance(place, line[i] + way * share);
    if (away >= std::fabs(best.off)) continue;
    best = {Course::kStep * (static_cast<double>(i) + share), way.x * off.y - way.y * off.x < 0 ? -away : away};
  }
  return best;
}

double length_of(const Course& course) { return Course::kStep * static_cast<double>(course.line.size() - 1); }

Vec2 place_at(const Course& course, double along) {
  const double at = clamp(along, 0.0, length_of(course)) / Course::kStep;
  const auto i = std::min(static_cast<std::size_t>(at), course.line.size() - 2);
  return course.line[i] + (course.line[i + 1] - course.line[i]) * (at - static_cast<double>(i));
}

double direction_at(const Course& course, double along) {
  const double from = clamp(along, 0.0, length_of(course) - Course::kStep);
  const Vec2 way = place_at(course, from + Course::kStep) - place_at(course, from);
  return std::atan2(way.y, way.x);
}

double bend_at(const Course& course, double along) {
  constexpr double kOver = 0.2;  // [m]
  const double turned = direction_at(course, along + 0.5 * kOver) - direction_at(course, along - 0.5 * kOver);
  return normalize_angle(turned) / kOver;
}

Pose2 start_of(const Course& course) {
  const Vec2 way = course.line[1] - course.line[0];
  return {course.line[0].x, course.line[0].y, std::atan2(way.y, way.x)};
}

}  // namespace forerun::driving
