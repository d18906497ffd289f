#include "forerun/latency/camera_rig.hpp"

#include <cmath>

#include "forerun/base/math.hpp"

namespace forerun::latency {
namespace {

constexpr double kStep = 1.0 / 600;  // of the body [s]

sim::Reality reality_of(const RigParams& params) {
  sim::Reality reality;
  reality.name = "under a camera";
  reality.velocity_noise = params.slip;
  reality.motor_lag = params.lag_s;
  return reality;
}

}  // namespace

CameraRig::CameraRig(const robot::Description& robot, const RigParams& params, const Pose2& start, std::uint64_t seed)
    : params_(params),
      body_(robot, reality_of(params), start, Random(seed, 1)),
      random_(seed, 2),
      turned_(start.theta) {}

void CameraRig::command(const robot::Twist& velocity) { commands_.give(time_, velocity); }

std::optional<learn::SeenPose> CameraRig::advance() {
  const int n = std::max(1, static_cast<int>(std::lround(frame_s() / kStep)));
  const double dt = frame_s() / n;
  for (int i = 0; i < n; ++i) body_.step(commands_.at(time_ + i * dt - params_.dead_time_s), dt);
  time_ += frame_s();
  const Pose2& pose = body_.state().pose;
  turned_ += normalize_angle(pose.theta - turned_);
  const bool lost = random_.uniform() < params_.dropped;
  const Pose2 seen{pose.x + params_.noise_m * random_.normal(), pose.y + params_.noise_m * random_.normal(),
                   turned_ + params_.noise_rad * random_.normal()};
  if (lost) return std::nullopt;
  return learn::SeenPose{time_, seen};
}

}  // namespace forerun::latency
