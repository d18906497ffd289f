#include "forerun/world/plan_grid.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "forerun/base/check.hpp"
#include "forerun/base/fixed_vector.hpp"
#include "forerun/world/band.hpp"
#include "forerun/world/convex.hpp"
#include "forerun/world/face.hpp"

namespace forerun::world {
namespace {

// All lengths below are in cells.
constexpr double kReachIn = 1e-3;  // what reaches into a cell by less does not take it
constexpr double kSetBack = 2e-3;  // upright faces count as this far behind where they are
constexpr double kOnLine = 1e-6;   // cell centres this near to a floor's edge are on it

class Projection {
 public:
  Projection(const World& world, const ProjectionParams& params)
      : world_(world), band_{params.step_height, params.robot_height}, grid_(plan_frame(world, params.cell_size), 0) {}

  void add_floor() noexcept {
    for (const Triangle& t : world_.triangles)
      if (is_floor(t)) lay_floor(t);
  }

  void take_triangles() noexcept {
    for (const Triangle& t : world_.triangles)
      if (!is_floor(t)) take(t);
  }

  void take(const Mover& mover) noexcept {
    if (!band_.meets(mover.low, mover.high)) return;
    if (mover.shape == Mover::Shape::disc) {
      take_disc(to_cells(mover.pose.position()), mover.radius / grid_.frame().cell_size);
      return;
    }
    const Transform2 world_from_mover(mover.pose);
    const double x = mover.half_length;
    const double y = mover.half_width;
    std::array<Vec2, 4> corners{Vec2{x, y}, {-x, y}, {-x, -y}, {x, -y}};
    for (Vec2& corner : corners) corner = to_cells(world_from_mover * corner);
    take_outline(corners);
  }

  [[nodiscard]] FreeGrid grid() && noexcept { return std::move(grid_); }

 private:
  struct Columns {
    int first;
    int last;
  };

  [[nodiscard]] Vec2 to_cells(Vec2 p) const noexcept {
    return (p - grid_.frame().origin) * (1 / grid_.frame().cell_size);
  }
  // The cells between two coordinates, without what lies outside the grid.
  [[nodiscard]] static Columns cells_between(double low, double high, int n_cells) noexcept {
    const double end = n_cells;
    return {static_cast<int>(clamp(std::floor(low), 0.0, end)),
            static_cast<int>(clamp(std::floor(high), -1.0, end - 1))};
  }

  void fill(int row, Columns columns, std::uint8_t value) noexcept {
    for (int x = columns.first; x <= columns.last; ++x) grid_[Cell{x, row}] = value;
  }

  void lay_floor(const Triangle& t) noexcept {
    const std::array<Vec2, 3> corners{to_cells(plan_view(t.a)), to_cells(plan_view(t.b)), to_cells(plan_view(t.c))};
    Interval y;
    for (const Vec2 p : corners) y.include(p.y);
    // row r has its centres at r + ½
    const Columns rows = cells_between(std::ceil(y.low - 0.5 - kOnLine), y.high - 0.5 + kOnLine, grid_.frame().height);
    for (int row = rows.first; row <= rows.last; ++row) {
      const double center = row + 0.5;
      const Interval x = extent_within(corners, center - kOnLine, center + kOnLine);
      if (x.empty()) continue;
      fill(row, cells_between(std::ceil(x.low - 0.5 - kOnLine), x.high - 0.5 + kOnLine, grid_.frame().width), 1);
    }
  }

  void take(const Triangle& t) noexcept {
    if (!band_.meets(std::min({t.a.z, t.b.z, t.c.z}), std::max({t.a.z, t.b.z, t.c.z}))) return;
    const Vec2 back = -plan_view(unit_normal(t));
    FixedVector<Vec2, 8> outline;
    for (const Vec3 corner : part_within(band_, t)) outline.push_back(to_cells(plan_view(corner)) + back * kSetBack);
    take_outline({outline.data(), outline.size()});
  }

  // A convex outline, or a segment. A cell is taken if the outline meets the cell without its rim of kReachIn.
  void take_outline(std::span<const Vec2> corners) noexcept {
    Interval y;
    for (const Vec2 p : corners) y.include(p.y);
    if (y.empty()) return;
    const Columns rows = cells_between(y.low, y.high, grid_.frame().height);
    for (int row = rows.first; row <= rows.last; ++row) {
      const Interval x = extent_within(corners, row + kReachIn, row + 1 - kReachIn);
      if (x.empty()) continue;
      fill(row, cells_between(x.low + kReachIn, x.high - kReachIn, grid_.frame().width), 0);
    }
  }

  void take_disc(Vec2 center, double radius) noexcept {
    const Columns rows = cells_between(center.y - radius, center.y + radius, grid_.frame().height);
    for (int row = rows.first; row <= rows.last; ++row) {
      const double nearest_y = clamp(center.y, row + kReachIn, row + 1 - kReachIn);
      const double half2 = square(radius) - square(nearest_y - center.y);
      if (half2 < 0) continue;
      const double half = sqrt(half2);
      fill(row, cells_between(center.x - half + kReachIn, center.x + half - kReachIn, grid_.frame().width), 0);
    }
  }

  const World& world_;
  HeightBand band_;
  FreeGrid grid_;
};

}  // namespace

GridFrame plan_frame(const World& world, double cell_size) {
  FORERUN_CHECK(cell_size > 0);
  const Box2 box = bounds(world);
  if (box.empty()) return {.width = 0, .height = 0, .cell_size = cell_size, .origin = {}};
  const auto first = [&](double low) { return std::floor(low / cell_size + kOnLine); };
  const auto n_cells = [&](double low, double high) {
    return std::max(std::ceil(high / cell_size - kOnLine) - first(low), 1.0);
  };
  const double width = n_cells(box.low.x, box.high.x);
  const double height = n_cells(box.low.y, box.high.y);
  FORERUN_CHECK(width * height <= kMaxPlanCells);
  return {.width = static_cast<int>(width),
          .height = static_cast<int>(height),
          .cell_size = cell_size,
          .origin = {first(box.low.x) * cell_size, first(box.low.y) * cell_size}};
}

FreeGrid project(const World& world, std::span<const Mover> movers, const ProjectionParams& params) {
  Projection projection(world, params);
  projection.add_floor();
  projection.take_triangles();
  for (const Mover& mover : movers) projection.take(mover);
  return std::move(projection).grid();
}

}  // namespace forerun::world
