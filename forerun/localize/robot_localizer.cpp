#include "forerun/localize/robot_localizer.hpp"

#include <algorithm>
#include <cmath>

#include "forerun/localize/world_map.hpp"

namespace forerun::localize {
namespace {

constexpr double kCell = 0.05;        // of the map [m]
constexpr double kStartSigma = 0.05;  // it is put there by hand [m]
constexpr double kStartTurn = 0.02;   // [rad]
constexpr double kSonarSigma = 0.15;  // of an echo [m]
constexpr double kSonarOutliers = 0.3;
constexpr double kSonarEchoes = 8;     // as many independent ones
constexpr double kSameHeight = 0.1;    // what others of them see is on the map as well [m]
constexpr std::size_t kPerLaser = 60;  // echoes

// The first laser's height, or the sonars' [m].
double height_of(const robot::Sensor& sensor) noexcept {
  const auto* laser = std::get_if<robot::Laser>(&sensor);
  const auto* ring = std::get_if<robot::SonarRing>(&sensor);
  return laser != nullptr ? laser->height : ring != nullptr ? ring->height : 0;
}

// Half of a cone's rim is as far to the side as its echo may have come from.
void add_sonar_echoes(const robot::SonarRing& ring, std::span<const float> ranges, Echoes& echoes) noexcept {
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const auto range = static_cast<double>(ranges[i]);
    if (!(range > ring.min_range && range < ring.max_range)) continue;
    const Vec2 ahead = unit_vector(ring.first_bearing + kTwoPi * static_cast<double>(i) / ring.count);
    const Vec2 from = ahead * ring.ring_radius;
    const double aside = range * sin(0.35 * ring.cone_angle);
    echoes.push_back({from, from + ahead * range, Vec2{-ahead.y, ahead.x} * aside});
  }
}

}  // namespace

Result<std::unique_ptr<RobotLocalizer>> RobotLocalizer::make(const world::World& world, const robot::Description& robot,
                                                             const Pose2& start, std::uint64_t seed,
                                                             const LocalizeParams& params) {
  const auto sees = [](const robot::Sensor& s) {
    return std::holds_alternative<robot::Laser>(s) ||
           (std::holds_alternative<robot::SonarRing>(s) && robot::reading_size(s) > 0);
  };
  // lasers stand before sonars in the list of kinds, and see more
  const robot::Sensor* eye = nullptr;
  for (const robot::Sensor& sensor : robot.sensors) {
    if (sees(sensor) && (eye == nullptr || sensor.index() < eye->index())) eye = &sensor;
  }
  if (eye == nullptr) return Error{robot.name + " has neither a laser nor sonars, but localization needs some"};
  if (world.terrain.is_rough()) {
    return Error{world.name +
                 " has rough ground, but localization needs a level floor: a tilted laser sees other walls"};
  }
  const OccupancyMap map = map_of_world(world, height_of(*eye), kCell);
  const auto has = [&](Occupancy kind) {
    return std::find(map.data(), map.data() + map.size(), kind) != map.data() + map.size();
  };
  if (!has(Occupancy::free) || !has(Occupancy::occupied)) {
    return Error{world.name + " has no walls to localize by at the height of the robot's sensors"};
  }
  LocalizeParams fitting = params;
  if (std::holds_alternative<robot::SonarRing>(*eye)) {
    // wide cones, few of them, and many echoes that come by way of another wall
    fitting.echo_sigma_m = std::max(params.echo_sigma_m, kSonarSigma);
    fitting.outlier_share = std::max(params.outlier_share, kSonarOutliers);
    fitting.independent_echoes = std::min(params.independent_echoes, kSonarEchoes);
  }
  std::unique_ptr<RobotLocalizer> made(new RobotLocalizer(map, fitting, seed));
  for (std::size_t i = 0; i < robot.sensors.size(); ++i) {
    const robot::Sensor& sensor = robot.sensors[i];
    const bool same = sensor.index() == eye->index() && std::fabs(height_of(sensor) - height_of(*eye)) <= kSameHeight;
    if (same) made->eyes_.push_back({i, sensor});
  }
  made->filter_.start_at(start, kStartSigma, kStartTurn);
  return made;
}

std::optional<robot::PoseError> RobotLocalizer::error() const noexcept {
  const Matrix<3, 3>& c = filter_.belief().covariance;
  const double x = sqrt(c(0, 0)), y = sqrt(c(1, 1));
  const double correlation = x * y > 0 ? clamp(c(0, 1) / (x * y), -1.0, 1.0) : 0;
  return robot::PoseError{x, y, correlation, sqrt(c(2, 2))};
}

void RobotLocalizer::add_reading(const robot::Sensor& sensor, const sense::Reading& reading) noexcept {
  if (const auto* laser = std::get_if<robot::Laser>(&sensor)) {
    const double step = laser->beams > 1 ? laser->field_of_view / (laser->beams - 1) : 0;
    add_echoes({laser->mount, -laser->field_of_view / 2, step, laser->min_range, laser->max_range, reading.values},
               kPerLaser, echoes_);
  } else if (const auto* ring = std::get_if<robot::SonarRing>(&sensor)) {
    add_sonar_echoes(*ring, reading.values, echoes_);
  }
}

void RobotLocalizer::observe(const navigate::Observation& observation) noexcept {
  odometry_ = observation.odometry;
  const auto& readings = observation.readings.sensors;
  const sense::Reading* newest = nullptr;
  for (const Eye& eye : eyes_) {
    const sense::Reading& reading = readings[eye.number];
    if (reading.time > newest_ && (newest == nullptr || reading.time > newest->time)) newest = &reading;
  }
  if (newest == nullptr) return;
  newest_ = newest->time;
  echoes_.clear();
  for (const Eye& eye : eyes_) {
    if (readings[eye.number].time == newest_) add_reading(eye.sensor, readings[eye.number]);
  }
  filter_.update(newest->odometry, echoes_);
}

}  // namespace forerun::localize
