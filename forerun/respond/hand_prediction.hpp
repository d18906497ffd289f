// Where a robot is that is driven by hand, by who gives the commands: the learned response from the newest report on.
// It is believed once a report has judged it, and while it has been nearer to the reports than going straight on.
#pragma once

#include <optional>

#include "forerun/base/time.hpp"
#include "forerun/respond/responder.hpp"
#include "forerun/robot/motion.hpp"
#include "forerun/robot/report.hpp"

namespace forerun::respond {

class HandPrediction {
 public:
  // `model` must outlive it.
  explicit HandPrediction(const Model& model) noexcept : model_(model), responder_(model) {}

  // A drive command that reaches the robot at this time of its clock. Times rise.
  void give(RobotTime time, const robot::Twist& velocity) noexcept;
  // Allocates nothing, as all of this.
  void take(const robot::Report& report) noexcept;
  // Nothing where the robot is not driven by hand, somebody else drives it, the report is too old, or going straight on
  // has been nearer.
  [[nodiscard]] std::optional<robot::State> at(RobotTime time) const noexcept;

 private:
  [[nodiscard]] double seconds(RobotTime time) const noexcept { return to_seconds(time - base_); }
  void judge(const robot::Report& report) noexcept;

  const Model& model_;
  Responder responder_;
  RobotTime base_;                       // times are counted from here
  std::optional<RobotTime> given_;       // when the newest command got there
  std::optional<robot::Report> newest_;  // while it is driven by hand, and by us
  double off_ = 0, straight_off_ = 0;    // squared errors of lately [m²]
  bool judged_ = false;
};

}  // namespace forerun::respond
