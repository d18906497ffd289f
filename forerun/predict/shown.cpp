#include "forerun/predict/shown.hpp"

#include <algorithm>
#include <cmath>

#include "forerun/base/check.hpp"

namespace forerun::predict {
namespace {

constexpr double kDeep = 0.5;             // an estimate deeper than this in a wall says that the plan is wrong [m]
constexpr double kCorrection = 0.01;      // an estimate that moves by more than this otherwise than by driving [m] …
constexpr double kTurnCorrection = 0.02;  // … or turns [rad] …
constexpr double kSlack = 0.25;           // … and by this share of what it drove, was corrected
constexpr double kRounding = 1e-9;        // of lengths and of counts of frames

}  // namespace

ShownRobot::ShownRobot(const navigate::PlanningModel& plan, double body_radius, const ShownParams& params) noexcept
    : room_(plan.clearance, body_radius), params_(params) {
  FORERUN_CHECK(params.glide_mps > 0 && params.max_step_m > 0 && params.swing_radps > 0 && params.max_turn_rad > 0);
  FORERUN_CHECK(params.fade_s > 0 && params.fade_s <= params.converge_s);
}

// The estimate itself where a robot can stand, else the nearest such place; of two sides of a wall rather the one where
// the robot is shown already, so that it does not flicker between them. Where there is none near, the plan is wrong,
// and the estimate is believed.
Vec2 ShownRobot::place_for(Vec2 estimate) const noexcept {
  if (room_.can_stand(estimate)) return estimate;
  const GridFrame& frame = room_.frame();
  const Cell low = frame.cell_of(estimate - Vec2{kDeep, kDeep}), high = frame.cell_of(estimate + Vec2{kDeep, kDeep});
  Vec2 best = estimate;
  double least = kInfinity;
  for (int y = std::max(low.y, 0); y <= std::min(high.y, frame.height - 1); ++y) {
    for (int x = std::max(low.x, 0); x <= std::min(high.x, frame.width - 1); ++x) {
      const Vec2 place = frame.center({x, y});
      const double off = distance(place, estimate), cost = off + 0.5 * distance(place, pose_.position());
      if (off > kDeep || cost >= least || !room_.can_stand(place)) continue;
      least = cost;
      best = place;
    }
  }
  return best;
}

// What the robot did is what its velocities say, unless its estimate says almost the same; the rest is a correction.
ShownRobot::Frame ShownRobot::prepare(const robot::State& estimate, double dt) noexcept {
  const Vec2 place = place_for(estimate.pose.position());
  Frame frame{.goal = {place.x, place.y, estimate.pose.theta}};
  frame.driven = robot::move(estimate_.pose, estimate_.velocity, dt).position() - estimate_.pose.position();
  frame.turned = estimate_.velocity.w * dt;
  frame.max_step = std::max(std::min(params_.max_step_m, params_.glide_mps * dt), 2 * length(frame.driven));
  frame.max_turn = std::max(std::min(params_.max_turn_rad, params_.swing_radps * dt), 2 * std::fabs(frame.turned));

  const Vec2 moved = place - goal_.position();
  const double turned = normalize_angle(frame.goal.theta - goal_.theta);
  const bool corrected = distance(moved, frame.driven) > kCorrection + kSlack * length(frame.driven) ||
                         std::fabs(turned - frame.turned) > kTurnCorrection + kSlack * std::fabs(frame.turned);
  if (corrected) {
    // what cannot be put right by then has time to fade
    remaining_ = params_.converge_s - 0.5 * params_.fade_s;
  } else {
    frame.driven = moved;
    frame.turned = turned;
  }
  frame.frames_left = std::max(1.0, std::floor(remaining_ / dt + kRounding));
  // twice the even share: quick at first, gentle at the end
  frame.share = std::min(1.0, 2 / frame.frames_left);
  remaining_ = std::max(0.0, remaining_ - dt);
  return frame;
}

Shown ShownRobot::update(const robot::State& estimate, double dt) noexcept {
  FORERUN_ASSERT(dt > 0);
  if (!started_) pose_ = estimate.pose;
  const Frame frame = prepare(estimate, dt);
  bool jumped = false;
  if (!started_) {
    started_ = jumped = true;
    fading_out_ = false;
    presence_ = 1;
    remaining_ = 0;
    pose_ = frame.goal;
  } else {
    if (!fading_out_) fading_out_ = !turn(frame) || !slide(frame);
    jumped = fade(frame.goal, dt);
  }
  estimate_ = estimate;
  goal_ = frame.goal;
  return {pose_, presence_, jumped, room_.can_stand(pose_.position()),
          distance(pose_.position(), estimate.pose.position())};
}

// Turns along with the robot and takes a share of the correction besides. False where there is no time for all of it.
bool ShownRobot::turn(const Frame& frame) noexcept {
  const double wrong = normalize_angle(frame.goal.theta - pose_.theta - frame.turned);
  if (std::fabs(wrong) > (frame.max_turn - std::fabs(frame.turned)) * frame.frames_left + kRounding) return false;
  const double step = clamp(frame.turned + wrong * frame.share, -frame.max_turn, frame.max_turn);
  pose_.theta = normalize_angle(pose_.theta + step);
  return true;
}

// Goes along with the robot and takes a share of the correction besides. False where there is no time for all of it.
bool ShownRobot::slide(const Frame& frame) noexcept {
  const Vec2 from = pose_.position(), to = frame.goal.position();
  // where no robot can stand the plan is wrong, and no wall of it is to be believed
  const bool believed = room_.can_stand(from);
  if (believed && !room_.can_slide(from, to)) return go_round(frame);
  const Vec2 wrong = to - from - frame.driven;
  if (length(wrong) > (frame.max_step - length(frame.driven)) * frame.frames_left + kRounding) return false;
  Vec2 step = frame.driven + wrong * frame.share;
  // what the robot drove may lead into a wall from here: then straight to it
  if (believed && !(room_.can_slide(from, from + step) && room_.can_slide(from + step, to))) {
    step = (to - from) * std::min(1.0, frame.share + length(frame.driven) / std::max(distance(from, to), kRounding));
  }
  const double size = length(step);
  const Vec2 at = size <= frame.max_step ? from + step : from + step * (frame.max_step / size);
  pose_ = {at.x, at.y, pose_.theta};
  return true;
}

bool ShownRobot::go_round(const Frame& frame) noexcept {
  const double own = length(frame.driven);
  const double longest = own + (frame.max_step - own) * frame.frames_left;
  const double way = way_.find(room_, pose_.position(), frame.goal.position(), longest);
  if (way > longest) return false;
  const Vec2 at = way_.follow(room_, pose_.position(), std::min(frame.max_step, way * frame.share + own));
  pose_ = {at.x, at.y, pose_.theta};
  return true;
}

// Out, over, in. True in the frame that is elsewhere.
bool ShownRobot::fade(const Pose2& goal, double dt) noexcept {
  const double change = 2 * dt / params_.fade_s;
  if (!fading_out_) {
    presence_ = std::min(1.0, presence_ + change);
    return false;
  }
  presence_ = std::max(0.0, presence_ - change);
  if (presence_ > 0) return false;
  fading_out_ = false;
  remaining_ = 0;
  pose_ = goal;
  return true;
}

}  // namespace forerun::predict
