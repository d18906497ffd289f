#include "forerun/draw/plan_shapes.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

namespace forerun::draw {

namespace {

constexpr double kFlat = 0.5;      // a face whose normal points up at least this much is seen from above
constexpr double kGrain = 0.0005;  // [m] corners nearer than this are one

using Key = std::pair<std::int64_t, std::int64_t>;
using TriangleKey = std::array<Key, 3>;
using Triangles = std::vector<std::array<Vec2, 3>>;

Key key_of(Vec2 p) {
  return {static_cast<std::int64_t>(std::llround(p.x / kGrain)), static_cast<std::int64_t>(std::llround(p.y / kGrain))};
}

TriangleKey key_of(const std::array<Vec2, 3>& t) {
  TriangleKey key{key_of(t[0]), key_of(t[1]), key_of(t[2])};
  std::sort(key.begin(), key.end());
  return key;
}

// 1: faces up, −1: faces down, 0: too steep to be seen from above.
int facing(const world::Triangle& t) {
  const Vec3 normal = cross(t.b - t.a, t.c - t.a);
  const double size = length(normal);
  if (size == 0 || std::fabs(normal.z) < kFlat * size) return 0;
  return normal.z > 0 ? 1 : -1;
}

std::array<Vec2, 3> seen_from_above(const world::Triangle& t) {
  std::array<Vec2, 3> seen{plan_view(t.a), plan_view(t.b), plan_view(t.c)};
  if (cross(seen[1] - seen[0], seen[2] - seen[0]) < 0) std::swap(seen[1], seen[2]);
  return seen;
}

double top_of(const world::Triangle& t) { return std::max({t.a.z, t.b.z, t.c.z}); }

std::vector<Segment2> find_outline(const Triangles& triangles) {
  std::map<std::pair<Key, Key>, std::pair<Segment2, int>> edges;
  for (const auto& t : triangles) {
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec2 p = t[i], q = t[(i + 1) % 3];
      const auto key = std::minmax({key_of(p), key_of(q)});
      edges.try_emplace({key.first, key.second}, Segment2{p, q}, 0).first->second.second += 1;
    }
  }
  std::vector<Segment2> outline;
  for (const auto& [key, edge] : edges) {
    if (edge.second == 1) outline.push_back(edge.first);
  }
  return outline;
}

// Faces of one height and material belong together.
class FaceSorter {
 public:
  void add(const world::Triangle& t) {
    const double height = top_of(t);
    faces_[{std::llround(height / kGrain), t.material}].push_back(seen_from_above(t));
  }
  [[nodiscard]] std::vector<PlanFace> faces() const {
    std::vector<PlanFace> sorted;
    for (const auto& [key, triangles] : faces_) {
      sorted.push_back({static_cast<double>(key.first) * kGrain, key.second, triangles, find_outline(triangles)});
    }
    return sorted;
  }

 private:
  std::map<std::pair<long long, std::int32_t>, Triangles> faces_;
};

}  // namespace

PlanShapes make_plan(const world::World& world, double cut_height) {
  const double cut = cut_height;
  FaceSorter floors, furniture, solids;
  std::map<TriangleKey, int> undersides;  // above the cut: lintels and the like hang over it
  std::vector<const world::Triangle*> tops;
  for (const world::Triangle& t : world.triangles) {
    const int side = facing(t);
    if (side == 0) continue;
    if (world::is_floor(t)) {
      floors.add(t);
    } else if (top_of(t) <= cut) {
      if (side > 0) furniture.add(t);
    } else if (side > 0) {
      tops.push_back(&t);
    } else {
      undersides[key_of(seen_from_above(t))] += 1;
    }
  }
  // a top without an underside above the cut belongs to a solid that the cut goes through
  for (const world::Triangle* t : tops) {
    const auto hanging = undersides.find(key_of(seen_from_above(*t)));
    if (hanging == undersides.end() || hanging->second == 0) {
      solids.add(*t);
    } else {
      hanging->second -= 1;
    }
  }
  return {floors.faces(), furniture.faces(), solids.faces()};
}

}  // namespace forerun::draw
