#include "forerun/atlas/walls.hpp"

#include <algorithm>
#include <cmath>

#include "forerun/atlas/solids.hpp"
#include "forerun/geom/pose.hpp"
#include "forerun/io/text.hpp"

namespace forerun::atlas {

namespace {

constexpr double kTouch = 0.001;         // [m] nearer than this is the same place
constexpr double kParallel = 1e-4;       // sine of the angle between walls that overlap
constexpr double kPaneThickness = 0.02;  // [m]
constexpr double kLongestMiter = 4;      // corners sharper than this many half thicknesses are cut off

double length_of(const Wall& wall) { return distance(wall.a, wall.b); }
Vec2 direction_of(const Wall& wall) { return (wall.b - wall.a) * (1 / length_of(wall)); }

bool lie_on_one_line(const Wall& a, const Wall& b) {
  const Vec2 d = direction_of(a);
  return std::fabs(cross(d, direction_of(b))) < kParallel && std::fabs(cross(d, b.a - a.a)) < kTouch &&
         std::fabs(cross(d, b.b - a.a)) < kTouch;
}

bool same_kind(const Wall& a, const Wall& b) {
  return a.thickness == b.thickness && a.height == b.height && a.material == b.material;
}

struct Interval {
  double from = 0, to = 0;
};

// Where `other` lies along `wall`.
Interval shadow(const Wall& wall, const Wall& other) {
  const Vec2 d = direction_of(wall);
  const double p = dot(other.a - wall.a, d), q = dot(other.b - wall.a, d);
  return {std::min(p, q), std::max(p, q)};
}

std::vector<Interval> subtract(const std::vector<Interval>& parts, const Interval& taken) {
  std::vector<Interval> kept;
  for (const Interval& part : parts) {
    const Interval before{part.from, std::min(part.to, taken.from)};
    const Interval after{std::max(part.from, taken.to), part.to};
    if (before.to - before.from > kTouch) kept.push_back(before);
    if (after.to - after.from > kTouch) kept.push_back(after);
  }
  return kept;
}

}  // namespace

void WallPlan::add(const Wall& wall) {
  if (length_of(wall) < kTouch) return;
  std::vector<Interval> parts{{0, length_of(wall)}};
  for (const Piece& piece : pieces_) {
    if (lie_on_one_line(wall, piece.wall)) parts = subtract(parts, shadow(wall, piece.wall));
  }
  const Vec2 d = direction_of(wall);
  for (const Interval& part : parts) {
    Wall free = wall;
    free.a = wall.a + d * part.from;
    free.b = wall.a + d * part.to;
    add_free_part(free);
  }
}

// Grows a piece that it continues, or becomes a piece of its own.
void WallPlan::add_free_part(Wall wall) {
  for (std::size_t i = 0; i < pieces_.size();) {
    const Wall& piece = pieces_[i].wall;
    if (!same_kind(wall, piece) || !lie_on_one_line(wall, piece)) {
      ++i;
      continue;
    }
    const Interval along = shadow(wall, piece);
    const double end = length_of(wall);
    if (along.from > end + kTouch || along.to < -kTouch) {
      ++i;
      continue;
    }
    const Vec2 d = direction_of(wall), start = wall.a;
    wall.a = start + d * std::min(0.0, along.from);
    wall.b = start + d * std::max(end, along.to);
    pieces_.erase(pieces_.begin() + static_cast<std::ptrdiff_t>(i));
    i = 0;
  }
  pieces_.push_back({wall, {}});
}

Result<Cut> WallPlan::cut(const Opening& opening) {
  Piece* nearest = nullptr;
  double smallest = kInfinity;
  for (Piece& piece : pieces_) {
    const double d = distance(opening.at, nearest_point({piece.wall.a, piece.wall.b}, opening.at));
    if (d > piece.wall.thickness / 2 + kTouch || d >= smallest) continue;
    smallest = d;
    nearest = &piece;
  }
  if (nearest == nullptr) return Error{"lies on no wall, but must lie on the centre line of one"};

  const Wall& wall = nearest->wall;
  const Vec2 d = direction_of(wall);
  const double middle = dot(opening.at - wall.a, d);
  const Hole hole{middle - opening.width / 2, middle + opening.width / 2, opening.sill, opening.sill + opening.height,
                  opening.pane};
  if (hole.from < -kTouch || hole.to > length_of(wall) + kTouch) {
    return Error{"reaches beyond the end of its wall, but must fit into it"};
  }
  if (hole.high > wall.height + kTouch) {
    return Error{"reaches up to " + io::show(hole.high) + " m, but its wall is only " + io::show(wall.height) +
                 " m high"};
  }
  for (const Hole& other : nearest->holes) {
    if (hole.from < other.to && other.from < hole.to) return Error{"overlaps another opening of the same wall"};
  }
  nearest->holes.push_back(hole);
  return Cut{wall.a + d * hole.from, wall.a + d * hole.to, wall.thickness};
}

// How far a piece must reach beyond its end so that the outer faces meet where two walls form a corner.
double WallPlan::extension(const Piece& piece, Vec2 end) const {
  const Vec2 outward = end == piece.wall.b ? direction_of(piece.wall) : -direction_of(piece.wall);
  double longest = 0;
  for (const Piece& other : pieces_) {
    if (&other == &piece) continue;
    const bool at_a = distance(other.wall.a, end) < kTouch, at_b = distance(other.wall.b, end) < kTouch;
    if (!at_a && !at_b) continue;
    const Vec2 onward = at_a ? direction_of(other.wall) : -direction_of(other.wall);
    // tan of half the turn from `outward` to `onward`
    const double sine = std::fabs(cross(outward, onward)), cosine = dot(outward, onward);
    if (sine < kParallel) continue;
    const double miter = std::min(sine / (1 + cosine), kLongestMiter);
    longest = std::max(longest, miter * other.wall.thickness / 2);
  }
  return longest;
}

void WallPlan::raise(world::World& world) const {
  for (const Piece& piece : pieces_) raise(world, piece);
}

void WallPlan::raise(world::World& world, const Piece& piece) const {
  const Wall& wall = piece.wall;
  const Vec2 d = direction_of(wall);
  const double heading = angle_of(d);
  const auto add_part = [&](const Interval& along, double low, double high, double thickness, std::int32_t material) {
    if (along.to - along.from < kTouch || high - low < kTouch) return;
    const Vec2 middle = wall.a + d * ((along.from + along.to) / 2);
    add_box(world, {middle.x, middle.y, heading}, {along.to - along.from, thickness}, {low, high, material});
  };

  std::vector<Hole> holes = piece.holes;
  std::sort(holes.begin(), holes.end(), [](const Hole& a, const Hole& b) { return a.from < b.from; });
  double done = -extension(piece, wall.a);
  for (const Hole& hole : holes) {
    const Interval along{hole.from, hole.to};
    add_part({done, hole.from}, 0, wall.height, wall.thickness, wall.material);
    add_part(along, 0, hole.low, wall.thickness, wall.material);
    add_part(along, hole.high, wall.height, wall.thickness, wall.material);
    if (hole.pane >= 0) add_part(along, hole.low, hole.high, kPaneThickness, hole.pane);
    done = hole.to;
  }
  add_part({done, length_of(wall) + extension(piece, wall.b)}, 0, wall.height, wall.thickness, wall.material);
}

}  // namespace forerun::atlas
