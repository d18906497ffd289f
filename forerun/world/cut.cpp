#include "forerun/world/cut.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "forerun/base/fixed_vector.hpp"
#include "forerun/world/face.hpp"

namespace forerun::world {
namespace {

constexpr double kShortest = 1e-9;  // shorter pieces have no direction [m]

// Where the edge passes the height. Neighbours that share the edge compute the same bits, because the lower end
// always comes first.
Vec2 cross_at(Vec3 p, Vec3 q, double height) noexcept {
  if (p.z > q.z) std::swap(p, q);
  const double t = (height - p.z) / (q.z - p.z);
  return {p.x + (q.x - p.x) * t, p.y + (q.y - p.y) * t};
}

FixedVector<Vec2, 3> points_at(const Triangle& t, double height) noexcept {
  const std::array<Vec3, 3> corners{t.a, t.b, t.c};
  FixedVector<Vec2, 3> points;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 p = corners[i];
    const Vec3 q = corners[(i + 1) % 3];
    if (p.z == height) points.push_back(plan_view(p));
    if ((p.z < height && q.z > height) || (p.z > height && q.z < height)) points.push_back(cross_at(p, q, height));
  }
  return points;
}

// Pieces of one surface lie on one line: these numbers are equal for them, up to rounding.
struct LineKey {
  std::int64_t normal_x, normal_y, normal_z, offset;
  std::int32_t material;
  double start;  // along the line

  static std::int64_t round(double x) noexcept { return static_cast<std::int64_t>(std::floor(x * 1e6 + 0.5)); }
  [[nodiscard]] auto tie() const noexcept { return std::tie(normal_x, normal_y, normal_z, offset, material, start); }
};

Vec2 direction_of(const CutSegment& s) noexcept {
  const Vec2 d = s.line.b - s.line.a;
  return d * (1 / length(d));
}

LineKey key_of(const CutSegment& s) noexcept {
  const Vec2 along = direction_of(s);
  return {LineKey::round(s.normal.x),
          LineKey::round(s.normal.y),
          LineKey::round(s.normal.z),
          LineKey::round(cross(s.line.a, along)),
          s.material,
          dot(s.line.a, along)};
}

// Makes `first` cover `second` too, if both are pieces of one line of one surface without a gap between them.
bool join_into(CutSegment& first, const CutSegment& second) noexcept {
  constexpr double kOffLine = 1e-12;  // per metre of coordinates: a few roundings
  if (first.material != second.material) return false;
  const Vec3 turn = first.normal - second.normal;
  if (dot(turn, turn) > square(1e-9)) return false;
  const Vec2 along = direction_of(first);
  const Vec2 origin = first.line.a;
  const double end = dot(first.line.b - origin, along);
  const double second_start = dot(second.line.a - origin, along);
  const double second_end = dot(second.line.b - origin, along);
  const double tolerance = kOffLine * (1 + std::fabs(origin.x) + std::fabs(origin.y) + second_end);
  if (second_start > end + tolerance) return false;
  if (std::fabs(cross(along, second.line.a - origin)) > tolerance) return false;
  if (std::fabs(cross(along, second.line.b - origin)) > tolerance) return false;
  if (second_end <= end) return true;
  // the old end must lie on the new, longer line
  const Vec2 whole = second.line.b - origin;
  if (std::fabs(cross(whole, first.line.b - origin)) > tolerance * length(whole)) return false;
  first.line.b = second.line.b;
  return true;
}

}  // namespace

std::vector<CutSegment> cut(const World& world, double height) {
  std::vector<CutSegment> pieces;
  for (const Triangle& t : world.triangles) {
    if (t.a.z == height && t.b.z == height && t.c.z == height) continue;
    const auto points = points_at(t, height);
    const Vec3 normal = unit_normal(t);
    if (points.size() < 2 || normal == Vec3{} || distance(points[0], points[1]) < kShortest) continue;
    CutSegment piece{{points[0], points[1]}, normal, t.material};
    if (cross(piece.line.b - piece.line.a, plan_view(normal)) > 0) std::swap(piece.line.a, piece.line.b);
    pieces.push_back(piece);
  }
  return pieces;
}

std::vector<CutSegment> join(std::vector<CutSegment> pieces) {
  struct Keyed {
    LineKey key;
    CutSegment piece;
  };
  std::vector<Keyed> keyed;
  keyed.reserve(pieces.size());
  for (const CutSegment& piece : pieces) keyed.push_back({key_of(piece), piece});
  std::stable_sort(keyed.begin(), keyed.end(),
                   [](const Keyed& a, const Keyed& b) { return a.key.tie() < b.key.tie(); });
  pieces.clear();
  for (const Keyed& next : keyed) {
    if (pieces.empty() || !join_into(pieces.back(), next.piece)) pieces.push_back(next.piece);
  }
  return pieces;
}

}  // namespace forerun::world
