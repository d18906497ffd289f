// Where the robot is now, given all reports so far, and how sure that is (PSS-11, BEY-2, BEY-3): the replica, started
// from the best guess of where the robot was, at the speed that this robot has shown, driven by the control system that
// has explained it best; and others like it that could be true too.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "forerun/base/fields.hpp"
#include "forerun/predict/certainty.hpp"
#include "forerun/predict/driver.hpp"
#include "forerun/predict/ensemble.hpp"
#include "forerun/predict/goal_memory.hpp"
#include "forerun/predict/report_filter.hpp"
#include "forerun/predict/speed_learner.hpp"
#include "forerun/predict/trail.hpp"

namespace forerun::predict {

struct PredictorParams {
  EnsembleParams ensemble;
  CertaintyParams certainty;
  ReportFilterParams filter;
  SpeedParams speed;
  double relax_s = 4.0;  // a robot that is held up by something unknown comes free in about this time [s]; each time
                         // that it has not, in twice that …
  double longest_relax_s = 30;  // … up to this
  double trust_from_s = 0.3;  // where the phase of the robot's decisions is not known, replicas count from here on …
  double trust_at_s = 2.0;    // … and alone from here: before, the robot simply goes on [s]
  double stays_s = 20;        // a robot whose next goal is not known may have left for it after this time [s]
  double stranger_doubt = 3;  // how much farther off a robot with unknown decisions may be, at first
};

template <class Visit>
void visit_fields(PredictorParams& p, Visit&& visit) {
  visit("relax_s", p.relax_s,
        Field{0.1, 1000, "a robot that is held up by something unknown comes free in about this time [s]"});
  visit("longest_relax_s", p.longest_relax_s,
        Field{0.1, 10000, "each time that it has not, in twice that, up to this [s]"});
  visit("trust_from_s", p.trust_from_s,
        Field{0, 100, "where the phase of decisions is not known, replicas count from here on [s]"});
  visit("trust_at_s", p.trust_at_s, Field{0, 100, "and alone from here: before, the robot simply goes on [s]"});
  visit("stays_s", p.stays_s,
        Field{0, 10000, "a robot whose next goal is not known may have left for it after this time [s]"});
  visit("stranger_doubt", p.stranger_doubt,
        Field{1, 100, "how many times farther off a robot with unknown decisions may be, at first"});
}

// Where it goes, where it probably goes next, and where else it might: each has a plan of its own.
inline constexpr std::size_t kPlannedGoals = 3;

class Predictor {
 public:
  // `model` must outlive the predictor; `drivers` are one or more.
  explicit Predictor(const ReplicaModel& model, const PredictorParams& params = {},
                     const std::vector<Driver>& drivers = known_drivers());

  // Takes a report in, which is not older than the one before, nor newer by hours: `LiveRobot` sees to that.
  void resync(const robot::Report& report) noexcept;
  // Runs the replicas up to `now` and says where the robot is; before the first report, at the origin. Allocates
  // nothing.
  const robot::State& advance(RobotTime now) noexcept;
  // Where the robot is with this probability (0 … 1, exclusive) at the time advanced to.
  [[nodiscard]] Region region(double share) const noexcept;

  [[nodiscard]] double speed_scale() const noexcept { return speed_.scale(); }
  // How much farther off the robot has been than expected lately; 1: not at all.
  [[nodiscard]] double doubt() const noexcept { return certainty_.doubt(); }
  // Who is believed to drive the robot: which of the drivers, and its name.
  [[nodiscard]] std::size_t driver() const noexcept { return driver_; }
  [[nodiscard]] const char* driver_name() const noexcept { return course().name; }
  [[nodiscard]] const Replica& replica() const noexcept { return course().replica; }

 private:
  // The likeliest robot with one driver.
  struct Course {
    Course(const Driver& driver, const DriverInputs& inputs);

    const char* name;  // of the driver
    std::unique_ptr<navigate::ControlSystem> control;
    Replica replica;
    Trail trail;       // since the newest report
    double error = 0;  // mean distance to reports, lately [m]
  };

  Predictor(const ReplicaModel& model, const PredictorParams& params, const std::vector<Driver>& drivers,
            const std::shared_ptr<navigate::GoalPlan>& plan);
  [[nodiscard]] const Course& course() const noexcept { return courses_[driver_]; }
  void learn(const robot::Report& report) noexcept;
  void learn_speed(const robot::Report& report, const TrailPoint& expected) noexcept;
  void learn_certainty(const robot::Report& report, const TrailPoint& expected) noexcept;
  void choose_driver(const robot::Report& report) noexcept;
  void notice_hold_up(const robot::Report& report, const TrailPoint& expected) noexcept;
  void start(const robot::Report& report) noexcept;
  void remember() noexcept;
  [[nodiscard]] double possible_way(double share) const noexcept;
  void blend() noexcept;

  const ReplicaModel& model_;
  PredictorParams params_;
  std::vector<Course> courses_;  // by driver
  std::size_t driver_ = 0;
  int n_compared_ = 0;
  Ensemble ensemble_;
  ReportFilter filter_;
  SpeedLearner speed_;
  Certainty certainty_;
  Certainty idle_certainty_;  // while it has nowhere to go
  GoalMemory goals_;
  std::optional<robot::Report> newest_;
  Pose2 start_;  // from which the replicas went on
  RobotTime time_;
  robot::State state_;
  Vec2 middle_;        // of the ensemble
  int n_held_up_ = 0;  // reports in a row
};

}  // namespace forerun::predict
