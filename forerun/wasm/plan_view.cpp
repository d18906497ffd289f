// The plan view of a model: where there is room, what it costs to get to a goal, what the sensors would see.
#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "forerun/navigate/path.hpp"
#include "forerun/wasm/capacity.hpp"
#include "forerun/wasm/model.hpp"
#include "forerun/wasm/results.hpp"
#include "forerun/world/mover.hpp"

namespace forerun::wasm {
namespace {

// Where a beam begins on the robot and how its reading ends.
struct Beam {
  double kind;
  Pose2 robot_from_beam;
  float range;
  double max_range;
};

void add_beam(const Transform2& world_from_robot, const Beam& beam) {
  const bool echo = beam.range < beam.max_range;
  const double length = echo ? std::max(0.0, static_cast<double>(beam.range)) : beam.max_range;
  const Vec2 from = world_from_robot * beam.robot_from_beam.position();
  const Vec2 to = world_from_robot * (beam.robot_from_beam * Vec2{length, 0});
  auto& numbers = results().numbers;
  for (const double number : {beam.kind, from.x, from.y, to.x, to.y, echo ? 1.0 : 0.0}) numbers.push_back(number);
}

void add_beams(const Transform2& world_from_robot, double kind, const robot::Laser& laser,
               const std::vector<float>& ranges) {
  const double step = laser.beams > 1 ? laser.field_of_view / (laser.beams - 1) : 0;
  const double first = laser.beams > 1 ? -0.5 * laser.field_of_view : 0;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const Pose2 robot_from_beam = laser.mount * Pose2{0, 0, first + static_cast<double>(i) * step};
    add_beam(world_from_robot, {kind, robot_from_beam, ranges[i], laser.max_range});
  }
}

// Evenly spaced sensors that look outwards; those that only feel have no beams.
template <class Ring>
void add_beams(const Transform2& world_from_robot, double kind, const Ring& ring, const std::vector<float>& ranges) {
  if constexpr (requires { ring.ring_radius + ring.max_range; }) {
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      const double bearing = ring.first_bearing + static_cast<double>(i) * kTwoPi / static_cast<double>(ranges.size());
      const Vec2 place = unit_vector(bearing) * ring.ring_radius;
      add_beam(world_from_robot, {kind, {place.x, place.y, bearing}, ranges[i], ring.max_range});
    }
  }
}

// The robot's own sensors, in a world without doors.
Result<void> prepare_sensors(ForerunModel& handle) {
  if (handle.sensors) return {};
  const sim::ModelBundle& bundle = handle.model->bundle;
  if (auto room = check_room("the sensors of " + bundle.robot.name, bytes_for_sensors(bundle.world, bundle.robot));
      !room) {
    return room.error();
  }
  handle.sensors.emplace(bundle.world, bundle.robot);
  handle.readings = sense::make_readings(bundle.robot);
  return {};
}

constexpr double kReach = 40;  // of beams, for what was seen [m]

// Doors as they stand at the beginning, or as was seen, and all else that was seen.
std::vector<world::Mover> movers_near(const ForerunModel& handle, Vec2 place, const sense::SeenWorld* seen,
                                      RobotTime now) {
  std::vector<world::Mover> movers;
  if (seen != nullptr) {
    const auto near = seen->movers(now, place, kReach);
    movers.assign(near.begin(), near.end());
  }
  if (seen != nullptr && seen->moves_doors()) return movers;
  for (const world::Door& door : handle.model->bundle.world.doors) {
    movers.push_back(world::make_leaf(door, door.open ? 1 : 0));
  }
  return movers;
}

void read_all(ForerunModel& handle, const Pose2& pose, std::span<const world::Mover> movers) {
  // always the same chance: a robot that stands still does not flicker
  Random random(1, 0);
  const sense::Scene scene{pose, movers};
  for (std::size_t i = 0; i < handle.readings.sensors.size(); ++i) {
    handle.sensors->read(i, scene, random, handle.readings.sensors[i]);
  }
}

}  // namespace

