// Robots that could be the real one, beside the likeliest: how far they spread says how sure the prediction is (BEY-2).
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "forerun/base/fields.hpp"
#include "forerun/base/random.hpp"
#include "forerun/predict/driver.hpp"
#include "forerun/predict/goal_memory.hpp"
#include "forerun/predict/replica.hpp"
#include "forerun/predict/report_filter.hpp"
#include "forerun/predict/shared_scans.hpp"
#include "forerun/predict/spread.hpp"

namespace forerun::predict {

struct EnsembleParams {
  int members = 8;               // at most kMostMembers
  double weight_spread = 0.1;    // the control system's weights may be off by this share
  double speed_spread = 0.01;    // the robot's speed, beside what is not known of it yet
  double velocity_noise = 0.05;  // its velocities, from decision to decision
  double period_noise = 0.02;    // its decisions [s]
  double floor = 0.0015;         // nobody is surer than this [m]
};

template <class Visit>
void visit_fields(EnsembleParams& p, Visit&& visit) {
  visit("members", p.members, Field{1, 16, "replicas that run beside the first"});
  visit("weight_spread", p.weight_spread, Field{0, 1, "the control system's weights may be off by this share"});
  visit("speed_spread", p.speed_spread,
        Field{0, 1, "the robot's speed may be off by this share, beside what is not known of it yet"});
  visit("velocity_noise", p.velocity_noise, Field{0, 1, "of its velocities, from decision to decision, as a share"});
  visit("period_noise_s", p.period_noise, Field{0, 1, "of the times of its decisions [s]"});
  visit("floor_m", p.floor, Field{0, 1, "nobody is surer than this [m]"});
}
inline constexpr int kMostMembers = 16;

class Ensemble {
 public:
  // What all members share: where the robot was, and how sure that is.
  struct Start {
    std::size_t driver = 0;             // which of the drivers
    robot::Report report;               // as received
    Pose2 pose;                         // where the robot probably was
    PoseCovariance covariance;          // how sure that is
    Circumstances circumstances;        // of the likeliest robot
    double speed_variance = 0;          // of the scale of its limits
    const GoalMemory* goals = nullptr;  // what is known of its goals …
    bool guessed = false;               // … because the report does not say where it goes when it has waited
  };

  // Every member can be driven by each of `drivers`.
  Ensemble(const ReplicaModel& model, std::span<const Driver> drivers, const std::shared_ptr<navigate::GoalPlan>& plan,
           const EnsembleParams& params);

  void resync(const Start& start) noexcept;
  // Some members leave for a known goal where the robot may have.
  [[nodiscard]] static bool guesses_departures(const GoalMemory& goals) noexcept {
    return goals.usual_wait() && !goals.known().empty();
  }
  void advance(RobotTime until) noexcept;
  // In the middle of all members and the likeliest robot, which counts twice: the place with the least mean distance to
  // them (their geometric median), so that it lies where most of them are.
  [[nodiscard]] Pose2 middle(const Pose2& likeliest) const noexcept;
  [[nodiscard]] Spread spread(Vec2 centre) const noexcept;

 private:
  struct Member {
    Member(const DriverInputs& inputs, std::span<const Driver> drivers, SharedScans& scans);

    std::vector<std::unique_ptr<navigate::ControlSystem>> controls;  // by driver
    Replica replica;
  };

  void guess_departure(const Start& start, bool goes, robot::Report& begin, Circumstances& its) noexcept;

  EnsembleParams params_;
  std::unique_ptr<SharedScans> scans_;  // its members stand near each other
  std::vector<std::unique_ptr<Member>> members_;
  std::optional<Vec2> somewhere_;  // else that the robot might go
  Random random_;
};

// Top speeds and accelerations, all by the same factor.
[[nodiscard]] robot::Limits scaled(const robot::Limits& limits, double scale) noexcept;

}  // namespace forerun::predict
