// What moves around the robot: people who walk to and fro, doors that open and close, boxes that stand in the way.
#pragma once

#include <span>
#include <vector>

#include "forerun/base/hash.hpp"
#include "forerun/base/time.hpp"
#include "forerun/robot/description.hpp"
#include "forerun/world/mover.hpp"
#include "forerun/world/world.hpp"

namespace forerun::sim {

inline constexpr double kPersonRadius = 0.25;  // [m]
inline constexpr double kPersonHeight = 1.7;   // [m]

// How far somebody can step off the path.
struct Room {
  Vec2 left;            // unit vector across the path, to the left of its direction
  double to_left = 0;   // [m]
  double to_right = 0;  // [m]
};

// Walks round and round a closed path: there on one side of the way, back on the other.
struct Person {
  std::vector<Vec2> path;       // at least two points; from the last one on to the first
  std::vector<double> lengths;  // from the first point to each point, and once round [m]
  double speed = 1.0;           // [m/s]
  double start = 0;             // place on the path at the beginning [m]
  double stops_at = 1.0;        // stands when nearer than this to the robot's edge [m]
  std::vector<Room> rooms{};    // at each point of the path; none: never steps aside
};

[[nodiscard]] Person make_person(std::vector<Vec2> path, double speed, double start, double stops_at);

// A door with the times at which it begins to close or to open.
struct MovingDoor {
  struct Change {
    RobotTime at;
    bool open = true;
  };
  world::Door door;
  std::vector<Change> changes;  // in order of time
};

// Somebody puts it down and takes it away again. It does not come down on the robot: then it waits.
struct PassingBox {
  world::Mover box;
  RobotTime from;
  RobotTime until;
};

struct Cast {
  std::vector<Person> people;
  std::vector<MovingDoor> doors;
  std::vector<world::Mover> boxes;
  std::vector<PassingBox> passing{};
};

// The robot, as people and doors see it.
struct Neighbour {
  Vec2 position;
  double radius = 0.3;  // of its footprint [m]
  bool moves = false;
  Vec2 ahead{};      // unit vector: where it faces; none: nobody can tell
  double speed = 0;  // [m/s]
};

class Surroundings {
 public:
  explicit Surroundings(const Cast& cast);

  // Moves on to `now`, `dt` after the last call. Nobody walks or swings into the robot. Allocates nothing.
  void step(const Cast& cast, const Neighbour& robot, RobotTime now, double dt) noexcept;

  // Everybody and everything, as the sensors see them.
  [[nodiscard]] std::span<const world::Mover> movers() const noexcept { return movers_; }

  void add_to(Hash& hash) const noexcept;

 private:
  struct Walk {
    double place = 0;       // along the path [m]
    std::size_t piece = 1;  // of the path, about there …
    std::size_t later = 1;  // … and where it leads, a few steps on
    int direction = 1;      // 1: forwards, −1: back
    double standing = 0;    // for how long [s]
    bool passing = false;   // goes past the robot while that stands
    bool away = false;      // has given up and lets the robot have the way
    double resting = 0;     // out of its way, for this much longer [s]
    int side = 0;           // of the path where it makes room for the robot: 1 left, −1 right; 0: has no need to
    double aside = 0;       // of the path, to the left [m]
  };
  // Of a person, between two moments.
  struct Step {
    Vec2 from;
    Vec2 to;
    Vec2 later;  // where it leads, a few steps on
  };
  struct Swing {
    double opening = 1;  // 0: closed, 1: open
    std::size_t next_change = 0;
    bool open = true;  // where it is going
  };
  void put_boxes(const Cast& cast, const Neighbour& robot, RobotTime now) noexcept;
  [[nodiscard]] bool door_in_the_way(Vec2 place) const noexcept;
  [[nodiscard]] bool may_make_room(Vec2 here, Vec2 spot, const Neighbour& robot) const noexcept;
  void walk(const Person& person, Walk& walk, world::Mover& body, const Neighbour& robot, double dt) noexcept;
  static double step_aside(const Room& room, Vec2 on_path, Walk& walk, Vec2 here, const Neighbour& robot,
                           double dt) noexcept;
  static void lose_patience(const Person& person, Walk& walk, Vec2 here, const Neighbour& robot) noexcept;
  static void find_place(const Person& person, Walk& walk, Vec2 here) noexcept;
  [[nodiscard]] bool may_go(const Person& person, Walk& walk, const Step& step, const Neighbour& robot) const noexcept;
  void swing(const MovingDoor& door, Swing& swing, world::Mover& leaf, const Neighbour& robot, RobotTime now,
             double dt) noexcept;

  std::vector<Walk> walks_;
  double robot_stands_ = 0;  // for how long [s]
  std::vector<Swing> swings_;
  std::vector<bool> put_;             // of the boxes that come and go: stands now
  std::vector<world::Mover> movers_;  // people, then door leaves, then boxes, then those that come and go
};

}  // namespace forerun::sim
