#include "forerun/learn/latency_drive.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "forerun/atlas/world_yaml.hpp"
#include "forerun/base/math.hpp"
#include "forerun/navigate/control_systems.hpp"
#include "forerun/sim/late_body.hpp"
#include "forerun/sim/loop.hpp"

namespace forerun::learn {
namespace {

using Column = io::DriveColumn;

constexpr double kLowest = 0.25, kHighest = 4.0;  // frequencies [Hz]
constexpr double kCommandPeriod = 0.004;          // [s]
constexpr double kRest = 2;                       // before, between and after the two parts [s]
// Of the robot's limit: commands come in steps, and each step takes this share of a period to be followed. A larger one
// would measure the limit.
constexpr double kAccelerationShare = 0.5;
constexpr double kSpeedShare = 0.7;
constexpr double kMostAcceleration = 2, kMostTurnAcceleration = 6;  // more is not needed [m/s²], [rad/s²]
constexpr const char* kHall = "rooms: [{from: [-6, -6], to: [6, 6]}]\n";

// The robot as it is told of: it sees nothing, since it is driven by hand.
Result<sim::Model> make_model(robot::Description robot, const LatencyDriveParams& params) {
  auto world = atlas::parse_world_yaml(kHall, "the hall");
  if (!world) return world.error();
  robot.sensors.clear();
  robot.control.period = kCommandPeriod;  // the loop takes a step at every command
  sim::Reality reality;
  reality.motor_lag = params.lag_ms / 1000;
  return sim::make_model({std::move(*world), std::move(robot), {}, reality}, params.seed);
}

// Takes a frame of where the robot is, with errors, or loses it.
class Camera {
 public:
  explicit Camera(const LatencyDriveParams& params) : params_(params), random_(params.seed, 77) {}

  // The robot went from one pose to the other; times in seconds.
  void watch(double from, const Pose2& before, double to, const Pose2& after, io::DriveLog& log) {
    for (; next_ <= to; next_ += 1 / params_.rate_hz) {
      const double share = to > from ? (next_ - from) / (to - from) : 1;
      const Vec2 place = before.position() + (after.position() - before.position()) * share;
      const double theta = before.theta + normalize_angle(after.theta - before.theta) * share;
      io::DriveRow row;
      row[Column::t_s] = next_;
      row[Column::x_m] = place.x + params_.noise_mm / 1000 * random_.normal();
      row[Column::y_m] = place.y + params_.noise_mm / 1000 * random_.normal();
      row[Column::theta_rad] = normalize_angle(theta + params_.noise_deg * kPi / 180 * random_.normal());
      if (random_.uniform() >= params_.dropped) log.rows.push_back(row);
    }
  }

 private:
  const LatencyDriveParams& params_;
  Random random_;
  // between two commands, as frames mostly are
  double next_ = 0.0037;  // [s]
};

// What is commanded at this time.
robot::Twist wanted(double time, const robot::Limits& limits, double seconds) {
  const double straight = time - kRest, turning = straight - seconds - kRest;
  robot::Twist twist;
  if (straight >= 0 && straight < seconds) {
    const double most = kAccelerationShare * std::min(limits.acceleration, limits.deceleration);
    twist.vx = sinusoidal_speed(straight, seconds, kSpeedShare * limits.max_speed, std::min(most, kMostAcceleration));
  }
  if (turning >= 0 && turning < seconds) {
    const double most = kAccelerationShare * std::min(limits.turn_acceleration, limits.turn_deceleration);
    twist.w =
        sinusoidal_speed(turning, seconds, kSpeedShare * limits.max_turn_rate, std::min(most, kMostTurnAcceleration));
  }
  return twist;
}

io::DriveRow command_row(double time, const robot::Twist& twist, bool sideways) {
  io::DriveRow row;
  row[Column::t_s] = time;
  row[Column::v_cmd_mps] = twist.vx;
  row[Column::w_cmd_radps] = twist.w;
  if (sideways) {
    row[Column::vx_cmd_mps] = twist.vx;
    row[Column::vy_cmd_mps] = twist.vy;
  }
  return row;
}

}  // namespace

double sinusoidal_speed(double time, double seconds, double top_speed, double acceleration) noexcept {
  // from the lowest frequency to the highest and back, in equal ratios in equal times
  const double half = seconds / 2, growth = log(kHighest / kLowest) / half;
  const double cycles = kLowest * (exp(growth * half) - 1) / growth;  // in each half
  const double lowest = kLowest * std::round(cycles) / cycles;        // so that it ends as it begins: at rest
  const double since_turn = time < half ? time : seconds - time;
  const double frequency = lowest * exp(growth * since_turn);
  // whole cycles at the end of each half: the way back is the way there with the other sign
  const double phase = (frequency - lowest) / growth;
  const double speed =
      std::min(top_speed, acceleration / (kTwoPi * frequency)) * sin(kTwoPi * (phase - std::floor(phase)));
  return time < half ? speed : -speed;
}

Result<io::DriveLog> drive_for_latency(const robot::Description& robot, const LatencyDriveParams& params,
                                       const std::string& file) {
  if (!robot.drive.can_turn_on_the_spot()) {
    return Error{file + ": the drive is " + robot::kDriveNames[static_cast<std::size_t>(robot.drive.kind)] +
                 ", but this needs a robot that turns on the spot"};
  }
  const auto model = make_model(robot, params);
  if (!model) return model.error();
  const auto control = navigate::make_own_control_system(model->planning, model->robot);
  sim::LateBody body(model->robot, model->reality, model->start, Random(params.seed, 78), params.delay_ms / 1000);
  sim::Loop loop(*model, *control, {.body = &body});

  io::DriveLog log;
  log.columns = {Column::t_s, Column::x_m, Column::y_m, Column::theta_rad, Column::v_cmd_mps, Column::w_cmd_radps};
  const bool sideways = robot.drive.can_strafe();
  if (sideways) log.columns.insert(log.columns.end(), {Column::vx_cmd_mps, Column::vy_cmd_mps});
  Camera camera(params);
  const double end = 3 * kRest + 2 * params.seconds;
  double next_command = 0;
  while (to_seconds(loop.time()) < end) {
    const double time = to_seconds(loop.time());
    if (time >= next_command - 1e-9) {
      next_command = time + kCommandPeriod;
      const robot::Twist twist = wanted(time, robot.limits, params.seconds);
      (void)loop.command({.kind = robot::CommandKind::drive, .velocity = twist});
      log.rows.push_back(command_row(time, twist, sideways));
    }
    const Pose2 before = loop.truth().pose;
    loop.step();
    camera.watch(time, before, to_seconds(loop.time()), loop.truth().pose, log);
  }
  return log;
}

}  // namespace forerun::learn
