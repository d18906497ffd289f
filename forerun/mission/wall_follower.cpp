#include "forerun/mission/wall_follower.hpp"

#include <algorithm>

#include "forerun/world/mover.hpp"

namespace forerun::mission {
namespace {

constexpr double kRoom = 5;        // [m]
constexpr double kWallHeight = 1;  // [m]
constexpr double kThick = 0.16;    // of the wall [m]

void add_quad(world::World& world, Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
  world.triangles.push_back({a, b, c, 0});
  world.triangles.push_back({a, c, d, 0});
}

}  // namespace

robot::Description make_wall_follower_robot() {
  robot::Description robot;
  robot.name = "wall follower";
  robot.height = 0.1;
  robot.footprint.radius = 0.17;
  robot.drive = robot::make_differential({.left_diameter = 0.072, .right_diameter = 0.072, .base = 0.26});
  robot.drive.ticks_per_turn = 508.8;
  robot.limits = {.max_speed = 0.3,
                  .max_turn_rate = 1.5,
                  .acceleration = 0.5,
                  .deceleration = 0.8,
                  .turn_acceleration = 3,
                  .turn_deceleration = 4};
  robot.control.period = 0.1;
  robot.control.margin = 0.02;
  robot.control.planning_margin = 0.02;
  robot.sensors.push_back(robot::InfraredRing{.count = 1,
                                              .ring_radius = 0.16,
                                              .height = 0.05,
                                              .first_bearing = -kPi / 2.3,
                                              .max_range = 0.8,
                                              .noise = 0.01,
                                              .rate_hz = 20});
  robot.sensors.push_back(robot::BumperRing{.count = 1, .reach = 0.005, .low = 0.02, .high = 0.09, .rate_hz = 50});
  return robot;
}

world::World make_right_angled_wall() {
  world::World world{.name = "right-angled wall", .materials = {world::Material{}}, .triangles = {}, .doors = {}};
  add_quad(world, {0, 0, 0}, {kRoom, 0, 0}, {kRoom, kRoom, 0}, {0, kRoom, 0});
  const Vec2 corners[5] = {{0, 0}, {kRoom, 0}, {kRoom, kRoom}, {0, kRoom}, {0, 0}};
  for (int i = 0; i < 4; ++i) {
    const Vec2 p = corners[i], q = corners[i + 1];
    add_quad(world, {p.x, p.y, 0}, {q.x, q.y, 0}, {q.x, q.y, kWallHeight}, {p.x, p.y, kWallHeight});
  }
  const auto add_wall = [&](Vec2 low, Vec2 high) {
    const Vec2 middle = (low + high) * 0.5;
    const world::Mover box = world::make_box({middle.x, middle.y, 0}, high - low, kWallHeight, 0);
    world::append_triangles(box, world.triangles);
  };
  add_wall({1.4, 3.3}, {3.5, 3.3 + kThick});
  add_wall({3.5 - kThick, 1.4}, {3.5, 3.3});
  return world;
}

bool can_follow_walls(const robot::Description& robot) noexcept {
  const auto has = [&](auto kind) {
    const auto* found = robot::find_sensor<decltype(kind)>(robot.sensors);
    return found != nullptr && found->count > 0;
  };
  return has(robot::InfraredRing{}) && has(robot::BumperRing{});
}

WallFollower::WallFollower(const robot::Description& robot, const Tuning& tuning) : tuning_(tuning) {
  for (std::size_t i = 0; i < robot.sensors.size(); ++i) {
    if (const auto* infrared = std::get_if<robot::InfraredRing>(&robot.sensors[i])) {
      infrared_ = i;
      max_range_ = infrared->max_range;
    }
    if (std::holds_alternative<robot::BumperRing>(robot.sensors[i])) bumper_ = i;
  }
}

navigate::Decision WallFollower::decide(const navigate::Percept& percept) noexcept {
  return {.command = drive(percept), .target = percept.pose.position(), .motion = navigate::Motion::forward};
}

robot::Twist WallFollower::drive(const navigate::Percept& percept) noexcept {
  const std::vector<float>& pressed = percept.readings.sensors[bumper_].values;
  if (phase_ == Phase::follow && std::any_of(pressed.begin(), pressed.end(), [](float p) { return p > 0; })) {
    phase_ = Phase::back;
    until_ = percept.time + from_seconds(tuning_.back_s);
  }
  if (phase_ == Phase::back && percept.time >= until_) {
    phase_ = Phase::turn;
    until_ = percept.time + from_seconds(tuning_.turn_s);
  }
  if (phase_ == Phase::turn && percept.time >= until_) phase_ = Phase::follow;
  if (phase_ == Phase::back) return {-tuning_.speed, 0, 0};
  if (phase_ == Phase::turn) return {0, 0, tuning_.most_turn};
  // where no wall is seen it is as far away as the sensor reaches
  const double measured = std::min(static_cast<double>(percept.readings.sensors[infrared_].values[0]), max_range_);
  const double turn = -tuning_.gain * (measured - tuning_.wall_m);
  return {tuning_.speed, 0, clamp(turn, -tuning_.most_turn, tuning_.most_turn)};
}

}  // namespace forerun::mission
