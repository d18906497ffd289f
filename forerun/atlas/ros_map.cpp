#include "forerun/atlas/ros_map.hpp"

#include <cmath>
#include <filesystem>
#include <vector>

#include "forerun/atlas/palette.hpp"
#include "forerun/atlas/solids.hpp"
#include "forerun/io/file.hpp"
#include "forerun/io/text.hpp"
#include "forerun/io/yaml_reader.hpp"

namespace forerun::atlas {

namespace {

using io::YamlMap;

constexpr double kWallHeight = 2.0;              // [m] higher than every robot that drives in such maps
constexpr std::size_t kMostTriangles = 4000000;  // noise instead of a map would fill the memory

// The program that saves maps paints unknown cells in this grey, whatever thresholds it writes beside them.
bool is_saved_unknown(float brightness) {
  constexpr float kUnknownGrey = 205;
  return std::fabs(brightness * 255 - kUnknownGrey) < 0.25f;
}

MapCell classify_pixel(const RosMap& map, float brightness, bool visible) {
  if (map.mode == MapMode::scale && !visible) return MapCell::unknown;
  if (map.mode == MapMode::trinary && !map.negate && is_saved_unknown(brightness)) return MapCell::unknown;
  const double shown = map.negate ? 1.0 - static_cast<double>(brightness) : static_cast<double>(brightness);
  double occupied = 1 - shown;
  if (map.mode == MapMode::raw) {
    // the pixel's value is the percentage, and beyond 100 it is unknown
    const double percent = std::round(shown * 255);
    if (percent > 100) return MapCell::unknown;
    occupied = percent / 100;
  }
  if (occupied > map.occupied_thresh) return MapCell::occupied;
  return occupied < map.free_thresh ? MapCell::free : MapCell::unknown;
}

// Turns cells into triangles. Points are given in whole cells, so that neighbours share their corners exactly.
class Extruder {
 public:
  Extruder(const RosMap& map, const Grid<MapCell>& cells, world::World& world)
      : cells_(cells), world_(world), resolution_(map.resolution), world_from_map_(map.origin) {}

  void add_walls(std::int32_t material) {
    const GridFrame& frame = cells_.frame();
    for (int y = 0; y <= frame.height && !is_full(); ++y) add_runs({0, y}, {1, 0}, frame.width, material);
    for (int x = 0; x <= frame.width && !is_full(); ++x) add_runs({x, 0}, {0, 1}, frame.height, material);
  }

  // Rectangles of cells of one kind: a run along x, grown along y while all of it fits.
  void add_faces(MapCell kind, double z, std::int32_t material) {
    const GridFrame& frame = cells_.frame();
    std::vector<std::uint8_t> done(frame.size(), 0);
    const auto open = [&](int x, int y) { return cells_[Cell{x, y}] == kind && done[frame.index({x, y})] == 0; };
    for (int y = 0; y < frame.height && !is_full(); ++y) {
      for (int x = 0; x < frame.width; ++x) {
        if (!open(x, y)) continue;
        int right = x + 1, top = y + 1;
        while (right < frame.width && open(right, y)) ++right;
        for (bool whole = true; whole && top < frame.height;) {
          for (int i = x; i < right && whole; ++i) whole = open(i, top);
          if (whole) ++top;
        }
        for (int j = y; j < top; ++j) {
          for (int i = x; i < right; ++i) done[frame.index({i, j})] = 1;
        }
        add_quad(world_, point(x, y, z), point(right, y, z), point(right, top, z), point(x, top, z), material);
      }
    }
  }

  [[nodiscard]] bool is_full() const { return world_.triangles.size() > kMostTriangles; }

 private:
  [[nodiscard]] Vec3 point(int x, int y, double z) const {
    const Vec2 p = world_from_map_ * Vec2{x * resolution_, y * resolution_};
    return {p.x, p.y, z};
  }
  [[nodiscard]] bool occupied(Cell c) const { return cells_.frame().contains(c) && cells_[c] == MapCell::occupied; }

