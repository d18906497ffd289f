// Maps drawn as text, and what a laser sees in them.
#pragma once

#include <string>
#include <vector>

#include "forerun/base/random.hpp"
#include "forerun/localize/echoes.hpp"
#include "forerun/localize/likelihood_field.hpp"

namespace forerun::localize::test {

// '#' is occupied, '.' free, ' ' unknown; the last line is at the bottom. Each character is `cells` × `cells` cells.
inline OccupancyMap drawn_map(const std::vector<std::string>& rows, double cell_size = 0.1, int cells = 5) {
  GridFrame frame;
  frame.width = static_cast<int>(rows[0].size()) * cells;
  frame.height = static_cast<int>(rows.size()) * cells;
  frame.cell_size = cell_size;
  OccupancyMap map(frame);
  for (std::size_t i = 0; i < map.size(); ++i) {
    const Cell cell = frame.cell_at(i);
    const std::string& row = rows[rows.size() - 1 - static_cast<std::size_t>(cell.y / cells)];
    const char c = row[static_cast<std::size_t>(cell.x / cells)];
    map[i] = c == '#' ? Occupancy::occupied : c == '.' ? Occupancy::free : Occupancy::unknown;
  }
  return map;
}

// Three rooms that are all different, 15 m × 10 m.
inline OccupancyMap three_rooms() {
  return drawn_map({
      "##############################", "#...........#................#", "#...........#................#",
      "#...........#.......##.......#", "#...........#.......##.......#", "#...................##.......#",
      "#............................#", "#...........#................#", "#...........#................#",
      "######..########..############", "#............................#", "#............................#",
      "#.....##.....................#", "#.....##.....................#", "#..............#.............#",
      "#..............#.............#", "#..............#.............#", "#####..........#.............#",
      "#####..........#.............#", "##############################",
  });
}

inline constexpr std::size_t kBeams = 120;

// How far it is to the first occupied cell, in small steps.
inline double free_way(const OccupancyMap& map, Vec2 from, double angle, double longest) {
  const Vec2 way = unit_vector(angle);
  for (double at = 0; at < longest; at += 0.01) {
    const Cell cell = map.frame().cell_of(from + way * at);
    if (!map.frame().contains(cell) || map[cell] == Occupancy::occupied) return at;
  }
  return longest;
}

// All round. Of the ranges a share is cut short by people.
inline std::vector<float> seen_ranges(const OccupancyMap& map, const Pose2& pose, Random& random, double people = 0) {
  std::vector<float> ranges;
  double near = 0;
  for (std::size_t i = 0; i < kBeams; ++i) {
    const double range = free_way(map, pose.position(), pose.theta + kTwoPi / kBeams * static_cast<double>(i), 20);
    // a person covers ten beams
    if (i % 10 == 0) near = random.uniform() < people ? random.uniform(0.5, 2) : kInfinity;
    ranges.push_back(static_cast<float>(std::min(range, near) + 0.01 * random.normal()));
  }
  return ranges;
}

inline Echoes echoes_of(const std::vector<float>& ranges) {
  Echoes echoes;
  add_echoes({.step = kTwoPi / kBeams, .least_range = 0.05, .max_range = 19, .ranges = ranges}, 60, echoes);
  return echoes;
}

}  // namespace forerun::localize::test
