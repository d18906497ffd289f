#include "forerun/mobility/trial.hpp"

#include <algorithm>
#include <cmath>

#include "forerun/base/random.hpp"
#include "forerun/mobility/flipper_programme.hpp"
#include "forerun/physics/scene_text.hpp"

namespace forerun::mobility {
namespace {

constexpr double kEdge = 0.75;     // from the robot's middle at the start to the obstacle [m]
constexpr double kBeyond = 0.6;    // its middle must come so far beyond the obstacle [m]
constexpr double kSettles = 0.5;   // stands at the beginning [s]
constexpr double kTimeLimit = 30;  // [s]
constexpr double kDepth = 1;       // of a trench [m]
constexpr double kSunk = 0.03;     // its middle may be so much lower than when it stands on the far side [m]
constexpr robot::FlipperAngles kRaised{kPi / 2, kPi / 2, kPi / 2, kPi / 2};
constexpr double kLost = 1.45;  // nose up or down: it has tipped over [rad]

bool is_trench(TrialKind kind) { return kind == TrialKind::trench || kind == TrialKind::trench_flippers_level; }

// From one x to another, with its top there, 3 m wide.
world::Block slab(double from, double to, double top, double bottom) {
  return {{(from + to) / 2, 0, (top + bottom) / 2}, {to - from, 3, top - bottom}, {}};
}

robot::FlipperAngles first_posture(TrialKind kind) {
  if (kind == TrialKind::step_flippers) return FlipperProgramme().next(0);
  return kind == TrialKind::trench_flippers_level ? robot::FlipperAngles{} : kRaised;
}

Pose2 draw_start(std::uint64_t seed) {
  constexpr double kPlaceError = 0.01, kHeadingError = kPi / 180;
  if (seed == 0) return {};
  Random random(seed);
  const double x = random.uniform(-kPlaceError, kPlaceError), y = random.uniform(-kPlaceError, kPlaceError);
  return {x, y, random.uniform(-kHeadingError, kHeadingError)};
}

class Run {
 public:
  Run(physics::Scene& scene, const Trial& trial, const TrialParams& params)
      : scene_(scene), trial_(trial), params_(params), begin_(scene.state(0)) {}

  TrialResult go() {
    while (scene_.time() < kTimeLimit && !over_) step();
    result_.end = physics::standing(scene_.state(0));
    result_.duration = scene_.time();
    result_.passed = arrived_ && result_.end == physics::Standing::upright;
    return std::move(result_);
  }

 private:
  void step() {
    const physics::CrawlerState state = scene_.state(0);
    const double nose_up = -state.attitude.pitch;
    const double speed = scene_.time() < kSettles ? 0 : params_.speed;
    scene_.command(0,
                   {speed, speed,
                    trial_.kind == TrialKind::step_flippers ? programme_.next(nose_up) : first_posture(trial_.kind)});
    if (scene_.time() >= next_moment_) remember(state, nose_up);
    scene_.step();
    result_.max_pitch = std::max(result_.max_pitch, std::fabs(nose_up));
    result_.max_torque = std::max({result_.max_torque, std::fabs(state.left_torque), std::fabs(state.right_torque)});
    judge(state, nose_up);
  }

  void remember(const physics::CrawlerState& state, double nose_up) {
    const Vec3 moved = state.center_of_gravity - begin_.center_of_gravity;
    result_.moments.push_back({scene_.time(), moved.x, state.center_of_gravity.z, nose_up, state});
    next_moment_ += kMomentEvery;
  }

  void judge(const physics::CrawlerState& state, double nose_up) {
    const double obstacle_end = kEdge + (is_trench(trial_.kind) ? trial_.size : 0);
    const double far_ground = is_trench(trial_.kind) ? 0 : trial_.size;
    const bool beyond = state.position.x > obstacle_end + kBeyond;
    arrived_ = beyond && state.position.z > far_ground + begin_.position.z - kSunk;
    over_ = beyond || std::fabs(nose_up) > kLost || physics::standing(state) != physics::Standing::upright ||
            state.position.z < -0.3 * kDepth;
  }

  physics::Scene& scene_;
  Trial trial_;
  TrialParams params_;
  physics::CrawlerState begin_;
  FlipperProgramme programme_;
  TrialResult result_;
  double next_moment_ = 0;
  bool arrived_ = false;
  bool over_ = false;
};

}  // namespace

const char* name_of(TrialKind kind) noexcept {
  constexpr std::array kNames{"step", "step_flippers", "trench", "trench_flippers_level"};
  return kNames[static_cast<std::size_t>(kind)];
}

const std::array<PublishedTrial, 12>& published_trials() noexcept {
  using enum TrialKind;
  static constexpr std::array<PublishedTrial, 12> kTable{{
      {{step, 0.05}, true, true},
      {{step, 0.1}, true, true},
      {{step, 0.15}, false, false},
      {{step_flippers, 0.1}, true, true},
      {{step_flippers, 0.2}, true, true},
      {{step_flippers, 0.3}, true, true},
      {{step_flippers, 0.35}, false, false},
      {{trench, 0.1}, true, true},
      {{trench, 0.2}, true, true},
      {{trench, 0.3}, true, true},
      {{trench, 0.35}, false, true},
      {{trench, 0.4}, false, false},
  }};
  return kTable;
}

robot::Crawler vary(robot::Crawler robot, const TrialParams& params) {
  for (double* mass : {&robot.body_mass, &robot.hinge_wheel_mass, &robot.tip_wheel_mass}) *mass *= params.mass_factor;
  for (double* friction : {&robot.friction, &robot.side_friction}) *friction *= params.friction_factor;
  return robot;
}

world::Terrain trial_terrain(const Trial& trial) {
  world::Terrain terrain;
  terrain.blocks.push_back(slab(kEdge - 3, kEdge, 0, -kDepth));
  if (is_trench(trial.kind)) {
    const double far = kEdge + trial.size;
    terrain.blocks.push_back(slab(far, far + 3, 0, -kDepth));
    terrain.blocks.push_back(slab(kEdge, far, -kDepth, -kDepth - 0.5));
  } else {
    terrain.blocks.push_back(slab(kEdge, kEdge + 3, trial.size, -kDepth));
  }
  return terrain;
}

Result<TrialResult> run_trial(const robot::Crawler& robot, const Trial& trial, const TrialParams& params) {
  auto scene = physics::Scene::make(trial_terrain(trial));
  if (!scene) return scene.error();
  auto added = scene->put_down(vary(robot, params), draw_start(params.seed), first_posture(trial.kind));
  if (!added) return Error{"the robot " + added.error().message, ErrorKind::impossible};
  return Run(*scene, trial, params).go();
}

}  // namespace forerun::mobility
