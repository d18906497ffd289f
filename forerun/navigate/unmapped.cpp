#include "forerun/navigate/unmapped.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "forerun/base/four.hpp"
#include "forerun/robot/arc.hpp"
#include "forerun/robot/motors.hpp"

namespace forerun::navigate {
namespace {

constexpr double kOffMap = 0.3;         // what is seen so far from everything on the map is not on it [m], …
constexpr double kHeadingError = 0.03;  // … and with this much more for each metre of range [rad]
constexpr double kFarthest = 4.0;       // unmapped things farther off do not matter yet [m]
constexpr double kSameThing = 0.3;      // neighbouring points nearer than this belong together [m]
constexpr double kSameTrack = 0.5;      // between two scans nothing goes farther [m]
constexpr double kForget = 0.6;         // what was not seen for longer is gone [s]
constexpr double kTrust = 0.5;          // share of a new position that is taken over …
constexpr double kTrustSpeed = 0.25;    // … and of the velocity that it shows
constexpr double kFastest = 1.6;        // nobody in a building walks faster [m/s]
constexpr double kStill = 0.15;         // slower than this is standing: the rest is noise [m/s]

constexpr double kMargin = 0.045;      // left around the footprint [m]
constexpr double kKnownMargin = 0.02;  // likewise, to walls that are seen [m]
constexpr double kWallsWithin = 1.2;   // of the robot's middle [m]
constexpr double kMapMargin = 0.07;  // likewise, to what is on the map, as well as the robot knows where it is [m], …
constexpr double kNearer = 0.02;     // … and only where that leads nearer by this much [m]
constexpr double kStands = 0.02;     // slower than this the robot stands [m/s]
constexpr double kDoubt = 0.3;       // velocities of what moves are wrong by this much [m/s]
constexpr double kOwnWay = 0.6;      // after this time people have seen the robot, and mind themselves [s]
constexpr double kRollStep = 0.05;   // [s]
constexpr int kMaxRollSteps = 60;
constexpr double kRounding = 1e-9;    // [m]
constexpr double kBrakeShare = 0.85;  // of the braking limit, as the dynamic window counts on it

// Points around the robot, laid out so that four are looked at together.
class PointsAround {
 public:
  explicit PointsAround(std::span<const UnmappedThing> points) noexcept
      : points_(points.first(std::min(points.size(), UnmappedThings::kMost))) {
    std::size_t n = 0;
    for (const UnmappedThing& s : points_) {
      x_[n] = static_cast<float>(s.point_in_robot.x);
      y_[n] = static_cast<float>(s.point_in_robot.y);
      if (s.velocity_in_robot != Vec2{}) moving_[n_moving_++] = static_cast<std::uint16_t>(n);
      ++n;
    }
    for (; n % 4 != 0; ++n) x_[n] = y_[n] = 1e9F;
  }
  // Whether `is_it(point)` of any that stands within `reach` now.
  template <class IsIt>
  [[nodiscard]] bool any_within(double reach, Vec2 place, IsIt&& is_it) const noexcept {
    constexpr double kShort = 1e-3;  // what short numbers cannot tell apart [m]
    const Four reach2 = all_four(square(reach + kShort)), at_x = all_four(place.x), at_y = all_four(place.y);
    for (std::size_t i = 0; i < points_.size(); i += 4) {
      const Four dx = load_four(&x_[i]) - at_x, dy = load_four(&y_[i]) - at_y;
      if (!any_of_four(dx * dx + dy * dy <= reach2)) continue;
      for (std::size_t k = i; k < std::min(i + 4, points_.size()); ++k) {
        if (is_it(points_[k])) return true;
      }
    }
    return false;
  }
  // Whether `is_it(point)` of any that moves.
  template <class IsIt>
  [[nodiscard]] bool any_moving(IsIt&& is_it) const noexcept {
    return std::any_of(moving_.begin(), moving_.begin() + n_moving_, [&](std::size_t i) { return is_it(points_[i]); });
  }

 private:
  static_assert(UnmappedThings::kMost % 4 == 0);
  std::span<const UnmappedThing> points_;
  std::array<float, UnmappedThings::kMost> x_, y_;
  std::array<std::uint16_t, UnmappedThings::kMost> moving_;
  std::ptrdiff_t n_moving_ = 0;
};

// Where the robot comes to, and what it meets there.
class Rollout {
 public:
  Rollout(const robot::Description& robot, const Going& going) noexcept : robot_(robot), going_(going) {
    limits_.deceleration *= kBrakeShare;
    share_ = robot::lag_share(robot.control.motor_lag, kRollStep);
    // what was commanded last is still on its way through the motors
    motors_.velocity = going.velocity;
    motors_.ramped = robot::approach(going.velocity, going.commanded, limits_, robot.control.motor_lag);
  }
  // False where the robot would touch something before it stands.
  [[nodiscard]] bool is_safe(const robot::Twist& command, const PointsAround& unmapped) noexcept {
    const int n_commanded = static_cast<int>(robot_.control.period / kRollStep) + 1;
    for (int i = 1; i <= kMaxRollSteps; ++i) {
      motors_.step(i <= n_commanded ? command : robot::Twist{}, limits_, kRollStep, share_);
      pose_ = robot::move(pose_, motors_.velocity, kRollStep);
      if (touches(i * kRollStep, unmapped) || touches_known()) return false;
      if (i > n_commanded && length(Vec2{motors_.velocity.vx, motors_.velocity.vy}) < kStands) break;
    }
    return true;
  }

