// What the operator sees of an estimate that is corrected now and then: smooth, soon right, never through a wall
// (BEY-4).
#pragma once

#include "forerun/base/fields.hpp"
#include "forerun/geom/pose.hpp"
#include "forerun/navigate/planning_model.hpp"
#include "forerun/predict/way_round.hpp"
#include "forerun/robot/motion.hpp"

namespace forerun::predict {

struct ShownParams {
  double glide_mps = 3;       // corrections move what is shown at most this fast …
  double max_step_m = 0.2;    // … and this far in a frame, however long the frame
  double swing_radps = 7;     // corrections turn it at most this fast …
  double max_turn_rad = 0.5;  // … and this far in a frame
  double converge_s = 0.5;    // after a correction, what is shown is right again
  double fade_s = 0.3;        // out and in again, together; at most `converge_s`
};

template <class Visit>
void visit_fields(ShownParams& p, Visit&& visit) {
  visit("glide_mps", p.glide_mps, Field{0.01, 100, "corrections move what is shown at most this fast [m/s]"});
  visit("max_step_m", p.max_step_m, Field{0.001, 100, "and this far in a frame, however long the frame [m]"});
  visit("swing_radps", p.swing_radps, Field{0.01, 100, "corrections turn it at most this fast [rad/s]"});
  visit("max_turn_rad", p.max_turn_rad, Field{0.001, 3.1416, "and this far in a frame [rad]"});
  visit("converge_s", p.converge_s, Field{0.01, 10, "what is shown is right again this long after a correction [s]"});
  visit("fade_s", p.fade_s, Field{0, 10, "out and in again, together; at most `converge_s` [s]"});
}

struct Shown {
  Pose2 pose;
  double presence = 1;  // how visible, 0 … 1
  bool jumped = false;  // is elsewhere than in the frame before; its presence is 0 then, except in the first frame
  bool on_plan = true;  // false: where the plan has a wall or nothing, because the estimate lies deep in it
  double behind = 0;    // distance to the estimate [m]
};

// From frame to frame what is visible moves at most `glide_mps` times the frame's time, and never more than
// `max_step_m` (likewise it turns), or twice what the robot itself does in that frame where that is more. It is where
// the estimate is at most `converge_s` after each correction. Its centre never stands in a wall or crosses one, unless
// the estimate lies deep in it: it goes round a corner where there is time for that. Where there is not, and where a
// correction is too large for the time, it fades out where it is and fades in where it should be, which is honest about
// not having driven there. For the truth there is the estimate.
class ShownRobot {
 public:
  // `plan` must outlive it: the known world, with its doors open.
  ShownRobot(const navigate::PlanningModel& plan, double body_radius, const ShownParams& params = {}) noexcept;

  // Shows the next estimate where it is, at once: the first one, or after the page was hidden for a while.
  void reset() noexcept { started_ = false; }
  // One frame: the estimate for now, `dt` seconds after the frame before (more than 0). Allocates nothing.
  Shown update(const robot::State& estimate, double dt) noexcept;

 private:
  // What this frame has to do and may do.
  struct Frame {
    Pose2 goal;                         // where it should be shown
    Vec2 driven;                        // what the robot itself did since the frame before [m] …
    double turned = 0;                  // … [rad]
    double max_step = 0, max_turn = 0;  // limits [m, rad]
    double frames_left = 1;             // in which all must be put right
    double share = 1;                   // of what is wrong that is put right now
  };
  [[nodiscard]] Vec2 place_for(Vec2 estimate) const noexcept;
  [[nodiscard]] Frame prepare(const robot::State& estimate, double dt) noexcept;
  [[nodiscard]] bool turn(const Frame& frame) noexcept;
  [[nodiscard]] bool slide(const Frame& frame) noexcept;
  [[nodiscard]] bool go_round(const Frame& frame) noexcept;
  bool fade(const Pose2& goal, double dt) noexcept;

  Room room_;
  ShownParams params_;
  WayRound way_;
  bool started_ = false;
  bool fading_out_ = false;
  robot::State estimate_;  // of the frame before
  Pose2 goal_;             // of the frame before
  Pose2 pose_;             // shown
  double presence_ = 1;
  double remaining_ = 0;  // time left for the correction under way [s]
};

}  // namespace forerun::predict
