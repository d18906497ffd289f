#include "forerun/physics/crawler_shape.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace forerun::physics {
namespace {

struct Colour {
  float red, green, blue;
};
constexpr Colour kBody{0.75f, 0.32f, 0.05f}, kBelt{0.03f, 0.03f, 0.03f}, kArm{0.1f, 0.1f, 0.12f};
constexpr int kRound = 7;             // corners of half a circle
constexpr double kTrackWidth = 0.16;  // of a main belt, at most [m]
constexpr double kArmWidth = 0.05;    // of a flipper [m]

struct Part {
  Vec3 place;
  Rotation axes;
  std::vector<ColouredTriangle>& triangles;

  void add(Vec3 a, Vec3 b, Vec3 c, const Colour& colour) const {
    const auto there = [&](Vec3 p) { return place + axes * p; };
    triangles.push_back({there(a), there(b), there(c), colour.red, colour.green, colour.blue});
  }
  void add_quad(Vec3 a, Vec3 b, Vec3 c, Vec3 d, const Colour& colour) const {
    add(a, b, c, colour);
    add(a, c, d, colour);
  }
};

// A belt around two wheels: upright in x and z, from one y to another.
struct Belt {
  double rear_x, rear_radius, front_x, front_radius;
  double right, left;
};

void add_belt(const Belt& belt, const Colour& colour, const Part& part) {
  // counter-clockwise seen from the right: up around the front, back around the rear
  std::vector<Vec2> outline;
  for (int i = 0; i <= kRound; ++i) {
    const double angle = kPi * (static_cast<double>(i) / kRound - 0.5);
    outline.push_back(Vec2{belt.front_x, 0} + unit_vector(angle) * belt.front_radius);
  }
  for (int i = 0; i <= kRound; ++i) {
    const double angle = kPi * (static_cast<double>(i) / kRound + 0.5);
    outline.push_back(Vec2{belt.rear_x, 0} + unit_vector(angle) * belt.rear_radius);
  }
  const auto corner = [](Vec2 p, double y) { return Vec3{p.x, y, p.y}; };
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const Vec2 p = outline[i], q = outline[(i + 1) % outline.size()];
    part.add_quad(corner(p, belt.right), corner(q, belt.right), corner(q, belt.left), corner(p, belt.left), colour);
    for (const double y : {belt.right, belt.left}) part.add(corner(outline[0], y), corner(p, y), corner(q, y), colour);
  }
}

void add_body(const robot::Crawler& c, const Part& part) {
  const double x = 0.42 * c.body_size.x, y = 0.35 * c.body_size.y;
  const double low = 0.3 * c.track_radius, high = c.track_radius + 0.035;
  const std::array<Vec3, 8> p{Vec3{-x, -y, low}, {x, -y, low},  {x, y, low},  {-x, y, low},
                              {-x, -y, high},    {x, -y, high}, {x, y, high}, {-x, y, high}};
  part.add_quad(p[4], p[5], p[6], p[7], kBody);
  for (std::size_t i = 0; i < 4; ++i) {
    const std::size_t j = (i + 1) % 4;
    part.add_quad(p[i], p[j], p[j + 4], p[i + 4], kBody);
  }
}

void add_flipper(const robot::Crawler& c, std::size_t which, double angle, const Part& body) {
  const double ahead = robot::is_front(which) ? 1 : -1, aside = robot::is_left(which) ? 1 : -1;
  // positive angles lift the tip, ahead and behind
  const Rotation turned = rotation({0, -ahead * angle, 0});
  const Part part{body.place + body.axes * Vec3{ahead * c.hinge.x, aside * c.hinge.y, 0},
                  {body.axes * turned.x, body.axes * turned.y, body.axes * turned.z},
                  body.triangles};
  const double tip = ahead * c.flipper_length, y = kArmWidth / 2;
  const Belt belt =
      ahead > 0 ? Belt{0, c.hinge_radius, tip, c.tip_radius, -y, y} : Belt{tip, c.tip_radius, 0, c.hinge_radius, -y, y};
  add_belt(belt, kArm, part);
}

}  // namespace

void add_shape(const robot::Crawler& c, const CrawlerState& state, std::vector<ColouredTriangle>& triangles) {
  const Part body{state.position, rotation(state.attitude), triangles};
  add_body(c, body);
  const double half = c.track_length / 2, width = std::min(kTrackWidth, 1.8 * c.track_offset) / 2;
  for (const double side : {1.0, -1.0}) {
    const double y = side * c.track_offset;
    add_belt({-half, c.track_radius, half, c.track_radius, y - width, y + width}, kBelt, body);
  }
  for (std::size_t i = 0; i < robot::kFlippers; ++i) add_flipper(c, i, state.flippers[i], body);
}

Camera camera_on(const robot::Eye& eye, const CrawlerState& state, const Gaze& gaze) {
  const Rotation body = rotation(state.attitude), look = rotation({0, eye.tilt + gaze.tilt, gaze.pan});
  Camera camera;
  camera.place = state.position + body * eye.place;
  camera.axes = {body * look.x, body * look.y, body * look.z};
  camera.field_of_view = gaze.field_of_view > 0 ? gaze.field_of_view : eye.field_of_view;
  return camera;
}

}  // namespace forerun::physics
