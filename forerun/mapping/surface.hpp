// What a laser scan says of surfaces: points in the robot's frame, each with the direction in which its surface faces.
#pragma once

#include <span>
#include <vector>

#include "forerun/geom/pose.hpp"

namespace forerun::mapping {

struct SurfacePoint {
  Vec2 at;            // [m]
  Vec2 normal;        // of length 1, towards the laser; 0 where the neighbours do not lie on a line
  bool flat = false;  // the normal counts
};

// How the beams of a laser lie, and where it sits. Upside down, the first beam is on the other side.
struct BeamFan {
  double first_angle = 0;  // of the first beam [rad]
  double angle_step = 0;   // from one beam to the next [rad]
  double nearest = 0.05;   // shorter readings are none [m]
  double farthest = 30;    // longer ones neither [m]
  Pose2 robot_from_laser{};
  bool upside_down = false;
};

// Points and normals of one scan. Readings that are no number, infinite or out of range give no point.
[[nodiscard]] std::vector<SurfacePoint> find_surface(std::span<const float> ranges, const BeamFan& fan);

[[nodiscard]] inline SurfacePoint operator*(const Transform2& a_from_b, const SurfacePoint& point_in_b) {
  return {a_from_b * point_in_b.at, a_from_b.rotate(point_in_b.normal), point_in_b.flat};
}

// At most one point for each square of the plane, the first one.
[[nodiscard]] std::vector<SurfacePoint> thin_out(std::span<const SurfacePoint> points, double cell_size);

}  // namespace forerun::mapping
