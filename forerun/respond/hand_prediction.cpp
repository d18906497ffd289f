#include "forerun/respond/hand_prediction.hpp"

#include <algorithm>

#include "forerun/base/math.hpp"
#include "forerun/respond/ways.hpp"

namespace forerun::respond {
namespace {

constexpr Duration kSilence = from_seconds(0.6);  // whoever drives by hand says so more often
constexpr double kKept = 0.8;                     // of what reports before have shown
constexpr double kFastest = 15;                   // more than any robot drives [m/s]
constexpr double kAnyway = 0.5;                   // what poses are off [m]

double squared_distance(const Pose2& a, const Pose2& b) noexcept { return square(a.x - b.x) + square(a.y - b.y); }

// In place, and of a point beside the robot.
double squared_error(const Pose2& said, const Pose2& seen) noexcept {
  constexpr double kBeside = 0.3;  // [m]
  return squared_distance(said, seen) + square(kBeside * normalize_angle(said.theta - seen.theta));
}

}  // namespace

void HandPrediction::give(RobotTime time, const robot::Twist& velocity) noexcept {
  if (!given_) base_ = time;
  // how long commands are on their way is an estimate: what was given later gets there later
  given_ = given_ ? std::max(*given_, time) : time;
  responder_.give(seconds(*given_), velocity);
}

void HandPrediction::judge(const robot::Report& report) noexcept {
  const auto said = responder_.at(seconds(report.time));
  const double gap = to_seconds(report.time - newest_->time);
  if (!said || !(gap > 0)) return;
  const Pose2 straight = robot::move(newest_->state.pose, newest_->state.velocity, gap);
  off_ = kKept * off_ + squared_error(*said, report.state.pose);
  straight_off_ = kKept * straight_off_ + squared_error(straight, report.state.pose);
  judged_ = true;
}

void HandPrediction::take(const robot::Report& report) noexcept {
  const bool ours = report.hand_driven && given_ && report.time - *given_ < kSilence;
  if (!ours) {
    newest_.reset();
    responder_.forget();
    return;
  }
  if (newest_) judge(report);
  newest_ = report;
  responder_.see(seconds(report.time), report.state.pose, report.state.velocity);
}

std::optional<robot::State> HandPrediction::at(RobotTime time) const noexcept {
  if (!newest_ || !judged_ || off_ > straight_off_) return std::nullopt;
  const auto pose = responder_.at(seconds(time));
  if (!pose) return std::nullopt;
  const double ahead = to_seconds(time - newest_->time);
  // weights may be anybody's: nobody is shown a robot that is where none can be
  const double farthest = kFastest * ahead + kAnyway;
  if (!(squared_distance(*pose, newest_->state.pose) <= square(farthest))) return std::nullopt;
  const Expected then = ahead > 0 ? expected_ahead(model_.response, responder_.origin(), responder_.commands(), ahead)
                                  : Expected{{}, responder_.origin().motion};
  return robot::State{{pose->x, pose->y, normalize_angle(pose->theta)}, then.motion.velocity};
}

}  // namespace forerun::respond
