#include "forerun/predict/manners.hpp"

#include <algorithm>
#include <cmath>

namespace forerun::predict {
namespace {

constexpr double kStanding = 0.1;  // slower than this a robot hardly moves [m/s]
constexpr double kFarAway = 2;     // nearer to its goal than this it slows down for that [m]
constexpr double kMostBends = 15;  // what is longer ago counts less

}  // namespace

void Manners::take_in(const robot::Report& report, double top_speed, bool held_up) noexcept {
  if (!held_up) learn_bends(report, top_speed);
  learn_turning(report);
}

void Manners::learn_bends(const robot::Report& report, double top_speed) noexcept {
  const bool drives = report.task == robot::TaskState::driving && report.state.velocity.vx > kStanding;
  const bool is_far = report.goal && distance(*report.goal, report.state.pose.position()) > kFarAway;
  if (!drives || !is_far || !(std::fabs(report.state.velocity.w) > kBend)) return;
  n_bends_ = std::min(n_bends_ + 1, kMostBends);
  bend_speed_ += (std::min(1.0, report.state.velocity.vx / top_speed) - bend_speed_) / n_bends_;
}

// Robots turn on the spot slower than their wheels could.
void Manners::learn_turning(const robot::Report& report) noexcept {
  constexpr double kGain = 0.4;
  const double w = std::fabs(report.state.velocity.w);
  if (std::fabs(report.state.velocity.vx) > kStanding / 2 || w < 0.15) return;
  const double gain = w > turn_rate_ ? 1.5 * kGain : 0.7 * kGain;
  turn_rate_ = turn_rate_ > 0 ? turn_rate_ + gain * (w - turn_rate_) : w;
}

}  // namespace forerun::predict
