// Where the robot is now, given all reports so far, and how sure that is (PSS-11, BEY-2, BEY-3). Several experts say
// where it is: one has it stay, one has it go on as it did, and each driver has a replica that starts from the best
// guess of where the robot was, at the speed that this robot has shown. Who has been right at such gaps is believed.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "forerun/base/fields.hpp"
#include "forerun/predict/certainty.hpp"
#include "forerun/predict/driver.hpp"
#include "forerun/predict/ensemble.hpp"
#include "forerun/predict/expert_prior.hpp"
#include "forerun/predict/goal_memory.hpp"
#include "forerun/predict/hold_ups.hpp"
#include "forerun/predict/mission_watch.hpp"
#include "forerun/predict/opinions.hpp"
#include "forerun/predict/past_experiments.hpp"
#include "forerun/predict/reach.hpp"
#include "forerun/predict/report_filter.hpp"
#include "forerun/predict/speed_learner.hpp"
#include "forerun/predict/trail.hpp"
#include "forerun/sense/seen_world.hpp"

namespace forerun::predict {

struct PredictorParams {
  EnsembleParams ensemble;
  CertaintyParams certainty;
  ReportFilterParams filter;
  SpeedParams speed;
  WeightParams weights;
  double slowed_s = 2.5;  // a stranger that drives slower than it could comes to speed in about this time [s]
  double relax_s = 4.0;   // a robot that is held up by something unknown comes free in about this time, at first …
  double longest_relax_s = 30;  // … and in at most this [s]
  double longest_gap_s = 120;   // after a longer silence nothing is learned from what was expected [s]
  double stays_s = 60;          // a robot whose next goal is not known stays about so long, at first [s]
  double stranger_doubt = 2;    // how much farther off a robot with unknown decisions may be, at first
};

template <class Visit>
void visit_fields(PredictorParams& p, Visit&& visit) {
  visit("relax_s", p.relax_s,
        Field{0.1, 1000, "a robot that is held up by something unknown comes free in about this time, at first [s]"});
  visit("longest_relax_s", p.longest_relax_s, Field{0.1, 10000, "and in at most this, whatever it has shown [s]"});
  visit("slowed_s", p.slowed_s,
        Field{0.1, 1000, "a stranger that drives slower than it could comes to speed in about this time [s]"});
  visit("longest_gap_s", p.longest_gap_s,
        Field{1, 3600, "after a longer silence nothing is learned from what was expected [s]"});
  visit("stays_s", p.stays_s,
        Field{0.1, 10000, "a robot whose next goal is not known stays about so long, at first [s]"});
  visit("stranger_doubt", p.stranger_doubt,
        Field{1, 100, "how many times farther off a robot with unknown decisions may be, at first"});
}

// Where it goes, where it probably goes next, where else it might, and where it went before: each has its own plan.
inline constexpr std::size_t kPlannedGoals = 4;

class Predictor {
 public:
  // `model` must outlive the predictor; `drivers` are one or more.
  explicit Predictor(const ReplicaModel& model, const PredictorParams& params = {},
                     const std::vector<Driver>& drivers = known_drivers());

  // Takes a report in, which is not older than the one before: `LiveRobot` sees to that. After a silence of more than
  // `longest_gap_s` what was expected meanwhile says nothing, and what was learned before stays.
  void resync(const robot::Report& report) noexcept;
  // The path of a mission that the robot may be told to drive; null: of none. Counts from the newest report on.
  void set_mission(std::uint64_t number, std::shared_ptr<const robot::TimedPath> path) noexcept;
  // Runs the replicas up to `now` and says where the robot is; before the first report, at the origin. Allocates
  // nothing.
  const robot::State& advance(RobotTime now) noexcept;
  // Where the robot is with this probability (0 … 1, exclusive) at the time advanced to.
  [[nodiscard]] Region region(double share) const noexcept;

  // The part of a region that lies on floor that it can have come to by then.
  [[nodiscard]] Region on_floor(Region region) const noexcept {
    if (newest_) limit(region);
    return region;
  }

