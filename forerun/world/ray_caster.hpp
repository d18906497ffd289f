// The nearest surface along a ray. A tree of boxes keeps the number of tests small, and for horizontal rays a
// rectangular tiling of the plan view (PSS-2). Surfaces are met from both sides; a surface that the origin lies in is
// not met.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "forerun/world/box_tree.hpp"
#include "forerun/world/ray.hpp"
#include "forerun/world/tiling.hpp"
#include "forerun/world/world.hpp"

namespace forerun::world {

// Rays in any direction, against the triangles.
class RayCaster {
 public:
  explicit RayCaster(const World& world);

  // Allocates nothing; may be called from several threads.
  [[nodiscard]] Hit cast(const Ray& ray) const noexcept;
  // Rays from one point in unit vectors that lie near each other, as in a sonar's cone: the same hits for a fraction of
  // the work. Fills one hit a direction. Allocates nothing.
  void cast_cone(Vec3 origin, std::span<const Vec3> directions, double max_distance,
                 std::span<Hit> hits) const noexcept;

 private:
  // Two triangles that lie in one plane and share an edge, as halves of walls and floors do, or a single one.
  struct Patch {
    std::array<Vec3, 4> corners;         // of the whole; the last one repeated: a single triangle
    Vec3 normal;                         // of the first half, of which the first corner is one
    std::array<std::uint32_t, 2> faces;  // the halves; the same twice: a single triangle, or both halves have one plane
    std::int32_t material;
  };
  struct Face {
    Triangle triangle;
    Vec3 normal;
  };
  struct Search;
  struct Bundle;

  void add_patch(std::array<Vec3, 4> corners, std::uint32_t first, std::uint32_t second);
  [[nodiscard]] double distance_to(std::uint32_t face, const Search& search) const noexcept;
  void meet_halves(const Patch& patch, Search& search) const noexcept;
  void test(const Patch& patch, Bundle& bundle) const noexcept;
  void meet(const Patch& patch, std::uint64_t covered, Bundle& bundle) const noexcept;
  void meet_halves(const Patch& patch, std::size_t i, double first, Bundle& bundle) const noexcept;

  std::vector<Face> faces_;
  std::vector<Patch> patches_;
  BoxTree tree_;
};

// Horizontal rays at one height: the triangles cut by that plane become segments. What RayCaster answers, and several
// times faster.
class Slice {
 public:
  Slice(const World& world, double height);

  [[nodiscard]] double height() const noexcept { return height_; }
  // `direction` is a unit vector. Allocates nothing.
  [[nodiscard]] Hit cast(Vec2 origin, Vec2 direction, double max_distance) const noexcept;
  // Fills one hit a beam. Allocates nothing.
  void cast_fan(const Fan& fan, std::span<Hit> hits) const noexcept;
  // Only the distances, of which infinity is nothing within reach.
  void cast_fan(const Fan& fan, std::span<double> distances) const noexcept;

 private:
  struct Segment {
    Vec2 a;
    Vec2 b;
    Vec2 along;  // unit vector from a to b
  };
  struct Surface {
    Vec3 normal;
    std::int32_t material;
  };
  struct Nearest;
  struct Sweep;

  template <class Take>
  void cast_fan(const Fan& fan, std::size_t n_beams, Take&& take) const noexcept;
  void cast_together(Sweep& sweep) const noexcept;
  [[nodiscard]] Hit hit_of(const Nearest& nearest, Vec2 direction) const noexcept;

  double height_;
  std::vector<Segment> segments_;
  std::vector<Surface> surfaces_;  // of each segment
  Tiling tiling_;
};

// The same answer by testing every triangle: the second road for tests and benchmarks.
[[nodiscard]] Hit cast_by_brute_force(const World& world, const Ray& ray) noexcept;

}  // namespace forerun::world
