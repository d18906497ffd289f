// How far the robot's footprint can go along an arc before it touches a point (PSS-4).
#pragma once

#include "forerun/geom/box.hpp"
#include "forerun/geom/vec.hpp"
#include "forerun/robot/description.hpp"

namespace forerun::robot {

// Exact path length of the robot's centre, from the origin along +x with the given curvature (ω/v, left positive),
// until the footprint touches `point`. Infinity: never. A point already inside stops every motion that takes it deeper
// (0) and none that leaves it (infinity).
[[nodiscard]] double arc_to_contact(const Footprint& footprint, double curvature, Vec2 point) noexcept;

// Where an arc ends, to a few roundings.
struct ArcEnd {
  Vec2 center;
  Vec2 heading{1, 0};
  double farthest = 0;  // of the centre from where it began, on the way there [m]
  bool within_half_turn = true;
  bool within_turn = true;  // else the end says nothing
};

// The shortest of the arcs to many points: exactly what `arc_to_contact` says one by one, with hardly a call to a
// trigonometric function.
class ArcProbe {
 public:
  // `footprint` must outlive the probe. Nothing beyond `limit` matters.
  ArcProbe(const Footprint& footprint, double curvature, double limit) noexcept;

  // True where the point stops the robot sooner than what it met before.
  bool meet(Vec2 point) noexcept;
  // The shortest so far, at most the limit.
  [[nodiscard]] double nearest() const noexcept;
  // Where the centre would be then. An arc that was already stopped at its beginning may be said to end farther on.
  [[nodiscard]] ArcEnd end() const noexcept;

 private:
  const Footprint& footprint_;
  double curvature_;
  double nearest_;                            // of what is not told by a direction
  double circle_radius_ = 0;                  // 0: straight, or not a disc
  bool limited_ = false;                      // the direction below counts …
  bool touched_ = false;                      // … and is that of a point
  double nearest_sin_ = 0, nearest_cos_ = 1;  // where on the circle the nearest contact is
};

// Exact angle through which the footprint can turn on the spot, to the left (`turn_rate` > 0) or to the right, until it
// touches `point`. Infinity: never, as for every disc.
[[nodiscard]] double turn_to_contact(const Footprint& footprint, double turn_rate, Vec2 point) noexcept;

// Moves every edge of a convex polygon outwards by `margin`, and the rim of a disc.
[[nodiscard]] Footprint widen(const Footprint& footprint, double margin) noexcept;

// Distance from the footprint's edge to a point or a piece of line, 0 where they overlap.
[[nodiscard]] double distance_to(const Footprint& footprint, Vec2 point) noexcept;
[[nodiscard]] double distance_to(const Footprint& footprint, const Segment2& segment) noexcept;

}  // namespace forerun::robot
