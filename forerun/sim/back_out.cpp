#include "forerun/sim/back_out.hpp"

#include <cmath>

namespace forerun::sim {
namespace {

constexpr double kCarefully = 0.3;  // of the top speed and turn rate
constexpr double kFar = 0.2;        // it has come away [m]
constexpr double kBlind = 0.08;     // likewise, of a robot that sees nothing [m]
constexpr double kTurned = 0.3;     // likewise, after turning into it on the spot [rad]
constexpr double kStill = 0.01;     // slower than this is standing [m/s], [rad/s]
constexpr Duration kPatience = from_seconds(4);

double speed_of(const robot::Twist& v) noexcept { return length(Vec2{v.vx, v.vy}); }

}  // namespace

void BackOut::begin(const robot::Twist& came, const robot::Limits& limits, const navigate::Percept& percept) noexcept {
  const double speed = speed_of(came);
  // slower by the same factor all, it is the same arc
  double factor = std::fabs(came.w) > 0 ? -kCarefully * limits.max_turn_rate / std::fabs(came.w) : 0;
  if (speed > kStill) factor = -kCarefully * limits.max_speed / speed;
  going_ = {{came.vx * factor, came.vy * factor, came.w * factor}, percept.odometry, percept.time};
}

std::optional<robot::Twist> BackOut::next(const navigate::Percept& percept, navigate::HandWatch* watch) noexcept {
  if (!going_) return std::nullopt;
  const double way = distance(percept.odometry.position(), going_->from.position());
  const double turned = std::fabs(normalize_angle(percept.odometry.theta - going_->from.theta));
  const bool moves = speed_of(going_->velocity) > kStill;
  const bool is_away = moves ? way > (watch != nullptr ? kFar : kBlind) : turned > kTurned;
  if (is_away || percept.time - going_->since > kPatience) return end(), std::nullopt;
  if (watch == nullptr) return going_->velocity;
  const robot::Twist allowed = watch->allow(percept.velocity, going_->velocity).velocity;
  if (speed_of(allowed) > kStill || std::fabs(allowed.w) > kStill) return allowed;
  if (going_->other_way) return end(), std::nullopt;
  const robot::Twist& tried = going_->velocity;
  going_ = {{-tried.vx, -tried.vy, 0}, percept.odometry, percept.time, true};
  return robot::Twist{};
}

}  // namespace forerun::sim
