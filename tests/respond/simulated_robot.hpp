// A robot that answers its commands with a delay, a lag and a gain, seen with noise; and commands that make it show
// that.
#pragma once

#include <cmath>
#include <vector>

#include "forerun/base/random.hpp"
#include "forerun/respond/response.hpp"
#include "forerun/robot/motion.hpp"

namespace forerun::respond {

struct SeenAt {
  double time = 0;
  Pose2 pose;
};
struct GivenAt {
  double time = 0;
  robot::Twist command;
};
struct SimulatedDrive {
  std::vector<GivenAt> commands;
  std::vector<SeenAt> seen;  // as the camera has it
  std::vector<SeenAt> true_poses;
};

struct DriveShape {
  Response response;
  double seconds = 60;
  double rate_hz = 30;
  double noise_m = 0.001;
  double noise_rad = 0.002;
  bool sideways = false;
  std::uint64_t seed = 1;
};

// By small steps of its own, not by the code under test.
inline SimulatedDrive simulate(const DriveShape& shape) {
  constexpr double kStep = 0.001;
  Random random(shape.seed, 1);
  SimulatedDrive drive;
  std::vector<robot::Twist> history;  // one a step
  robot::Twist command, velocity;
  Pose2 pose;
  double next_command = 0, next_frame = 0;
  for (int i = 0; i * kStep < shape.seconds; ++i) {
    const double time = i * kStep;
    if (time >= next_command) {
      command = {random.uniform(-0.5, 1), shape.sideways ? random.uniform(-1, 1) : 0, random.uniform(-1.5, 1.5)};
      drive.commands.push_back({time, command});
      next_command = time + random.uniform(0.2, 1);
    }
    if (time >= next_frame) {
      drive.true_poses.push_back({time, pose});
      drive.seen.push_back({time,
                            {pose.x + shape.noise_m * random.normal(), pose.y + shape.noise_m * random.normal(),
                             pose.theta + shape.noise_rad * random.normal()}});
      next_frame += 1 / shape.rate_hz;
    }
    history.push_back(command);
    const auto answer = [&](const AxisResponse& axis, double robot::Twist::*part) {
      const int back = i - static_cast<int>(std::lround(axis.delay / kStep));
      const double wanted = back >= 0 ? axis.gain * (history[static_cast<std::size_t>(back)].*part) : 0;
      velocity.*part += (wanted - velocity.*part) * (axis.lag > 0 ? 1 - std::exp(-kStep / axis.lag) : 1);
    };
    answer(shape.response.forward, &robot::Twist::vx);
    answer(shape.response.sideways, &robot::Twist::vy);
    answer(shape.response.turn, &robot::Twist::w);
    pose = robot::move(pose, velocity, kStep);
  }
  return drive;
}

}  // namespace forerun::respond
