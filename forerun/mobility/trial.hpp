// The paper's mobility tests (KEN-5): a step climbed without and with flippers, a trench crossed.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "forerun/base/fields.hpp"
#include "forerun/base/result.hpp"
#include "forerun/physics/scene.hpp"
#include "forerun/robot/crawler.hpp"
#include "forerun/world/terrain.hpp"

namespace forerun::mobility {

enum class TrialKind : std::uint8_t {
  step,                   // flippers straight up, unused
  step_flippers,          // by one programme (flipper_programme.hpp)
  trench,                 // flippers straight up, unused
  trench_flippers_level,  // stretched ahead and behind: a longer robot
};
[[nodiscard]] const char* name_of(TrialKind kind) noexcept;

struct Trial {
  TrialKind kind = TrialKind::step;
  double size = 0.1;  // height of the step or width of the trench [m]
};

// What may differ between runs of one trial.
struct TrialParams {
  double speed = 0.2;          // of the belts [m/s]
  double mass_factor = 1;      // of all masses
  double friction_factor = 1;  // of the belts
  std::uint64_t seed = 0;      // of the start: within 10 mm and 1 degree of the usual one; 0: the usual one
};

template <class Visit>
void visit_fields(TrialParams& p, Visit&& visit) {
  visit("speed_mps", p.speed, Field{0.02, 2, "of the belts [m/s]"});
  visit("mass_factor", p.mass_factor, Field{0.1, 10, "all masses times this"});
  visit("friction_factor", p.friction_factor, Field{0.1, 10, "the belts' friction times this"});
  visit("seed", p.seed, Field{0, 1e15, "start within 10 mm and 1 degree of the usual place; 0: there"});
}

// One moment, for trajectories and pictures.
struct TrialMoment {
  double time = 0;     // [s]
  double x = 0;        // of the centre of gravity, since the start [m]
  double z = 0;        // … above the ground before the obstacle [m]
  double nose_up = 0;  // [rad]
  physics::CrawlerState state;
};

struct TrialResult {
  bool passed = false;
  physics::Standing end = physics::Standing::upright;
  double max_pitch = 0;              // either way [rad]
  double duration = 0;               // [s]
  double max_torque = 0;             // of a track motor [N·m]
  std::vector<TrialMoment> moments;  // every kMomentEvery
};
inline constexpr double kMomentEvery = 0.05;  // [s]

// The published outcomes of the real robot.
struct PublishedTrial {
  Trial trial;
  bool real_passed = false;
  bool simulated_passed = false;  // the paper's own simulator
};
[[nodiscard]] const std::array<PublishedTrial, 12>& published_trials() noexcept;

// The robot with these masses and this friction.
[[nodiscard]] robot::Crawler vary(robot::Crawler robot, const TrialParams& params);

// What stands or gapes 0.75 m ahead of the start.
[[nodiscard]] world::Terrain trial_terrain(const Trial& trial);

[[nodiscard]] Result<TrialResult> run_trial(const robot::Crawler& robot, const Trial& trial,
                                            const TrialParams& params = {});

}  // namespace forerun::mobility
