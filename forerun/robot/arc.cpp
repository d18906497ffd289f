#include "forerun/robot/arc.hpp"

#include <algorithm>
#include <cmath>

namespace forerun::robot {
namespace {

// Straighter than this is straight: over 10 m the two differ by 50 nm.
constexpr double kStraight = 1e-9;  // [1/m]

double positive_angle(double angle) noexcept { return angle < 0 ? angle + kTwoPi : angle; }

double disc_straight(double radius, Vec2 p) noexcept {
  const double h = radius * radius - p.y * p.y;
  if (h < 0 || p.x < 0) return kInfinity;
  return p.x - sqrt(h);
}

// Sine and cosine of the angle at which a disc on a circle touches a point.
struct Contact {
  double sin, cos;
  bool exists;
};

// The centre runs on a circle of radius R > 0 about (0, R). It touches p at the angle Δ before it passes p's bearing φ:
// sin and cos of φ − Δ, without a call to either.
Contact touch_on_left_circle(double radius, double R, Vec2 p) noexcept {
  const double a = R - p.y;
  const double D = sqrt(p.x * p.x + a * a);
  // D − R without cancellation
  const double beyond = (p.x * p.x + p.y * p.y - 2 * R * p.y) / (D + R);
  const double h = radius * radius - beyond * beyond;
  if (h < 0) return {0, 1, false};
  const double s2 = std::min(1.0, h / (4 * R * D));  // sin²(Δ/2)
  const double cos_delta = 1 - 2 * s2, sin_delta = 2 * sqrt(s2 * (1 - s2));
  return {(p.x * cos_delta - a * sin_delta) / D, (a * cos_delta + p.x * sin_delta) / D, true};
}

double angle_of(const Contact& contact) noexcept { return positive_angle(atan2(contact.sin, contact.cos)); }

// Whether the angle of a, in [0, 2π), is smaller than that of b.
bool comes_before(const Contact& a, const Contact& b) noexcept {
  const bool a_first_half = a.sin >= 0, b_first_half = b.sin >= 0;
  if (a_first_half != b_first_half) return a_first_half;
  return a.sin * b.cos < b.sin * a.cos;
}

double disc_arc(double radius, double curvature, Vec2 p) noexcept {
  if (dot(p, p) <= radius * radius) return p.x > 0 ? 0 : kInfinity;
  if (std::fabs(curvature) < kStraight) return disc_straight(radius, p);
  const double R = 1 / std::fabs(curvature);
  const Contact contact = touch_on_left_circle(radius, R, {p.x, curvature > 0 ? p.y : -p.y});
  return contact.exists ? R * angle_of(contact) : kInfinity;
}

struct Edge {
  Vec2 from, to;
};

Edge edge(const Footprint& f, std::size_t i) noexcept {
  return {f.corners[i], f.corners[i + 1 < f.corners.size() ? i + 1 : 0]};
}

Vec2 outward_normal(const Edge& e) noexcept {
  const Vec2 d = e.to - e.from;
  const double l = length(d);
  return {d.y / l, -d.x / l};
}

// How far outside the edge it is nearest to (or beyond most) a point lies; negative inside.
struct Depth {
  double outside = -kInfinity;
  Vec2 normal;
};

Depth depth_in(const Footprint& f, Vec2 p) noexcept {
  Depth depth;
  for (std::size_t i = 0; i < f.corners.size(); ++i) {
    const Edge e = edge(f, i);
    const Vec2 n = outward_normal(e);
    const double outside = dot(p - e.from, n);
    if (outside > depth.outside) depth = {outside, n};
  }
  return depth;
}

// Seen from the robot, p runs along −x.
double polygon_straight(const Footprint& f, Vec2 p) noexcept {
  double nearest = kInfinity;
  for (std::size_t i = 0; i < f.corners.size(); ++i) {
    const Edge e = edge(f, i);
    const double dy = e.to.y - e.from.y;
    if (dy == 0) continue;  // its ends belong to the neighbours too
    const double t = (p.y - e.from.y) / dy;
    if (t < 0 || t > 1) continue;
    const double way = p.x - (e.from.x + t * (e.to.x - e.from.x));
    if (way >= 0) nearest = std::min(nearest, way);
  }
  return nearest;
}

// Seen from the robot, p runs clockwise on a circle about (0, R): the angle until it meets an edge.
double polygon_left(const Footprint& f, double R, Vec2 p) noexcept {
  const Vec2 p_from_center{p.x, p.y - R};
  double nearest = kInfinity;
  for (std::size_t i = 0; i < f.corners.size(); ++i) {
    // |from + t d − centre|² = |p − centre|², with R² cancelled by hand
    const Edge e = edge(f, i);
    const Vec2 d = e.to - e.from;
    const double a = dot(d, d);
    const double b = dot(e.from, d) - R * d.y;
    const double c = (dot(e.from, e.from) - dot(p, p)) - 2 * R * (e.from.y - p.y);
    const double disc = b * b - a * c;
    if (disc < 0) continue;
    const double root = sqrt(disc);
    for (const double t : {(-b - root) / a, (-b + root) / a}) {
      if (t < 0 || t > 1) continue;
      const Vec2 q = e.from + d * t;
      const Vec2 q_from_center{q.x, q.y - R};
      const double cross_pq = cross(p, q) + R * (q.x - p.x);
      nearest = std::min(nearest, positive_angle(atan2(-cross_pq, dot(p_from_center, q_from_center))));
    }
  }
  return nearest;
}

Footprint mirrored(const Footprint& f) noexcept {
  Footprint m = f;
  for (std::size_t i = 0; i < f.corners.size(); ++i) {
    const Vec2 corner = f.corners[f.corners.size() - 1 - i];
    m.corners[i] = {corner.x, -corner.y};
  }
  return m;
}

double polygon_arc(const Footprint& f, double curvature, Vec2 p) noexcept {
  const Depth depth = depth_in(f, p);
  if (depth.outside <= 0) {
    const Vec2 p_velocity{curvature * p.y - 1, -curvature * p.x};
    return dot(p_velocity, depth.normal) > 0 ? kInfinity : 0;
  }
  if (std::fabs(curvature) < kStraight) return polygon_straight(f, p);
  const double R = 1 / std::fabs(curvature);
  return R * (curvature > 0 ? polygon_left(f, R, p) : polygon_left(mirrored(f), R, {p.x, -p.y}));
}

}  // namespace

double arc_to_contact(const Footprint& footprint, double curvature, Vec2 point) noexcept {
  return footprint.is_disc() ? disc_arc(footprint.radius, curvature, point) : polygon_arc(footprint, curvature, point);
}

ArcProbe::ArcProbe(const Footprint& footprint, double curvature, double limit) noexcept
    : footprint_(footprint), curvature_(curvature), nearest_(limit) {
  if (!footprint.is_disc() || std::fabs(curvature) < kStraight) return;
  // the angle of the limit, as a direction to compare contacts with; a whole turn or more leaves all of them in
  circle_radius_ = 1 / std::fabs(curvature);
  const double angle = limit / circle_radius_;
  limited_ = angle < kTwoPi;
  if (!limited_) return;
  const SinCos direction = sincos(angle);
  nearest_sin_ = direction.sin;
  nearest_cos_ = direction.cos;
}

bool ArcProbe::meet(Vec2 p) noexcept {
  const double r = footprint_.radius;
  if (circle_radius_ == 0 || dot(p, p) <= r * r) {
    const double way = arc_to_contact(footprint_, curvature_, p);
    if (!(way < nearest_)) return false;
    nearest_ = way;
    return true;
  }
  const Contact contact = touch_on_left_circle(r, circle_radius_, {p.x, curvature_ > 0 ? p.y : -p.y});
  if (!contact.exists) return false;
  if (limited_ && !comes_before(contact, {nearest_sin_, nearest_cos_, true})) return false;
  limited_ = touched_ = true;
  nearest_sin_ = contact.sin;
  nearest_cos_ = contact.cos;
  return true;
}

double ArcProbe::nearest() const noexcept {
  if (!touched_) return nearest_;
  return std::min(nearest_, circle_radius_ * angle_of({nearest_sin_, nearest_cos_, true}));
}

ArcEnd ArcProbe::end() const noexcept {
  const double bend = std::fabs(curvature_);
  if (bend < kStraight) return {.center = {nearest_, 0}, .farthest = nearest_};
  SinCos at{nearest_sin_, nearest_cos_};
  ArcEnd end;
  if (circle_radius_ > 0) {
    end.within_turn = limited_;
  } else {
    end.within_turn = nearest_ * bend < kTwoPi;
    at = sincos(nearest_ * bend);
  }
  const double side = curvature_ > 0 ? 1 : -1;
  end.center = {at.sin / bend, side * (1 - at.cos) / bend};
  end.heading = {at.cos, side * at.sin};
  end.within_half_turn = at.sin >= 0;
  end.farthest = end.within_turn && end.within_half_turn ? length(end.center) : 2 / bend;
  return end;
}

double turn_to_contact(const Footprint& footprint, double turn_rate, Vec2 point) noexcept {
  if (footprint.is_disc()) return kInfinity;
  const Depth depth = depth_in(footprint, point);
  if (depth.outside <= 0) {
    const double side = turn_rate > 0 ? 1 : -1;
    return dot(Vec2{side * point.y, -side * point.x}, depth.normal) > 0 ? kInfinity : 0;
  }
  return turn_rate > 0 ? polygon_left(footprint, 0, point) : polygon_left(mirrored(footprint), 0, {point.x, -point.y});
}

Footprint widen(const Footprint& footprint, double margin) noexcept {
  Footprint wide = footprint;
  wide.radius += margin;
  if (footprint.is_disc()) return wide;
  wide.radius = 0;
  const std::size_t n = footprint.corners.size();
  for (std::size_t i = 0; i < n; ++i) {
    // the new corner is where the two moved edges meet
    const Vec2 n0 = outward_normal(edge(footprint, i == 0 ? n - 1 : i - 1));
    const Vec2 n1 = outward_normal(edge(footprint, i));
    wide.corners[i] = footprint.corners[i] + (n0 + n1) * (margin / (1 + dot(n0, n1)));
    wide.radius = std::max(wide.radius, length(wide.corners[i]));
  }
  return wide;
}

double distance_to(const Footprint& footprint, Vec2 point) noexcept {
  if (footprint.is_disc()) return std::max(0.0, length(point) - footprint.radius);
  if (depth_in(footprint, point).outside <= 0) return 0;
  double nearest = kInfinity;
  for (std::size_t i = 0; i < footprint.corners.size(); ++i) {
    const Edge e = edge(footprint, i);
    nearest = std::min(nearest, distance(point, nearest_point({e.from, e.to}, point)));
  }
  return nearest;
}

double distance_to(const Footprint& footprint, const Segment2& segment) noexcept {
  if (footprint.is_disc()) return distance_to(footprint, nearest_point(segment, {0, 0}));
  // two convex shapes that do not cross are nearest at a corner of one of them
  double nearest = std::min(distance_to(footprint, segment.a), distance_to(footprint, segment.b));
  for (std::size_t i = 0; i < footprint.corners.size(); ++i) {
    const Edge e = edge(footprint, i);
    if (cross_each_other({e.from, e.to}, segment)) return 0;
    nearest = std::min(nearest, distance(e.from, nearest_point(segment, e.from)));
  }
  return nearest;
}

}  // namespace forerun::robot
