#include "forerun/sim/crowd.hpp"

#include <algorithm>
#include <cmath>

#include "forerun/navigate/path.hpp"
#include "forerun/navigate/value_function.hpp"

namespace forerun::sim {
namespace {

using world::Mover;

constexpr int kTries = 2000;              // for each box or person
constexpr double kBoxHeight = 0.8;        // [m]: every sensor ring sees it
constexpr double kOffRoute = 0.5;         // a box's centre is at most this far from the route [m]
constexpr double kFreeAround = 1.2;       // distance of a box from start and goals [m]
constexpr double kBetweenBoxes = 2.5;     // [m]
constexpr double kLeastFreeAround = 0.8;  // [m]
constexpr double kLeastBetween = 1.4;     // [m]
constexpr double kLookAround = 2.0;       // the passage is looked for this far before and behind a box [m]
constexpr double kBesideBox = 0.6;        // [m]
constexpr double kAtGoal = 0.1;           // [m]
constexpr double kShortestWalk = 5.0;     // [m]
constexpr double kRoomToTurn = 0.9;       // to the nearest obstacle, at both ends of a walk [m]
constexpr double kKeepRight = 1.2;        // as far beside the middle of the way [m], but not nearer to a wall than
constexpr double kFromWall = 0.42;        // this [m]
constexpr double kAtWall = 0.3;           // from the wall to the middle of a person who stands at it [m]
constexpr double kHeadStart = 2.0;        // nobody begins nearer to the robot [m]

Vec2 any_of(std::span<const Vec2> points, Random& random) noexcept { return points[random.below(points.size())]; }

bool near_any(std::span<const Vec2> points, Vec2 p, double limit) noexcept {
  return std::any_of(points.begin(), points.end(), [&](Vec2 q) { return distance(p, q) < limit; });
}

double clearance_at(const Grid<float>& clearance, Vec2 p) noexcept {
  const Cell cell = clearance.frame().cell_of(p);
  return clearance.frame().contains(cell) ? clearance[cell] : 0;
}

// Room around a cell's centre, with a box in the world [m].
double room_at(const CrowdSetup& setup, const Mover& box, Cell cell) noexcept {
  const Grid<float>& clearance = setup.planning.clearance;
  if (!clearance.frame().contains(cell)) return 0;
  return std::min<double>(clearance[cell], plan_distance(box, clearance.frame().center(cell)));
}

// The cells that a disc as wide as the passage reaches from a place without leaving the box's surroundings.
Grid<std::uint8_t> reached_from(const CrowdSetup& setup, const Mover& box, Vec2 from) {
  const GridFrame& frame = setup.planning.clearance.frame();
  const auto has_room = [&](Cell cell) { return room_at(setup, box, cell) >= 0.5 * setup.reality.passage; };
  Grid<std::uint8_t> reached(frame, 0);
  std::vector<Cell> front;
  const auto enter = [&](Cell cell) {
    if (!frame.contains(cell) || reached[cell] != 0 || !has_room(cell)) return;
    if (distance(frame.center(cell), box.pose.position()) > 1.5 * kLookAround) return;
    reached[cell] = 1;
    front.push_back(cell);
  };
  enter(frame.cell_of(from));
  while (!front.empty()) {
    const Cell cell = front.back();
    front.pop_back();
    for (const Cell step : {Cell{1, 0}, Cell{-1, 0}, Cell{0, 1}, Cell{0, -1}})
      enter({cell.x + step.x, cell.y + step.y});
  }
  return reached;
}

// The box leaves room on every stretch of the route that leads past it: wherever the passage was wide enough without
// it, it still is, and can still be reached.
bool leaves_room(const CrowdSetup& setup, const Mover& box) {
  const GridFrame& frame = setup.planning.clearance.frame();
  const double needed = 0.5 * setup.reality.passage;
  const auto near = [&](Vec2 p) { return distance(p, box.pose.position()) < kLookAround; };
  for (std::size_t i = 0; i < setup.route.size(); ++i) {
    if (!near(setup.route[i])) continue;
    const Grid<std::uint8_t> reached = reached_from(setup, box, setup.route[i]);
    for (; i < setup.route.size() && near(setup.route[i]); ++i) {
      // beside the box itself the way leads round it, but not where it ends
      const bool ends = near_any(setup.keep_clear, setup.route[i], kAtGoal);
      if (plan_distance(box, setup.route[i]) < kBesideBox && !ends) continue;
      if (clearance_at(setup.planning.clearance, setup.route[i]) < needed ||
          reached[frame.cell_of(setup.route[i])] == 0)
        return false;
    }
  }
  return true;
}

// Each point becomes the mean of its neighbours up to `reach` points away, where there is room for that.
std::vector<Vec2> smooth(const Grid<float>& clearance, const std::vector<Vec2>& path, std::size_t reach) {
  std::vector<Vec2> smoothed;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const std::size_t k = std::min({reach, i, path.size() - 1 - i});
    Vec2 sum;
    for (std::size_t j = i - k; j <= i + k; ++j) sum = sum + path[j];
    const Vec2 mean = sum * (1.0 / static_cast<double>(2 * k + 1));
    smoothed.push_back(clearance_at(clearance, mean) >= kPersonRadius ? mean : path[i]);
  }
  return smoothed;
}

// People keep to the right where there is room, so that others get by.
std::vector<Vec2> keep_right(const Grid<float>& clearance, const std::vector<Vec2>& path) {
  constexpr std::size_t kAhead = 10;  // points: the direction of walking, less the zigzag of the grid
  std::vector<Vec2> shifted;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const Vec2 way = path[std::min(i + kAhead, path.size() - 1)] - path[i >= kAhead ? i - kAhead : 0];
    const double l = length(way);
    Vec2 best = path[i];
    for (double aside = 0.1; l > 0 && aside <= kKeepRight; aside += 0.1) {
      const Vec2 p = path[i] - left_normal(way) * (aside / l);
      if (clearance_at(clearance, p) < kFromWall) break;
      best = p;
    }
    shifted.push_back(best);
  }
  return smooth(clearance, shifted, kAhead);
}

