#include "forerun/study/sensitivity_study.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "forerun/base/random.hpp"
#include "forerun/estimate/wheel_motion.hpp"
#include "forerun/geom/box.hpp"

namespace forerun::study {
namespace {

constexpr robot::DifferentialGeometry kWheels{0.0464, 0.0464, 0.26};  // the paper's robot
constexpr double kStep = 0.02;                                        // [s]
constexpr double kSpeed = 0.2;                                        // [m/s]
constexpr double kDistance = 0.4;                                     // kept to the wall [m]
constexpr double kGain = 2.5;                                         // of the proportional wall follower [rad/s per m]
constexpr double kTurnRate = 0.8;                                     // at most [rad/s]
constexpr double kSensorNoise = 0.02;                                 // of the range sensor [m]
constexpr double kSensorAngle = -kPi / 4;                             // it looks ahead to the right [rad]
constexpr double kSensorReach = 1.0;                                  // [m]
const std::vector<Vec2> kWall{{-2.5, 0}, {0, 0}, {0, -2.5}};          // the robot goes round its corner

// How far the sensor sees: the wall, or nothing.
double look(const Pose2& pose) {
  const SinCos ray = sincos(pose.theta + kSensorAngle);
  double nearest = kSensorReach;
  for (std::size_t i = 0; i + 1 < kWall.size(); ++i) {
    const Vec2 along = kWall[i + 1] - kWall[i], to = kWall[i] - pose.position();
    const double denominator = ray.cos * along.y - ray.sin * along.x;
    if (std::fabs(denominator) < 1e-9) continue;
    const double distance = (to.x * along.y - to.y * along.x) / denominator;
    const double share = (to.x * ray.sin - to.y * ray.cos) / denominator;
    if (distance > 0 && share >= 0 && share <= 1) nearest = std::min(nearest, distance);
  }
  return nearest;
}

struct Driven {
  std::vector<estimate::WheelTurns> turns;
  std::vector<Vec2> way;
  Pose2 start;
};

// Until it comes to the wall's second end.
Driven follow_wall(Random& random) {
  Driven driven{.start = {kWall[0].x, kDistance, 0}};
  Pose2 pose = driven.start;
  driven.way.push_back(pose.position());
  // what the sensor sees of the wall when the robot is at its distance and drives along
  const double wanted = kDistance / sin(-kSensorAngle);
  while (pose.y > kWall[2].y + kDistance && driven.turns.size() < 10000) {
    const double off = wanted - (look(pose) + kSensorNoise * random.normal());
    const double turn_rate = std::clamp(kGain * off, -kTurnRate, kTurnRate);
    const double left = (kSpeed - turn_rate * kWheels.base / 2) * kStep, right = 2 * kSpeed * kStep - left;
    driven.turns.push_back({left / (kPi * kWheels.left_diameter), right / (kPi * kWheels.right_diameter)});
    pose = estimate::move_along(pose, estimate::arc_of(kWheels, driven.turns.back()));
    driven.way.push_back(pose.position());
  }
  return driven;
}

WrongWay integrate(const Driven& driven, double base_off) {
  WrongWay wrong{.base_off = base_off};
  robot::DifferentialGeometry wheels = kWheels;
  wheels.base *= 1 + base_off;
  Pose2 pose = driven.start;
  wrong.way.push_back(pose.position());
  for (const estimate::WheelTurns& turns : driven.turns) {
    pose = estimate::move_along(pose, estimate::arc_of(wheels, turns));
    wrong.way.push_back(pose.position());
  }
  const auto n = static_cast<double>(driven.way.size());
  for (std::size_t i = 0; i < driven.way.size(); ++i) {
    const double off = distance(driven.way[i], wrong.way[i]);
    wrong.mean_squared_m2 += off * off / n;
    wrong.mean_m += off / n;
  }
  wrong.final_error_m = distance(driven.way.back(), wrong.way.back());
  return wrong;
}

}  // namespace

SensitivityResult run_sensitivity_study(const SensitivityParams& params) {
  Random random(params.seed, 0);
  const Driven driven = follow_wall(random);
  SensitivityResult result{.base_m = kWheels.base, .wall = kWall, .way = driven.way};
  result.duration_s = static_cast<double>(driven.turns.size()) * kStep;
  for (std::size_t i = 1; i < driven.way.size(); ++i) result.length_m += distance(driven.way[i - 1], driven.way[i]);
  for (const double sign : {-1.0, 1.0}) result.wrong.push_back(integrate(driven, sign * params.base_off));
  return result;
}

nlohmann::ordered_json to_json(const SensitivityResult& result) {
  nlohmann::ordered_json wrong = nlohmann::ordered_json::array();
  for (const WrongWay& way : result.wrong) {
    wrong.push_back({{"base_off", way.base_off},
                     {"mean_squared_error_m2", way.mean_squared_m2},
                     {"rms_m", std::sqrt(way.mean_squared_m2)},
                     {"mean_error_m", way.mean_m},
                     {"final_error_m", way.final_error_m}});
  }
  return {
      {"base_m", result.base_m}, {"length_m", result.length_m}, {"duration_s", result.duration_s}, {"wrong", wrong}};
}

}  // namespace forerun::study
