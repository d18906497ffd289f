// What is out there: surfaces with materials, and doors. The one source for the picture, the sensors and the planner.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "forerun/geom/box.hpp"
#include "forerun/geom/vec.hpp"
#include "forerun/world/terrain.hpp"

namespace forerun::world {

// How a surface looks and how it answers ultrasound (PSS-3).
struct Material {
  std::string name = "plaster";
  double red = 0.8, green = 0.8, blue = 0.78;  // linear colour, 0…1
  double reflection_angle = 0.6;               // θ(0): up to this angle a near surface always gives an echo [rad]
  double reflection_angle_slope = 0.05;        // θ falls by this much per metre of distance [rad/m]
  double reflection_range = 0.35;              // β: over this range echoes die out [rad]
};

struct Triangle {
  Vec3 a, b, c;
  std::int32_t material = 0;
};

// A leaf that turns about a vertical hinge. Not among the triangles, because it moves.
struct Door {
  std::string name;
  Vec2 hinge;
  double width = 1.0;        // [m], hinge to edge
  double height = 2.1;       // [m]
  double thickness = 0.04;   // [m]
  double closed_angle = 0;   // direction of the leaf from the hinge when closed [rad]
  double open_angle = 1.57;  // direction when open [rad]
  std::int32_t material = 0;
  bool open = true;  // at the beginning
};

// Plain content of a world, as read from a file. At least one material. The floor, where the robot may drive, lies at
// z = 0: files with another floor are moved when they are read.
struct World {
  std::string name;
  std::vector<Material> materials;
  std::vector<Triangle> triangles;
  std::vector<Door> doors;
  Terrain terrain;  // what tracked robots climb; level where there is none
};

// Horizontal, at floor height, facing up or down: the robot drives on it.
[[nodiscard]] bool is_floor(const Triangle& triangle) noexcept;
[[nodiscard]] bool has_floor(const World& world) noexcept;

// Plan view of everything.
[[nodiscard]] Box2 bounds(const World& world) noexcept;

}  // namespace forerun::world