// There and back, each on its right-hand side.
std::vector<Vec2> both_ways(const Grid<float>& clearance, const std::vector<Vec2>& path) {
  std::vector<Vec2> round = keep_right(clearance, path);
  const std::vector<Vec2> back = keep_right(clearance, {path.rbegin(), path.rend()});
  round.insert(round.end(), back.begin(), back.end());
  return round;
}

// How far somebody can step off a closed path to either side.
std::vector<Room> rooms_beside(const Grid<float>& clearance, const std::vector<Vec2>& path) {
  constexpr std::size_t kAround = 5;  // points: the direction of walking
  constexpr double kFinest = 0.05;    // [m]
  std::vector<Room> rooms;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const Vec2 way = path[std::min(i + kAround, path.size() - 1)] - path[i >= kAround ? i - kAround : 0];
    Room room;
    if (length(way) > 0) room.left = left_normal(way) * (1 / length(way));
    const auto free_to = [&](double side) {
      double far = 0;
      while (far < kKeepRight && length(way) > 0 &&
             clearance_at(clearance, path[i] + room.left * (side * (far + kFinest))) >= kAtWall) {
        far += kFinest;
      }
      return far;
    };
    room.to_left = free_to(1);
    room.to_right = free_to(-1);
    rooms.push_back(room);
  }
  return rooms;
}

// Places on the route with so much room, and so far from boxes, start and goals.
std::vector<Vec2> places_with(const CrowdSetup& setup, std::span<const Mover> boxes, double room, double around) {
  std::vector<Vec2> places;
  for (const Vec2 p : setup.route) {
    const auto near = [&](const Mover& box) { return plan_distance(box, p) < around; };
    if (clearance_at(setup.planning.clearance, p) < room || std::any_of(boxes.begin(), boxes.end(), near)) continue;
    if (!near_any(setup.keep_clear, p, around)) places.push_back(p);
  }
  return places;
}

// How far the first of the places is from the farthest of them [m].
double extent(std::span<const Vec2> places) noexcept {
  double farthest = 0;
  for (const Vec2 p : places) farthest = std::max(farthest, distance(p, places[0]));
  return farthest;
}

