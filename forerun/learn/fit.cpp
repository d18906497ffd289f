#include "forerun/learn/fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numeric>
#include <type_traits>

#include "forerun/base/check.hpp"
#include "forerun/base/math.hpp"

namespace forerun::learn {
namespace {

constexpr double kTurnsSharply = 0.5;  // as a share of the described top turn rate

constexpr std::array kNames{"max_speed_mps",     "max_turn_rate_radps",      "acceleration_mps2",
                            "deceleration_mps2", "turn_acceleration_radps2", "turn_deceleration_radps2",
                            "heading_weight",    "distance_weight",          "velocity_weight",
                            "motor_lag_s"};

// A parameter with the range that its list of fields allows.
struct Place {
  double* value = nullptr;
  Field field;
};

Place find(robot::Description& robot, const char* name) {
  Place place;
  const auto visit = [&](const char* key, auto& value, const Field& field) {
    if constexpr (std::is_same_v<decltype(value), double&>) {
      if (std::strcmp(key, name) == 0) place = {&value, field};
    }
  };
  visit_fields(robot.limits, visit);
  visit_fields(robot.control, visit);
  FORERUN_CHECK(place.value != nullptr);
  return place;
}

double sum_of(const Costs& costs) { return std::accumulate(costs.begin(), costs.end(), 0.0); }

// To four digits, so that files and figures read well. All parameters are less than 10,000.
double rounded(double value) noexcept {
  if (!(value > 0)) return value;
  double scale = 1;
  while (value * scale < 1e3) scale *= 10;
  return std::round(value * scale) / scale;
}

robot::Description with(robot::Description robot, std::span<const double> values) {
  for (std::size_t i = 0; i < kNames.size(); ++i) *find(robot, kNames[i]).value = values[i];
  return robot;
}

std::vector<Unknown> unknowns_of(robot::Description robot) {
  std::vector<Unknown> unknowns;
  for (const char* name : kNames) {
    const Place place = find(robot, name);
    // steps are factors: what begins at nothing would stay there
    const double least = std::max(place.field.low, 0.01);
    unknowns.push_back({std::max(*place.value, least), least, place.field.high});
  }
  return unknowns;
}

// Drives tell little about some parameters: without a reason these stay where they are. A parameter that doubles must
// lower the errors by about a seventh.
double doubt(std::span<const Unknown> unknowns, std::span<const double> values) {
  constexpr double kDoubt = 0.3;
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) sum += square(log(values[i] / unknowns[i].value));
  return kDoubt * sum;
}

// What `speed` makes of every velocity.
template <class Speed>
std::vector<double> speeds_of(std::span<const MotorLog> logs, Speed&& speed) {
  std::vector<double> speeds;
  for (const MotorLog& log : logs) {
    for (const MotorRow& row : log) speeds.push_back(speed(row.velocity));
  }
  return speeds;
}

}  // namespace

std::span<const char* const> fitted_names() noexcept { return kNames; }

double fitted_value(const robot::Description& robot, std::size_t i) {
  robot::Description copy = robot;
  return *find(copy, kNames[i]).value;
}

robot::Description estimate_directly(const robot::Description& robot, std::span<const MotorLog> logs) {
  robot::Description direct = robot;
  robot::Limits& limits = direct.limits;
  const double speed = cruising_speed(speeds_of(logs, [](const robot::Twist& v) { return length(Vec2{v.vx, v.vy}); }));
  const double turn = cruising_speed(speeds_of(logs, [](const robot::Twist& v) { return std::fabs(v.w); }));
  if (speed > 0) limits.max_speed = speed;
  // a drive without sharp turns does not show how fast the robot can turn
  if (turn > kTurnsSharply * limits.max_turn_rate) limits.max_turn_rate = turn;
  if (!has_commands(logs)) return direct;
  const Motors motors = fit_motors(logs, {limits, robot.control.motor_lag});
  direct.limits = motors.limits;
  direct.control.motor_lag = motors.lag;
  return direct;
}

Fit refine(const robot::Description& believed, const robot::Description& direct, const Judge& judge,
           const SearchParams& params) {
  Fit fit{believed};
  const auto before = judge(believed), at_first_sight = before ? judge(direct) : std::nullopt;
  fit.n_costs = 2;
  fit.stopped = !before || !at_first_sight;
  if (fit.stopped) return fit;
  const robot::Description& start = sum_of(*at_first_sight) < sum_of(*before) ? direct : believed;
  const std::vector<Unknown> unknowns = unknowns_of(start);
  const auto cost = [&](std::span<const double> values) {
    auto costs = judge(with(start, values));
    if (costs) {
      for (double& part : *costs) part *= 1 + doubt(unknowns, values);
    }
    return costs;
  };
  const Found found = search(unknowns, cost, params);
  std::vector<double> values = found.values;
  std::transform(values.begin(), values.end(), values.begin(), rounded);
  return {with(start, values), fit.n_costs + found.n_costs, found.stopped};
}

double robust_mean(std::span<const double> errors) noexcept {
  constexpr double kTypical = 0.5;  // errors of this size count half [m]
  double sum = 0;
  for (const double error : errors) sum += error * kTypical / (kTypical + error);
  return errors.empty() ? 0 : sum / static_cast<double>(errors.size());
}

Costs robust_means(std::span<const double> errors, std::size_t n_parts) {
  Costs means;
  for (std::size_t i = 0; i < n_parts; ++i) {
    const std::size_t begin = errors.size() * i / n_parts, end = errors.size() * (i + 1) / n_parts;
    means.push_back(robust_mean(errors.subspan(begin, end - begin)));
  }
  return means;
}

}  // namespace forerun::learn