  // What it does and where it is heading, at the time advanced to.
  [[nodiscard]] robot::TaskState task() const noexcept;
  [[nodiscard]] Vec2 target() const noexcept;
  // The course of a robot on a mission that is known; nothing of any other.
  [[nodiscard]] const std::optional<MissionCourse>& mission() const noexcept { return experiments_.newest().mission(); }
  [[nodiscard]] double speed_scale() const noexcept { return speed_.scale(); }
  // Where the world is not as its model says, as the robot has told.
  [[nodiscard]] const sense::SeenWorld& seen() const noexcept { return seen_; }
  // How much farther off the robot has been than expected lately; 1: not at all.
  [[nodiscard]] double doubt() const noexcept { return certainty_.doubt(); }
  // Which of the drivers is believed most, and its name.
  [[nodiscard]] std::size_t driver() const noexcept { return driver_; }
  [[nodiscard]] const char* driver_name() const noexcept { return drivers_[driver_].name; }
  [[nodiscard]] const Replica& replica() const noexcept { return experiments_.newest().replica(driver_); }
  // How much each expert is believed at the time advanced to; 1 together.
  [[nodiscard]] const ExpertRow& expert_weights() const noexcept { return weights_now_; }

 private:
  Predictor(const ReplicaModel& model, const PredictorParams& params, const std::vector<Driver>& drivers,
            const std::shared_ptr<navigate::GoalPlan>& plan);
  void take_path(const robot::Report& report) noexcept;
  [[nodiscard]] std::optional<Vec2> seen_at(const robot::Report& report) const noexcept;
  void learn(const robot::Report& report) noexcept;
  void learn_weights(const robot::Report& report, const TrailPoint& expected, Vec2 seen) noexcept;
  void learn_speed(const robot::Report& report, const TrailPoint& expected) noexcept;
  void learn_certainty(const robot::Report& report, const TrailPoint& expected, Vec2 seen) noexcept;
  [[nodiscard]] Vec2 drawn(Vec2 middle, const PoseCovariance& sure) noexcept;
  [[nodiscard]] Certainty::When now() const noexcept;
  void notice_hold_up(const robot::Report& report, const TrailPoint& expected) noexcept;
  void start(const robot::Report& report) noexcept;
  void start_experts(const robot::Report& begin) noexcept;
  [[nodiscard]] Circumstances circumstances(const robot::Report& report) const noexcept;
  [[nodiscard]] Circumstances slowed(Circumstances its, const robot::Report& report) const noexcept;
  void choose_driver() noexcept;
  void remember() noexcept;
  void limit(Region& region) const noexcept;
  void blend() noexcept;
  [[nodiscard]] double near(double gap) const noexcept;
  [[nodiscard]] Pose2 middle_of(const ExpertPoses& poses, const ExpertRow& weights, double gap) const noexcept;
  [[nodiscard]] Mixture expected() const noexcept;
  [[nodiscard]] Mixture among_experts(const ExpertPlaces& places, const ExpertRow& weights, Vec2 middle,
                                      double gap) const noexcept;
  [[nodiscard]] double top_speed() const noexcept;
  [[nodiscard]] UnderWay under_way(double gap) const noexcept;
  [[nodiscard]] std::optional<Wait> open_wait() const noexcept;
  void learn_delay(const robot::Report& report, const TrailPoint& expected, Vec2 seen) noexcept;

  const ReplicaModel& model_;
  PredictorParams params_;
  std::vector<Driver> drivers_;
  std::shared_ptr<Manners> manners_;  // which its drivers read
  sense::SeenWorld seen_;
  PastExperiments experiments_;
  std::size_t driver_ = 0;
  std::optional<ExpertWeights> weights_;  // from the first report on
  ExpertRow weights_now_{};
  Ensemble ensemble_;
  bool has_ensemble_ = false;  // of the newest report
  ReportFilter filter_;
  SpeedLearner speed_;
  Certainty certainty_;
  Random draws_{1, 0xd1a};
  mutable Reach reach_;
  GoalMemory goals_;
  robot::PlannedPath path_;  // that the robot has said
  std::optional<robot::Report> newest_;
  Pose2 start_;  // from which the experts went on
  RobotTime time_;
  robot::State state_;
  Milestones milestones_;  // since the newest report
  Trail trail_;            // since the newest report
  Vec2 middle_;            // of the experts
  ExpertPlaces places_{};  // where each of them has it
  HoldUps hold_ups_;
  MissionWatch mission_;
  Mixture expected_;      // at the time advanced to
  bool held_up_ = false;  // at the newest report
};

}  // namespace forerun::predict
