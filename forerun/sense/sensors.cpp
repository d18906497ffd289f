#include "forerun/sense/sensors.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "forerun/sense/contact.hpp"
#include "forerun/sense/reflection.hpp"

namespace forerun::sense {
namespace {

using world::Hit;
using world::Mover;
using world::Ray;

constexpr double kReachSlack = 1e-3;  // what is left out must be out of reach after rounding too [m]

struct RangeLimits {
  double min, max, noise;
};

// A measured distance as the sensor reports it (REP-117).
float report_range(double distance, const RangeLimits& limits, Random& random) noexcept {
  if (!(distance <= limits.max)) return static_cast<float>(kInfinity);
  // what measures exactly draws nothing, so that who sees more leaves the same chance to others
  const double measured = limits.noise > 0 ? distance + limits.noise * random.normal() : distance;
  if (measured < limits.min) return -static_cast<float>(kInfinity);
  return static_cast<float>(std::min(measured, limits.max));
}

bool is_within(const Mover& mover, Vec2 center, double reach) noexcept {
  const double limit = reach + mover.radius;
  const Vec2 d = mover.pose.position() - center;
  return dot(d, d) <= limit * limit;
}

// Shortens the beams that look towards the mover.
void cast_fan_on(const Mover& mover, const world::Fan& fan, double height, std::span<double> distances) noexcept {
  const Vec2 to_mover = mover.pose.position() - fan.origin;
  const double d2 = dot(to_mover, to_mover), r2 = mover.radius * mover.radius;
  // half the angle under which the mover appears; all around where the sensor is within its circle
  const double half = d2 > r2 ? atan2(mover.radius, sqrt(d2 - r2)) : kPi;
  const double first_off = normalize_angle(angle_of(to_mover) - half - fan.first_angle);
  const double nearest = sqrt(d2) - mover.radius - kReachSlack;
  const auto cast = [&](std::size_t b) {
    if (distances[b] < nearest) return;  // stopped before
    double off = static_cast<double>(b) * fan.angle_step - first_off;
    off -= off < 0 ? -kTwoPi : (off >= kTwoPi ? kTwoPi : 0);
    if (off > 2 * half + 1e-9 && off < kTwoPi - 1e-9) return;
    const Vec2 direction = unit_vector(fan.first_angle + static_cast<double>(b) * fan.angle_step);
    const Ray ray{{fan.origin.x, fan.origin.y, height}, {direction.x, direction.y, 0}, fan.max_distance};
    Hit hit{.distance = distances[b]};
    cast_on(mover, ray, hit);
    distances[b] = hit.distance;
  };
  // a beam more on either side, because these are rounded; a scan goes once around at most
  const auto beam_at = [&](double angle) {
    return static_cast<std::size_t>(clamp(angle / fan.angle_step, 0.0, static_cast<double>(distances.size())));
  };
  std::size_t done = 0;
  for (const double begin : {first_off - kTwoPi, first_off, first_off + kTwoPi}) {
    const std::size_t end = std::min(beam_at(begin + 2 * half) + 2, distances.size());
    for (std::size_t b = std::max(done, beam_at(begin) - (beam_at(begin) > 0 ? 1 : 0)); b < end; ++b) cast(b);
    done = std::max(done, end);
  }
}

// Whether rays of a level cone may meet the mover. `half`: of the cone's angle.
bool is_in_cone(const Mover& mover, Vec2 apex, Vec2 axis, const SinCos& half) noexcept {
  const Vec2 d = mover.pose.position() - apex;
  const double radius = mover.radius + kReachSlack;
  const double ahead = dot(axis, d), aside = std::fabs(cross(axis, d));
  // the second: how far beyond the side of the cone
  return ahead >= -radius && aside * half.cos - ahead * half.sin <= radius;
}

Vec3 rotate(const Transform2& t, Vec3 v) noexcept {
  const Vec2 p = t.rotate({v.x, v.y});
  return {p.x, p.y, v.z};
}

// Angle of incidence against the reversed ray.
double incidence(const Hit& hit, Vec3 direction) noexcept {
  const double c = clamp(-dot(hit.normal, direction), -1.0, 1.0);
  return atan2(sqrt(1 - c * c), c);
}

world::Fan fan_of(const robot::Laser& laser, const Scene& scene) noexcept {
  const Pose2 world_from_laser = scene.pose * laser.mount;
  world::Fan fan{.origin = world_from_laser.position(), .max_distance = laser.max_range};
  fan.max_distance = std::min(laser.max_range, scene.reach + length(laser.mount.position()) + kReachSlack);
  fan.angle_step = laser.beams > 1 ? laser.field_of_view / (laser.beams - 1) : 0;
  fan.first_angle = world_from_laser.theta - (laser.beams > 1 ? 0.5 * laser.field_of_view : 0);
  return fan;
}

LaserView prepare(const world::World& world, const robot::Laser& laser) {
  return {laser, world::Slice(world, laser.height)};
}

SonarView prepare(const world::World&, const robot::SonarRing& ring) {
  SonarView view{ring, {}, sincos(0.5 * ring.cone_angle)};
  const std::vector<Vec3> cone = cone_directions(ring.cone_angle, ring.rays);
  for (int sonar = 0; sonar < ring.count; ++sonar) {
    const Transform2 robot_from_sonar(Pose2{0, 0, ring.first_bearing + sonar * kTwoPi / ring.count});
    const Vec2 origin = robot_from_sonar.rotate({ring.ring_radius, 0});
    for (const Vec3& direction : cone) {
      view.cone_rays.push_back({{origin.x, origin.y, ring.height}, rotate(robot_from_sonar, direction)});
    }
  }
  return view;
}

InfraredView prepare(const world::World& world, const robot::InfraredRing& ring) {
  InfraredView view{ring, world::Slice(world, ring.height), {}};
  for (int i = 0; i < ring.count; ++i) {
    view.directions_in_robot.push_back(unit_vector(ring.first_bearing + i * kTwoPi / ring.count));
  }
  return view;
}

BumperView prepare(const world::World& world, const robot::BumperRing& ring) {
  return {ring, world::Outline(world, {ring.low, ring.high})};
}

// What a reading says where nothing is.
float nothing_seen(const robot::Sensor& sensor) noexcept {
  return std::holds_alternative<robot::BumperRing>(sensor) ? 0 : static_cast<float>(kInfinity);
}

}  // namespace

Readings make_readings(const robot::Description& robot) {
  Readings readings;
  for (const robot::Sensor& sensor : robot.sensors) {
    readings.sensors.emplace_back().values.assign(static_cast<std::size_t>(reading_size(sensor)), nothing_seen(sensor));
  }
  return readings;
}

std::vector<Vec3> cone_directions(double cone_angle, int rays) {
  constexpr double kGoldenAngle = 2.39996322972865332;  // spreads points evenly over a disc
  std::vector<Vec3> directions;
  for (int i = 0; i < rays; ++i) {
    const double off_axis = i == 0 ? 0 : 0.5 * cone_angle * sqrt(static_cast<double>(i) / (rays - 1));
    const SinCos tilt = sincos(off_axis), around = sincos(i * kGoldenAngle);
    directions.push_back({tilt.cos, tilt.sin * around.cos, tilt.sin * around.sin});
  }
  return directions;
}

Sensors::Sensors(const world::World& world, const robot::Description& robot)
    : footprint_(robot.footprint), materials_(world.materials), rays_(world) {
  for (const robot::Sensor& sensor : robot.sensors) {
    std::visit([&](const auto& kind) { views_.emplace_back(prepare(world, kind)); }, sensor);
  }
}

void Sensors::read(std::size_t i, const Scene& scene, Random& random, Reading& reading) const noexcept {
  std::visit([&](const auto& view) { read(view, scene, random, reading.values); }, views_[i]);
}

void Sensors::read(const LaserView& view, const Scene& scene, Random& random, std::span<float> values) const noexcept {
  const robot::Laser& laser = view.laser;
  const world::Fan fan = fan_of(laser, scene);
  std::array<double, robot::kMaxBeams> distances;
  const std::span<double> beams(distances.data(), static_cast<std::size_t>(laser.beams));
  view.slice.cast_fan(fan, beams);

  for (const Mover& mover : scene.movers) {
    if (is_within(mover, fan.origin, fan.max_distance)) cast_fan_on(mover, fan, laser.height, beams);
  }
  for (std::size_t b = 0; b < beams.size(); ++b) {
    values[b] = report_range(beams[b], {laser.min_range, laser.max_range, laser.noise}, random);
  }
}

void Sensors::add_movers(std::size_t i, const Scene& scene, Reading& reading) const noexcept {
  const auto* view = std::get_if<LaserView>(&views_[i]);
  if (view == nullptr || scene.movers.empty()) return;
  const robot::Laser& laser = view->laser;
  const world::Fan fan = fan_of(laser, scene);
  std::array<double, robot::kMaxBeams> distances;
  const std::span<double> beams(distances.data(), reading.values.size());
  std::copy(reading.values.begin(), reading.values.end(), beams.begin());
  for (const Mover& mover : scene.movers) {
    if (is_within(mover, fan.origin, fan.max_distance)) cast_fan_on(mover, fan, laser.height, beams);
  }
  Random unused(0);
  for (std::size_t b = 0; b < beams.size(); ++b) {
    if (beams[b] < static_cast<double>(reading.values[b]))
      reading.values[b] = report_range(beams[b], {laser.min_range, laser.max_range, 0}, unused);
  }
}

// The nearest ray of the cone that comes back.
double Sensors::echo(const SonarView& view, std::size_t sonar, const Transform2& world_from_robot, const Scene& scene,
                     Random& random) const noexcept {
  const robot::SonarRing& ring = view.ring;
  const std::size_t first = sonar * static_cast<std::size_t>(ring.rays);
  const Vec2 center = world_from_robot * plan_view(view.cone_rays[first].origin_in_robot);
  const Vec3 origin{center.x, center.y, view.cone_rays[first].origin_in_robot.z};
  const auto n_rays = static_cast<std::size_t>(ring.rays);
  std::array<Vec3, robot::kMaxConeRays> directions;
  std::array<Hit, robot::kMaxConeRays> hits;
  for (std::size_t k = 0; k < n_rays; ++k)
    directions[k] = rotate(world_from_robot, view.cone_rays[first + k].direction_in_robot);
  rays_.cast_cone(origin, {directions.data(), n_rays}, ring.max_range, {hits.data(), n_rays});
  // the axis comes first, and is level
  for (const Mover& mover : scene.movers) {
    if (!is_within(mover, center, ring.max_range)) continue;
    if (!is_in_cone(mover, center, plan_view(directions[0]), view.half_cone)) continue;
    for (std::size_t k = 0; k < n_rays; ++k) cast_on(mover, {origin, directions[k], ring.max_range}, hits[k]);
  }

  double nearest = ring.max_range;
  bool heard = false;
  for (std::size_t k = 0; k < n_rays; ++k) {
    const Hit& hit = hits[k];
    // only what is nearer than the echo already heard can matter
    if (!(hit.distance <= nearest)) continue;
    const world::Material& material = materials_[static_cast<std::size_t>(hit.material)];
    const double lost = reflection_probability(material, incidence(hit, directions[k]), hit.distance);
    if (lost >= 1 || (lost > 0 && random.uniform() < lost)) continue;
    nearest = hit.distance;
    heard = true;
  }
  return heard ? nearest : kInfinity;
}

void Sensors::read(const SonarView& view, const Scene& scene, Random& random, std::span<float> values) const noexcept {
  const robot::SonarRing& ring = view.ring;
  const Transform2 world_from_robot(scene.pose);
  for (std::size_t i = 0; i < static_cast<std::size_t>(ring.count); ++i) {
    const double distance = echo(view, i, world_from_robot, scene, random);
    values[i] = report_range(distance, {ring.min_range, ring.max_range, ring.noise}, random);
  }
}

void Sensors::read(const InfraredView& view, const Scene& scene, Random& random,
                   std::span<float> values) const noexcept {
  const robot::InfraredRing& ring = view.ring;
  const Transform2 world_from_robot(scene.pose);
  const double reach = ring.ring_radius + ring.max_range + kReachSlack;
  const bool alone = std::none_of(scene.movers.begin(), scene.movers.end(), [&](const Mover& mover) {
    return is_within(mover, world_from_robot.translation, reach);
  });
  for (std::size_t i = 0; i < view.directions_in_robot.size(); ++i) {
    const Vec2 in_robot = view.directions_in_robot[i];
    const Vec2 origin = world_from_robot * (in_robot * ring.ring_radius);
    const Vec2 direction = world_from_robot.rotate(in_robot);
    Hit hit = view.slice.cast(origin, direction, ring.max_range);
    const Ray ray{{origin.x, origin.y, ring.height}, {direction.x, direction.y, 0}, ring.max_range};
    for (const Mover& mover : alone ? std::span<const Mover>{} : scene.movers) cast_on(mover, ray, hit);
    values[i] = report_range(hit.distance, {0, ring.max_range, ring.noise}, random);
  }
}

void Sensors::read(const BumperView& view, const Scene& scene, Random&, std::span<float> values) const noexcept {
  const int count = view.ring.count;
  if (count == 0) return;
  std::fill(values.begin(), values.end(), 0.0F);
  const auto press = [&](Vec2 in_robot) {
    const int sector = static_cast<int>(std::floor(angle_of(in_robot) / kTwoPi * count + 0.5));
    values[static_cast<std::size_t>((sector + count) % count)] = 1;
  };
  for_each_contact({footprint_, scene.pose, view.ring.reach}, view.outline, scene.movers, press);
}

}  // namespace forerun::sense
