// What a camera sees of a world: its triangles, nearest first, with light and a little pattern so that motion can be
// seen. Software, the same everywhere: a picture of 320 × 240 takes a few milliseconds.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "forerun/geom/rotation.hpp"
#include "forerun/world/world.hpp"

namespace forerun::physics {

struct Camera {
  Vec3 place;
  Rotation axes;               // x looks ahead, y to the left, z up
  double field_of_view = 0.8;  // from top to bottom [rad]
  int width = 320;
  int height = 240;
};

struct Picture {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> rgb;  // rows from top to bottom, each from left to right
};

// A triangle with a colour of its own: robots, which are not part of the world.
struct ColouredTriangle {
  Vec3 a, b, c;
  float red = 0.5f, green = 0.5f, blue = 0.5f;  // linear
};

class CameraView {
 public:
  explicit CameraView(const world::World& world);

  // Keeps its memory between pictures of one size.
  void draw(const Camera& camera, std::span<const ColouredTriangle> others, Picture& picture);

 private:
  struct Frame;
  struct Surface;
  static std::optional<Surface> make_surface(const ColouredTriangle& triangle, Vec3 camera, bool patterned);
  void clear(const Camera& camera);
  void fill(const ColouredTriangle& triangle, const Frame& frame, bool patterned);
  void fill_row(const Surface& surface, const Frame& frame, int row, int first, int last);
  void finish(Picture& picture) const;

  std::vector<ColouredTriangle> triangles_;
  std::vector<float> nearness_;  // 1 / depth of the nearest so far; 0: nothing
  std::vector<float> light_;     // red, green, blue, linear
  int width_ = 0, height_ = 0;
};

}  // namespace forerun::physics