// Where on the route somebody may turn round.
std::vector<Vec2> turning_places(const CrowdSetup& setup, std::span<const Mover> boxes) {
  // narrow buildings have no roomy places: then half of the route will do
  std::vector<double> rooms;
  for (const Vec2 p : setup.route) rooms.push_back(clearance_at(setup.planning.clearance, p));
  std::nth_element(rooms.begin(), rooms.begin() + static_cast<std::ptrdiff_t>(rooms.size() / 2), rooms.end());
  const double room = std::min(kRoomToTurn, rooms[rooms.size() / 2]);
  // not in a doorway, beside a box or on a goal, where the robot could not get by; but nobody paces up and down a spot
  for (const double around : {kFreeAround, 0.5 * kFreeAround}) {
    std::vector<Vec2> places = places_with(setup, boxes, room, around);
    if (extent(places) >= kShortestWalk) return places;
  }
  return {setup.route.begin(), setup.route.end()};
}

}  // namespace

std::vector<Mover> place_boxes(const CrowdSetup& setup, Random& random) {
  std::vector<Mover> boxes;
  const double size = setup.reality.box_size;
  for (int tries = 0; tries < kTries * setup.reality.boxes; ++tries) {
    if (static_cast<int>(boxes.size()) >= setup.reality.boxes) break;
    const Vec2 aside{random.uniform(-kOffRoute, kOffRoute), random.uniform(-kOffRoute, kOffRoute)};
    const Vec2 center = any_of(setup.route, random) + aside;
    const Pose2 pose{center.x, center.y, random.uniform(0, kPi / 2)};
    const Mover box = world::make_box(pose, {size, size}, kBoxHeight, 0);
    // stands free, not on a goal, not beside another box; short routes must be content with less
    const double strictness = 1 - static_cast<double>(tries) / (kTries * setup.reality.boxes);
    if (clearance_at(setup.planning.clearance, center) < box.radius) continue;
    if (near_any(setup.keep_clear, center, std::max(kLeastFreeAround, kFreeAround * strictness))) continue;
    const auto beside = [&](const Mover& b) {
      return distance(b.pose.position(), center) < std::max(kLeastBetween, kBetweenBoxes * strictness);
    };
    if (std::any_of(boxes.begin(), boxes.end(), beside)) continue;
    if (leaves_room(setup, box)) boxes.push_back(box);
  }
  return boxes;
}

std::vector<Person> place_people(const CrowdSetup& setup, std::span<const Mover> boxes, Random& random) {
  // people need less room than the robot, but walk around the boxes too
  world::FreeGrid free = setup.planning.free;
  for (std::size_t i = 0; i < free.size(); ++i) {
    const Vec2 center = free.frame().center(free.frame().cell_at(i));
    for (const Mover& box : boxes) {
      if (plan_distance(box, center) < 0.5 * free.frame().cell_size) free[i] = 0;
    }
  }
  const Grid<float> clearance = world::clearance(free);
  const navigate::PlanningGrid grid(world::inflate(free, kPersonRadius + 0.05));
  navigate::ValueFunction values(grid.frame());
  const std::vector<Vec2> places = turning_places(setup, boxes);
  std::vector<Person> people;
  for (int tries = 0; tries < kTries && static_cast<int>(people.size()) < setup.reality.people; ++tries) {
    const Vec2 from = any_of(places, random), to = any_of(places, random);
    // short worlds have only short walks
    const double shortest = std::min(kShortestWalk, 0.5 * extent(places)) * (1 - 0.5 * tries / kTries);
    if (distance(from, setup.route[0]) < kHeadStart || distance(from, to) < shortest) continue;
    if (!values.plan(grid, grid.frame().cell_of(to))) continue;
    const std::vector<Vec2> path = navigate::path_from(values, grid, from);
    if (path.size() < 2) continue;
    const double speed = random.uniform(setup.reality.slowest_person, setup.reality.fastest_person);
    people.push_back(make_person(both_ways(clearance, path), speed, 0, setup.reality.person_stops_at));
    people.back().rooms = rooms_beside(clearance, people.back().path);
  }
  return people;
}

}  // namespace forerun::sim
