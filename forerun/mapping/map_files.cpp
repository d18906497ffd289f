#include "forerun/mapping/map_files.hpp"

#include <cmath>
#include <cstdio>

#include "forerun/io/text.hpp"

namespace forerun::mapping {
namespace {

using atlas::MapCell;

constexpr double kWallHeight = 2;          // [m] as of ROS maps
constexpr std::size_t kMostFloors = 1500;  // laying them costs the square of this, so that worlds may have 2000
constexpr int kLargestBlock = 64;          // [cells]

// Cells from `low` up to, but without, `high`.
struct CellBox {
  Cell low, high;
  [[nodiscard]] int area() const { return (high.x - low.x) * (high.y - low.y); }
};

bool all_wanted(const Grid<std::uint8_t>& wanted, const CellBox& box) {
  if (box.high.x > wanted.frame().width || box.high.y > wanted.frame().height) return false;
  for (int y = box.low.y; y < box.high.y; ++y) {
    for (int x = box.low.x; x < box.high.x; ++x) {
      if (wanted[Cell{x, y}] == 0) return false;
    }
  }
  return true;
}

// Grown along one axis as far as it goes, then along the other.
CellBox grow(const Grid<std::uint8_t>& wanted, Cell start, bool along_x) {
  CellBox box{start, {start.x + 1, start.y + 1}};
  for (const bool x : {along_x, !along_x}) {
    // only the new row or column has to be looked at
    for (;;) {
      const CellBox next = x ? CellBox{{box.high.x, box.low.y}, {box.high.x + 1, box.high.y}}
                             : CellBox{{box.low.x, box.high.y}, {box.high.x, box.high.y + 1}};
      if (!all_wanted(wanted, next)) break;
      box.high = next.high;
    }
  }
  return box;
}

Grid<std::uint8_t> select_walls(const Grid<MapCell>& cells) {
  Grid<std::uint8_t> walls(cells.frame());
  for (std::size_t i = 0; i < cells.size(); ++i) walls[i] = cells[i] == MapCell::occupied;
  return walls;
}

// Blocks of `size` by `size` cells of which at least half are known; there is floor below walls, too.
Grid<std::uint8_t> select_floor(const Grid<MapCell>& cells, int size) {
  const GridFrame& fine = cells.frame();
  Grid<std::uint16_t> known(
      {(fine.width + size - 1) / size, (fine.height + size - 1) / size, fine.cell_size * size, fine.origin});
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Cell cell = fine.cell_at(i);
    if (cells[i] != MapCell::unknown) ++known[Cell{cell.x / size, cell.y / size}];
  }
  Grid<std::uint8_t> floor(known.frame());
  for (std::size_t i = 0; i < floor.size(); ++i) floor[i] = 2 * known[i] >= size * size;
  return floor;
}

// In blocks as small as the number of rectangles allows.
std::vector<Box2> cover_floor(const Grid<MapCell>& cells) {
  std::vector<Box2> floor = cover(select_floor(cells, 1));
  for (int size = 2; floor.size() > kMostFloors && size < kLargestBlock; size *= 2)
    floor = cover(select_floor(cells, size));
  return floor;
}

// To a tenth of a millimetre.
std::string length_text(double value) { return io::show(std::round(value * 1e4) / 1e4); }
std::string pair_text(Vec2 p) { return "[" + length_text(p.x) + ", " + length_text(p.y) + "]"; }

}  // namespace

std::vector<Box2> cover(const Grid<std::uint8_t>& wanted) {
  std::vector<Box2> boxes;
  Grid<std::uint8_t> open = wanted;
  const GridFrame& frame = wanted.frame();
  for (std::size_t i = 0; i < open.size(); ++i) {
    if (open[i] == 0) continue;
    const CellBox wide = grow(open, frame.cell_at(i), true), tall = grow(open, frame.cell_at(i), false);
    const CellBox& box = wide.area() >= tall.area() ? wide : tall;
    for (int y = box.low.y; y < box.high.y; ++y) {
      for (int x = box.low.x; x < box.high.x; ++x) open[Cell{x, y}] = 0;
    }
    const auto corner = [&](Cell c) { return frame.origin + Vec2{c.x * frame.cell_size, c.y * frame.cell_size}; };
    boxes.push_back({corner(box.low), corner(box.high)});
  }
  return boxes;
}

std::string write_pgm(const Grid<MapCell>& cells) {
  const GridFrame& frame = cells.frame();
  std::string bytes = "P5\n" + std::to_string(frame.width) + " " + std::to_string(frame.height) + "\n255\n";
  for (int y = frame.height - 1; y >= 0; --y) {
    for (int x = 0; x < frame.width; ++x) {
      const MapCell cell = cells[Cell{x, y}];
      bytes += static_cast<char>(cell == MapCell::occupied ? 0 : (cell == MapCell::free ? 254 : 205));
    }
  }
  return bytes;
}

std::string write_ros_map(const Grid<MapCell>& cells, const std::string& image) {
  const GridFrame& frame = cells.frame();
  return "image: " + image + "\nmode: trinary\nresolution: " + io::show(frame.cell_size) + "\norigin: [" +
         length_text(frame.origin.x) + ", " + length_text(frame.origin.y) +
         ", 0]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n";
}

std::string write_world(const Grid<MapCell>& cells, const std::string& name) {
  std::string text = "name: " + name + "\nwall_height_m: " + io::show(kWallHeight) + "\nfloors:\n";
  for (const Box2& box : cover_floor(cells))
    text += "  - {from: " + pair_text(box.low) + ", to: " + pair_text(box.high) + "}\n";
  const auto walls = cover(select_walls(cells));
  if (!walls.empty()) text += "boxes:\n";
  for (const Box2& box : walls) {
    text += "  - {at: " + pair_text(box.center()) + ", size_m: " + pair_text(box.size()) +
            ", height_m: " + io::show(kWallHeight) + ", material: plaster}\n";
  }
  return text;
}

}  // namespace forerun::mapping
