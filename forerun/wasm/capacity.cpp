#include "forerun/wasm/capacity.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "forerun/world/band.hpp"
#include "forerun/world/cut.hpp"

namespace forerun::wasm {
namespace {

using world::Triangle;
using world::World;

// Sizes of what rooms keep or need for a moment, doubled where vectors grow [bytes].
constexpr double kBytesPerTriangle = 1500;
constexpr double kBytesPerPlanCell = 40;
constexpr double kBytesPerValue = 36;
constexpr double kBytesPerChangedCell = 18;  // of the grid that follows the world's changes
constexpr double kBytesPerEntry = 48;        // of an item in a tile
constexpr double kBytesPerTile = 16;
constexpr double kBytesPerSegment = 48;  // of an outline in a tile
constexpr double kTrianglesPerDoor = 12;

Box2 box_of(const Triangle& t) noexcept {
  Box2 box;
  for (const Vec3& corner : {t.a, t.b, t.c}) box.include(plan_view(corner));
  return box;
}

double tiles_touched(const Box2& box, double tile) noexcept {
  return (box.size().x / tile + 2) * (box.size().y / tile + 2);
}

// The smallest tiles that world::Tiling may choose, and with them the most entries.
double bytes_for_tiling(const std::vector<Box2>& items) noexcept {
  Box2 all;
  for (const Box2& item : items) {
    all.include(item.low);
    all.include(item.high);
  }
  if (items.empty()) return 0;
  const double aimed_at = all.size().x * all.size().y / (2 * static_cast<double>(items.size()));
  const double tile = clamp(std::sqrt(aimed_at), 0.1, 4.0);
  double entries = 0;
  for (const Box2& item : items) entries += 2 * tiles_touched(item, tile);
  constexpr double kMostEntries = 1e7, kMostTiles = 2e6;  // it takes larger tiles before there are more
  return std::min(entries, kMostEntries) * kBytesPerEntry +
         std::min(tiles_touched(all, tile), kMostTiles) * kBytesPerTile;
}

double bytes_for_slice(const World& world, double height) {
  std::vector<Box2> items;
  for (const world::CutSegment& piece : world::join(world::cut(world, height))) {
    Box2& box = items.emplace_back();
    box.include(piece.line.a);
    box.include(piece.line.b);
  }
  return bytes_for_tiling(items);
}

double bytes_for_outline(const World& world, const world::HeightBand& band) noexcept {
  constexpr double kTile = 0.5;        // of world::Outline [m]
  constexpr double kMostSegments = 6;  // of one triangle
  Box2 all;
  double segments = 0;
  for (const Triangle& t : world.triangles) {
    const auto [low, high] = std::minmax({t.a.z, t.b.z, t.c.z});
    if (high < band.low || low > band.high) continue;
    const Box2 box = box_of(t);
    all.include(box.low);
    all.include(box.high);
    const bool upright = std::fabs(cross(t.b - t.a, t.c - t.a).z) <= 1e-9;
    segments += (upright ? 1 : kMostSegments) * tiles_touched(box, kTile);
  }
  return all.empty() ? 0 : segments * kBytesPerSegment + tiles_touched(all, kTile) * kBytesPerTile;
}

}  // namespace

double bytes_to_unpack(std::size_t bundle_size) noexcept {
  // a triangle of 80 bytes has at least 3 there; a corner that is new has 4, and takes 24 in a vector that grows and 60
  // in a table
  return static_cast<double>(bundle_size) * 45;
}

double bytes_for_plan(const World& world, double cell_size) noexcept {
  return tiles_touched(world::bounds(world), cell_size) * kBytesPerPlanCell;
}

double bytes_for_sensors(const World& world, const robot::Description& robot) {
  const double n =
      static_cast<double>(world.triangles.size()) + kTrianglesPerDoor * static_cast<double>(world.doors.size());
  std::vector<Box2> items;
  for (const Triangle& t : world.triangles) items.push_back(box_of(t));
  double bytes = n * kBytesPerTriangle + bytes_for_tiling(items);
  const auto add = [&](const auto& sensor) {
    if constexpr (requires { sensor.height; }) bytes += bytes_for_slice(world, sensor.height);
    if constexpr (requires { sensor.low; }) bytes += bytes_for_outline(world, {sensor.low, sensor.high});
  };
  for (const robot::Sensor& sensor : robot.sensors) std::visit(add, sensor);
  return bytes;
}

double bytes_for_goal_plan(const GridFrame& frame, double n_goals) noexcept {
  const double cells = (frame.width + 2.0) * (frame.height + 2.0);
  return n_goals * (cells * kBytesPerValue + 1e6) + cells * kBytesPerChangedCell + 1e6;
}

Result<void> check_room(const std::string& what, double bytes) {
  constexpr double kReserve = 4e6;  // for small things
  const double wanted = bytes + kReserve;
  if (wanted < 2e9) {
    // volatile: the compiler knows malloc and would leave out what nobody uses
    void* volatile room = std::malloc(static_cast<std::size_t>(wanted));
    std::free(room);
    if (room != nullptr) return {};
  }
  return Error{what + " needs about " + std::to_string(static_cast<long long>(bytes / 1e6)) +
               " MB, but there is not so much memory left"};
}

}  // namespace forerun::wasm
