// Where the robot is now, given all reports so far, and how sure that is (PSS-11, BEY-2): the replica, started from the
// best guess of where the robot was, at the speed that this robot has shown; and others like it that could be true too.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "forerun/base/random.hpp"
#include "forerun/predict/region.hpp"
#include "forerun/predict/replica.hpp"
#include "forerun/predict/report_filter.hpp"
#include "forerun/predict/trail.hpp"
#include "forerun/robot/report.hpp"

namespace forerun::predict {

struct PredictorParams {
  int members = 8;  // replicas beside the best one, for how sure it is
  double speed_noise = 0.015;
  double slow_noise = 0.3;
  double speed_drift = 0.005;
  double robust = 1;
  double relax_s = 4.0;        // a robot that is held up by something unknown comes free in about this time [s]
  double weight_spread = 0.1;  // the control system's weights could be off by this share
  double speed_spread = 0.01;
  double velocity_noise = 0.05;
  double period_noise = 0.02;
  double floor = 0.0015;
  double k50 = 1.08, k95 = 1.35, peak = 1.3, doubt_gain = 0.1;
  ReportFilterParams filter;
};

inline constexpr int kMostMembers = 16;

// Makes a control system for a robot that may be a little slower, or weigh things a little differently, than described.
using ControlFactory = std::function<std::unique_ptr<navigate::ControlSystem>(const robot::Description&)>;

class Predictor {
 public:
  // A robot with Forerun's own control system. `model` must outlive the predictor.
  explicit Predictor(const ReplicaModel& model, const PredictorParams& params = {});
  // A robot with a control system of the user's own; several are made.
  Predictor(const ReplicaModel& model, const ControlFactory& make_control, const PredictorParams& params = {});

  // Takes a report in. Older ones than the newest are ignored.
  void resync(const robot::Report& report) noexcept;
  // Runs the replicas up to `now` and says where the robot is. Allocates nothing.
  const robot::State& advance(RobotTime now) noexcept;
  // Where the robot is with this probability (0 … 1, exclusive) at the time advanced to.
  [[nodiscard]] Region region(double share) const noexcept;

  [[nodiscard]] double speed_scale() const noexcept { return speed_scale_; }
  [[nodiscard]] const Replica& replica() const noexcept { return best_->replica; }

  // private:
  //  A robot that could be the real one.
  struct Member {
    Member(const ReplicaModel& model, std::unique_ptr<navigate::ControlSystem> its_control)
        : control(std::move(its_control)), replica(model, *control) {}
    std::unique_ptr<navigate::ControlSystem> control;
    Replica replica;
  };
  void remember() noexcept;
  [[nodiscard]] Spread spread() const noexcept;
  [[nodiscard]] double k(double share, double evenness) const noexcept;
  [[nodiscard]] double widening(double gap) const noexcept;
  void learn_certainty(const robot::Report& report, const TrailPoint& expected) noexcept;
  void learn_speed(const robot::Report& report, const TrailPoint& expected) noexcept;
  void start(Member& member, const robot::Report& report, double speed_scale) noexcept;
  void start_members(const robot::Report& report) noexcept;

  const ReplicaModel& model_;
  PredictorParams params_;
  std::unique_ptr<Member> best_;
  std::vector<std::unique_ptr<Member>> members_;
  ReportFilter filter_;
  Trail trail_;  // of the best replica since the newest report
  std::optional<robot::Report> newest_;
  Pose2 start_;  // from which the best replica went on
  double speed_scale_ = 1;
  double speed_variance_ = 0.01;  // how sure that is
  double doubt_ = 1;              // how much farther off the robot was than the members had it
  bool held_up_ = false;
  Random random_;
};

}  // namespace forerun::predict