 private:
  [[nodiscard]] bool touches(double time, const PointsAround& unmapped) const noexcept {
    const Transform2 start_from_robot(pose_);
    const double t = std::min(time, kOwnWay), reach = robot_.footprint.radius + std::max(kMargin, kKnownMargin);
    const auto margin = [](const UnmappedThing& s) { return s.known ? kKnownMargin : kMargin; };
    return unmapped.any_within(reach, pose_.position(), [&](const UnmappedThing& s) {
      return comes_near(start_from_robot, s, s.point_in_robot, margin(s));
    }) || unmapped.any_moving([&](const UnmappedThing& s) {
      return comes_near(start_from_robot, s, s.point_in_robot + s.velocity_in_robot * t, margin(s) + kDoubt * t);
    });
  }

  // What is already nearer must not come nearer still.
  [[nodiscard]] bool comes_near(const Transform2& start_from_robot, const UnmappedThing& s, Vec2 place,
                                double room) const noexcept {
    const Vec2 off = place - start_from_robot.translation;
    if (dot(off, off) > square(robot_.footprint.radius + room + kRounding)) return false;
    const Vec2 there = start_from_robot.to_local(place);
    const double now = robot::distance_to(robot_.footprint, s.point_in_robot);
    return robot::distance_to(robot_.footprint, there) < std::min(room, now - (s.known ? kNearer : 1e-3));
  }
  // A wall that no beam shows, but the map does.
  [[nodiscard]] bool touches_known() const noexcept {
    if (going_.map == nullptr) return false;
    const double room = room_on_map(pose_.position());
    return room < robot_.footprint.radius + kMapMargin && room < room_on_map({}) - kNearer;
  }
  [[nodiscard]] double room_on_map(Vec2 in_robot) const noexcept {
    const Cell cell = going_.map->clearance.frame().cell_of(going_.world_from_robot * in_robot);
    return going_.map->clearance.frame().contains(cell) ? static_cast<double>(going_.map->clearance[cell]) : 0;
  }

  const robot::Description& robot_;
  const Going& going_;
  robot::Limits limits_{robot_.limits};
  double share_ = 1;
  robot::Motors motors_;
  Pose2 pose_;
};

// Says of four beams at a time which may show something that is on no map.
class Sieve {
 public:
  Sieve(const BeamDirections* directions, std::span<const float> ranges, const RoomyBlocks& map,
        const Transform2& world_from_robot, const Transform2& robot_from_laser) noexcept
      : directions_(directions), ranges_(ranges), map_(map) {
    Transform2 world_from_laser;
    world_from_laser.translation = world_from_robot * robot_from_laser.translation;
    const Vec2 ahead = world_from_robot.rotate({robot_from_laser.rotation.cos, robot_from_laser.rotation.sin});
    world_from_laser.rotation = {ahead.y, ahead.x};
    look_ = map.look_from(world_from_laser);
  }
  [[nodiscard]] std::uint32_t next_four(std::size_t beam) const noexcept {
    constexpr RoomyBlocks::Doubt kDoubtful{static_cast<float>(kOffMap), static_cast<float>(kHeadingError),
                                           static_cast<float>(kFarthest)};
    if (directions_ == nullptr || beam + 4 > ranges_.size()) return 0xf;
    return map_.roomy(look_, &directions_->x[beam], &directions_->y[beam], &ranges_[beam], kDoubtful);
  }