  // Faces along one grid line: +1 where only the cell to the left is occupied, −1 where only the right one is.
  void add_runs(Cell start, Cell step, int n, std::int32_t material) {
    const auto at = [&](int i) { return Cell{start.x + i * step.x, start.y + i * step.y}; };
    int run_start = 0, run_side = 0;
    for (int i = 0; i <= n; ++i) {
      const Cell left = step.x == 1 ? at(i) : Cell{at(i).x - 1, at(i).y};
      const Cell right = step.x == 1 ? Cell{at(i).x, at(i).y - 1} : at(i);
      const int side = i == n ? 0 : (occupied(left) ? 1 : 0) - (occupied(right) ? 1 : 0);
      if (side == run_side) continue;
      if (run_side != 0) add_face(at(run_start), at(i), run_side, material);
      run_start = i;
      run_side = side;
    }
  }

  // An upright face, seen from the right of the way from a to b when the left side is solid.
  void add_face(Cell a, Cell b, int side, std::int32_t material) {
    if (side < 0) std::swap(a, b);
    add_quad(world_, point(a.x, a.y, 0), point(b.x, b.y, 0), point(b.x, b.y, kWallHeight), point(a.x, a.y, kWallHeight),
             material);
  }

  const Grid<MapCell>& cells_;
  world::World& world_;
  double resolution_;
  Transform2 world_from_map_;
};

void read_map(YamlMap& yaml, RosMap& map) {
  int mode = 0, negate = 0;
  for (const char* key : {"image", "resolution", "origin"}) yaml.require(key);
  yaml.read("image", map.image);
  yaml.read("resolution", map.resolution, Field{0.001, 10, "edge of a pixel [m]"});
  yaml.read("origin", map.origin, Field{-100000, 100000, "place of the bottom left pixel"});
  yaml.read_choice("negate", negate, {"0", "1", "false", "true"});
  yaml.read("occupied_thresh", map.occupied_thresh, Field{0, 1, "more than this is occupied"});
  yaml.read("free_thresh", map.free_thresh, Field{0, 1, "less than this is free"});
  yaml.read_choice("mode", mode, {"trinary", "scale", "raw"});
  map.negate = negate % 2 == 1;
  map.mode = static_cast<MapMode>(mode);
  if (map.free_thresh > map.occupied_thresh) {
    yaml.fail("free_thresh", "is " + io::show(map.free_thresh) + ", but must not exceed occupied_thresh, which is " +
                                 io::show(map.occupied_thresh));
  }
}

}  // namespace

Result<RosMap> parse_ros_map(std::string_view text, const std::string& file) {
  RosMap map;
  const Result<void> read = io::read_yaml(text, file, [&](YamlMap& yaml) { read_map(yaml, map); });
  if (!read) return read.error();
  return map;
}

Grid<MapCell> classify(const RosMap& map, const io::Image& image) {
  Grid<MapCell> cells({image.width, image.height, map.resolution, {}}, MapCell::unknown);
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      const auto row = static_cast<std::size_t>(image.height - 1 - y);
      const std::size_t i = row * static_cast<std::size_t>(image.width) + static_cast<std::size_t>(x);
      cells[Cell{x, y}] = classify_pixel(map, image.brightness[i], image.visible[i] != 0);
    }
  }
  return cells;
}

Result<world::World> extrude(const RosMap& map, const Grid<MapCell>& cells, const std::string& file) {
  world::World world;
  world.name = io::bare_name(file);
  const Palette palette;
  const std::int32_t wall = palette.use("plaster", world), floor = palette.use("linoleum", world);
  Extruder extruder(map, cells, world);
  extruder.add_walls(wall);
  extruder.add_faces(MapCell::occupied, kWallHeight, wall);
  extruder.add_faces(MapCell::free, 0, floor);
  if (extruder.is_full()) {
    return Error{file + " makes more than " + std::to_string(kMostTriangles) +
                 " triangles, the most allowed: is its image a map?"};
  }
  if (!world::has_floor(world)) {
    return Error{file + " describes a world without floor: no pixel of " + io::quote(map.image) + " is free"};
  }
  return world;
}

Result<world::World> load_ros_map(const std::string& path) {
  const Result<std::string> text = io::read_file(path, io::kLargestText);
  if (!text) return text.error();
  const Result<RosMap> map = parse_ros_map(*text, path);
  if (!map) return map.error();
  const std::filesystem::path picture = std::filesystem::path(path).parent_path() / map->image;
  const Result<io::Image> image = io::load_image(picture.string());
  if (!image) return Error{path + ": image " + image.error().message};
  return extrude(*map, classify(*map, *image), path);
}

}  // namespace forerun::atlas