int32_t give_beams(ForerunModel& handle, const Pose2& pose, const sense::SeenWorld* seen, RobotTime now) {
  if (!is_place(pose.x, pose.y) || !std::isfinite(pose.theta)) {
    return refuse("the pose is none: it must consist of finite numbers");
  }
  if (auto ready = prepare_sensors(handle); !ready) return refuse(ready.error().message);
  const Pose2 upright{pose.x, pose.y, normalize_angle(pose.theta)};
  read_all(handle, upright, movers_near(handle, pose.position(), seen, now));
  give({});
  const Transform2 world_from_robot(upright);
  const auto& sensors = handle.model->bundle.robot.sensors;
  for (std::size_t i = 0; i < sensors.size(); ++i) {
    const auto add = [&](const auto& sensor) {
      add_beams(world_from_robot, static_cast<double>(sensors[i].index()), sensor, handle.readings.sensors[i].values);
    };
    std::visit(add, sensors[i]);
  }
  return static_cast<int32_t>(results().numbers.size() / FORERUN_BEAM_SIZE);
}

Result<void> prepare_plan(ForerunModel& handle) {
  if (handle.plan) return {};
  const navigate::PlanningModel& planning = handle.model->replica.planning;
  auto room = check_room("a plan in " + handle.model->bundle.world.name, bytes_for_goal_plan(planning.grid.frame(), 1));
  if (room) handle.plan.emplace(planning);
  return room;
}

}  // namespace forerun::wasm

using forerun::Vec2;
using forerun::wasm::give;
using forerun::wasm::is_place;
using forerun::wasm::refuse;
using forerun::wasm::results;

int32_t forerun_plan(ForerunModel* model) {
  const auto& clearance = model->model->replica.planning.clearance;
  const forerun::GridFrame& frame = clearance.frame();
  give({static_cast<double>(frame.width), static_cast<double>(frame.height), frame.cell_size, frame.origin.x,
        frame.origin.y});
  results().cells = clearance.data();
  return static_cast<int32_t>(clearance.size());
}

int32_t forerun_check_place(ForerunModel* model, double x, double y) {
  if (!is_place(x, y)) return refuse("the place is none: its coordinates must be numbers within 1000 km");
  const auto& m = *model->model;
  const auto place = forerun::navigate::check_place(m.replica.planning, m.bundle.robot, {x, y}, "the place");
  return place ? FORERUN_OK : refuse(place.error().message);
}

int32_t forerun_value_function(ForerunModel* model, double goal_x, double goal_y) {
  model->has_goal = false;
  if (const int32_t status = forerun_check_place(model, goal_x, goal_y); status < 0) return status;
  if (auto ready = forerun::wasm::prepare_plan(*model); !ready) return refuse(ready.error().message);
  model->has_goal = model->plan->lead_to({goal_x, goal_y});
  const auto& values = model->plan->values();
  const forerun::GridFrame& frame = values.frame();
  auto& cells = results().values;
  cells.resize(frame.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    cells[i] = static_cast<float>(values.value(frame.cell_at(i)) * frame.cell_size);
  }
  results().cells = cells.data();
  return static_cast<int32_t>(cells.size());
}

int32_t forerun_path_from(ForerunModel* model, double x, double y) {
  if (!model->has_goal) return refuse("there is no goal: ask for its value function first");
  if (!is_place(x, y)) return refuse("the place is none: its coordinates must be numbers within 1000 km");
  give({});
  const auto path = forerun::navigate::path_from(model->plan->values(), model->plan->grid(), {x, y});
  for (const Vec2 point : path) {
    results().numbers.push_back(point.x);
    results().numbers.push_back(point.y);
  }
  return static_cast<int32_t>(path.size());
}

int32_t forerun_beams(ForerunModel* model, double x, double y, double heading) {
  return forerun::wasm::give_beams(*model, {x, y, heading}, nullptr, {});
}