 private:
  const BeamDirections* directions_;
  std::span<const float> ranges_;
  const RoomyBlocks& map_;
  RoomyBlocks::Look look_;
};

}  // namespace

bool is_off_map(const PlanningModel& model, Vec2 point_in_world, double error) noexcept {
  const Cell cell = model.clearance.frame().cell_of(point_in_world);
  return model.clearance.frame().contains(cell) && static_cast<double>(model.clearance[cell]) > error;
}

void UnmappedThings::forget() noexcept {
  seen_.clear();
  tracks_.clear();
}

void UnmappedThings::include_near(const ObstacleField& obstacles) noexcept {
  if (seen_.empty()) return;
  for (const Obstacle& o : obstacles.nearest_first()) {
    if (o.range > kWallsWithin || !seen_.push_back({o.point_in_robot, {}, true})) break;
  }
}

double UnmappedThings::nearest() const noexcept {
  double nearest = kInfinity;
  for (const UnmappedThing& s : seen_) nearest = s.known ? nearest : std::min(nearest, length(s.point_in_robot));
  return nearest;
}

void UnmappedThings::update(const robot::Description& robot, const PlanningModel& model,
                            const sense::Readings& readings, const Pose2& odometry, const Transform2& world_from_robot,
                            std::span<const BeamDirections> directions) noexcept {
  seen_.clear();
  for (std::size_t i = 0; i < readings.sensors.size(); ++i) {
    const auto* laser = std::get_if<robot::Laser>(&robot.sensors[i]);
    if (laser == nullptr) continue;
    look({*laser, readings.sensors[i], i < directions.size() ? &directions[i] : nullptr}, model, odometry,
         world_from_robot);
  }
}

void UnmappedThings::include(std::span<const Vec2> points_in_robot) noexcept {
  for (const Vec2 p : points_in_robot) seen_.push_back({p, {}});
}

void UnmappedThings::look(const Scan& looked, const PlanningModel& model, const Pose2& odometry,
                          const Transform2& world_from_robot) noexcept {
  const robot::Laser& laser = looked.laser;
  const sense::Reading& scan = looked.reading;
  const Transform2 robot_from_laser(inverse(odometry) * scan.odometry * laser.mount), odometry_from_robot(odometry);
  const Sieve sieve(looked.directions, scan.values, model.roomy, world_from_robot, robot_from_laser);
  Cluster cluster{.sum = {}, .first = seen_.size()};
  Vec2 last;
  std::uint32_t worth_a_look = 0;  // of four beams
  for (std::size_t b = 0; b < scan.values.size(); ++b) {
    if (b % 4 == 0) worth_a_look = sieve.next_four(b);
    if ((worth_a_look >> (b % 4) & 1) == 0) continue;
    const double range = static_cast<double>(scan.values[b]);
    if (!(range > 0 && range < kFarthest)) continue;
    const Vec2 direction = looked.directions != nullptr ? looked.directions->exact[b] : unit_vector(bearing(laser, b));
    const Vec2 p = robot_from_laser * (direction * range);
    if (!is_off_map(model, world_from_robot * p, kOffMap + kHeadingError * range)) continue;
    if (cluster.n > 0 && distance(p, last) > kSameThing) {
      close(cluster, scan.time, odometry_from_robot);
      cluster = {.sum = {}, .first = seen_.size()};
    }
    if (!seen_.push_back({p, {}})) break;
    last = p;
    cluster.sum = cluster.sum + odometry_from_robot * p;
    ++cluster.n;
  }
  close(cluster, scan.time, odometry_from_robot);
}

// All points of a thing move as it does.
void UnmappedThings::close(const Cluster& cluster, RobotTime time, const Transform2& odometry_from_robot) noexcept {
  if (cluster.n == 0) return;
  const Vec2 moved = follow(cluster.middle(), time);
  const Vec2 velocity = odometry_from_robot.to_local(odometry_from_robot.translation + moved);
  for (std::size_t i = cluster.first; i < cluster.first + cluster.n; ++i) seen_[i].velocity_in_robot = velocity;
}

// The velocity of the thing whose middle is there now.
Vec2 UnmappedThings::follow(Vec2 middle, RobotTime time) noexcept {
  Track* nearest = nullptr;
  Track* oldest = nullptr;
  double least = kSameTrack;
  for (Track& track : tracks_) {
    if (oldest == nullptr || track.time < oldest->time) oldest = &track;
    const double age = to_seconds(time - track.time);
    const double off = distance(track.position + track.velocity * age, middle);
    if (age > kForget || off >= least) continue;
    least = off;
    nearest = &track;
  }
  if (nearest == nullptr) {
    if (!tracks_.push_back({middle, {}, time})) *oldest = {middle, {}, time};
    return {};
  }
  const double age = to_seconds(time - nearest->time);
  if (age > 0) {
    const Vec2 expected = nearest->position + nearest->velocity * age, surprise = middle - expected;
    nearest->position = expected + surprise * kTrust;
    nearest->velocity = nearest->velocity + surprise * (kTrustSpeed / std::max(age, 0.05));
    const double speed = length(nearest->velocity);
    if (speed > kFastest) nearest->velocity = nearest->velocity * (kFastest / speed);
    nearest->time = time;
  }
  return length(nearest->velocity) < kStill ? Vec2{} : nearest->velocity;
}

robot::Twist safe_command(const robot::Description& robot, const Going& going, const robot::Twist& command,
                          std::span<const UnmappedThing> unmapped) noexcept {
  if ((unmapped.empty() && going.map == nullptr) || command == robot::Twist{}) return command;
  const PointsAround around(unmapped);
  for (const double share : {1.0, 0.75, 0.5, 0.25}) {
    const robot::Twist slower{command.vx * share, command.vy * share, command.w * share};
    if (Rollout(robot, going).is_safe(slower, around)) return slower;
  }
  // turning on the spot harms nobody
  const bool stands = length(Vec2{going.velocity.vx, going.velocity.vy}) < kStands;
  if (stands && command.vx == 0 && robot.footprint.is_disc()) return command;
  // brake, and turn away from what is in the way if need be
  const double turn = 0.5 * robot.limits.max_turn_rate;
  for (const double w : {0.0, command.w, turn, -turn}) {
    const robot::Twist brake = robot::within_steering(robot.drive, {0, 0, w});
    if (!stands && Rollout(robot, going).is_safe(brake, around)) return brake;
  }
  return {};
}

}  // namespace forerun::navigate
