// A made-up building, what a laser sees in it, and drives through it with poor odometry.
#pragma once

#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "forerun/base/random.hpp"
#include "forerun/geom/box.hpp"
#include "forerun/io/scan_log.hpp"
#include "forerun/mapping/surface.hpp"

namespace forerun::test {

using Walls = std::vector<Segment2>;

inline void add_rectangle(Walls& walls, Vec2 low, Vec2 high) {
  const Vec2 right{high.x, low.y}, top{low.x, high.y};
  walls.insert(walls.end(), {{low, right}, {right, high}, {high, top}, {top, low}});
}

// A room of 8 by 6 m around the origin, with a niche, a cupboard and a slanting wall: no two places look the same.
inline Walls odd_room() {
  Walls walls;
  add_rectangle(walls, {-4, -3}, {4, 3});
  add_rectangle(walls, {1.5, -2.2}, {2.3, -1.6});
  walls.insert(walls.end(), {{{-4, 1}, {-2.5, 3}}, {{4, 0.5}, {3.2, 0.5}}, {{3.2, 0.5}, {3.2, 1.4}}});
  return walls;
}

// A corridor of 2 m around a block of 12 by 8 m, with odd pieces along it.
inline Walls ring_building() {
  Walls walls;
  add_rectangle(walls, {-8, -6}, {8, 6});
  add_rectangle(walls, {-6, -4}, {6, 4});
  const Vec2 pillars[] = {{-4, -6}, {1.2, -5.7}, {7.6, -2}, {6, 1.5}, {3.1, 5.7}, {-2.2, 4}, {-8, 3}, {-7.7, -1.1}};
  double size = 0.2;
  for (const Vec2 at : pillars) {
    add_rectangle(walls, at - Vec2{size, 0.25}, at + Vec2{size, 0.25});
    size += 0.04;
  }
  return walls;
}

// How far it is to the nearest wall; the laser's own limit where there is none.
inline double cast(std::span<const Segment2> walls, const Pose2& laser, double angle, double farthest) {
  const Vec2 ahead = unit_vector(laser.theta + angle);
  double nearest = farthest;
  for (const Segment2& wall : walls) {
    const Vec2 along = wall.b - wall.a, to = wall.a - laser.position();
    const double determinant = cross(ahead, along);
    if (determinant == 0) continue;
    const double range = cross(to, along) / determinant, share = cross(to, ahead) / determinant;
    if (range > 0 && range < nearest && share >= 0 && share <= 1) nearest = range;
  }
  return nearest;
}

struct Laser {
  double first_angle = -kPi / 2;
  double step = kPi / 180;
  int n_beams = 181;
  double noise = 0.01;  // σ [m]
  double farthest = 20;
};

inline std::vector<float> scan_walls(std::span<const Segment2> walls, const Pose2& robot, const Laser& laser,
                                     Random& random) {
  std::vector<float> ranges;
  for (int i = 0; i < laser.n_beams; ++i) {
    const double range = cast(walls, robot, laser.first_angle + laser.step * i, laser.farthest);
    ranges.push_back(range < laser.farthest ? static_cast<float>(range + laser.noise * random.normal()) : io::kNoEcho);
  }
  return ranges;
}

inline std::vector<mapping::SurfacePoint> see_walls(std::span<const Segment2> walls, const Pose2& robot, Random& random,
                                                    const Laser& laser = {}) {
  return mapping::find_surface(scan_walls(walls, robot, laser, random), {laser.first_angle, laser.step});
}

struct SimulatedDrive {
  io::ScanLog log;
  std::vector<Pose2> truth;  // of each scan
};

// Rounds through the ring, a scan each 0.3 m; odometry is off by 3 % and turns away by 0.6 degrees a metre.
inline SimulatedDrive drive_round(double metres, std::uint64_t seed, double spacing = 0.3) {
  const Walls walls = ring_building();
  const Vec2 corners[] = {{7, -5}, {7, 5}, {-7, 5}, {-7, -5}};
  Random random(seed, 0);
  const Laser laser;
  SimulatedDrive drive;
  drive.log.first_angle = laser.first_angle;
  drive.log.step = laser.step;
  drive.log.max_range = laser.farthest;
  Pose2 truth{0, -5, 0}, odometry;
  std::size_t next = 0;
  for (double way = 0; way < metres; way += spacing) {
    drive.log.scans.push_back({way * 2, way * 2, odometry, {}, scan_walls(walls, truth, laser, random)});
    drive.truth.push_back(truth);
    if (distance(truth.position(), corners[next % 4]) < 0.6) ++next;
    const double turn = normalize_angle(angle_of(corners[next % 4] - truth.position()) - truth.theta);
    const Pose2 step{spacing, 0, clamp(turn, -0.6, 0.6)};
    truth = truth * step;
    odometry = odometry * Pose2{step.x * 1.03 + 0.01 * random.normal(), 0.01 * random.normal(),
                                step.theta + 0.01 * spacing + 0.01 * random.normal()};
  }
  return drive;
}

// The same as a CARMEN log.
inline std::string to_carmen(const io::ScanLog& log) {
  std::string text = "PARAM robot_front_laser_max 20 sim 0\n";
  char part[96];
  for (const io::LoggedScan& scan : log.scans) {
    text += "FLASER " + std::to_string(scan.ranges.size());
    for (const float range : scan.ranges) {
      std::snprintf(part, sizeof part, " %.3f", range == io::kNoEcho ? 20.0 : static_cast<double>(range));
      text += part;
    }
    const Pose2& o = scan.odometry;
    for (int twice = 0; twice < 2; ++twice) {
      std::snprintf(part, sizeof part, " %.6f %.6f %.6f", o.x, o.y, o.theta);
      text += part;
    }
    std::snprintf(part, sizeof part, " %.3f sim %.3f\n", scan.time, scan.time);
    text += part;
  }
  return text;
}

}  // namespace forerun::test
