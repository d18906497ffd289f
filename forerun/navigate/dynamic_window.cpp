#include "forerun/navigate/dynamic_window.hpp"

#include <algorithm>
#include <cmath>

#include "forerun/robot/arc.hpp"
#include "forerun/robot/motion.hpp"

namespace forerun::navigate {
namespace {

constexpr double kBrakeShare = 0.85;    // of the braking limit that plans count on; the rest is for noise
constexpr double kLeastMargin = 0.015;  // left around the footprint in the tightest spot [m]
constexpr double kWorthwhile = 0.25;    // a free way shorter than this leads nowhere [m]
constexpr double kCarefully = 0.3;      // of the top speed: backwards, and to what lies aside or behind
constexpr double kFacing = 0.15;        // a target nearer to straight ahead than this is faced [rad]
constexpr double kTurnOnSpot = 1.2;     // a target further aside than this is turned to on the spot [rad]

double sample(double low, double high, int i, int n) noexcept {
  return i == n - 1 ? high : low + (high - low) * i / (n - 1);
}

}  // namespace

double stoppable_speed(double distance, double a, double T) noexcept {
  return -a * T + sqrt(a * a * T * T + 2 * a * std::max(0.0, distance));
}

DynamicWindow::DynamicWindow(const robot::Footprint& footprint, const robot::Limits& limits,
                             const robot::Control& control, double max_curvature) noexcept
    : footprint_(footprint),
      limits_(limits),
      control_(control),
      max_curvature_(max_curvature),
      standing_(std::min({0.04, 0.4 * limits.acceleration * control.period, 0.4 * limits.max_speed})) {}

robot::Footprint DynamicWindow::widened(const ObstacleField& obstacles) const noexcept {
  double room = control_.margin + kLeastMargin;
  for (const Obstacle& o : obstacles.nearest_first()) {
    if (o.range - footprint_.radius >= room) break;
    room = std::min(room, robot::distance_to(footprint_, o.point_in_robot));
  }
  return robot::widen(footprint_, clamp(room - kLeastMargin, kLeastMargin, control_.margin));
}

double DynamicWindow::free_arc(const robot::Footprint& footprint, double v, double w,
                               const ObstacleField& obstacles) const noexcept {
  const double curvature = w / v;
  const double r = footprint.radius;
  robot::ArcProbe probe(footprint, curvature, control_.distance_cap);
  for (const Obstacle& o : obstacles.nearest_first()) {
    // no arc is shorter than the straight line
    if (o.range - r >= probe.nearest()) break;
    // the circumscribed disc passes the point by: |κ (|p|² − r²) − 2 p_y| > 2 r
    const double passing = curvature * (o.range * o.range - r * r) - 2 * o.point_in_robot.y;
    if (std::fabs(passing) > 2 * r && o.range > r) continue;
    probe.meet(o.point_in_robot);
  }
  return probe.nearest();
}

double free_turn(const robot::Footprint& footprint, double w, const ObstacleField& obstacles) noexcept {
  double nearest = kInfinity;
  if (footprint.is_disc() || w == 0) return nearest;
  for (const Obstacle& o : obstacles.nearest_first()) {
    if (o.range > footprint.radius) break;
    nearest = std::min(nearest, robot::turn_to_contact(footprint, w, o.point_in_robot));
  }
  return nearest;
}

// The speed that still allows to hit the target: by braking to it, and by turning to it.
double DynamicWindow::speed_for(const Aim& aim) const noexcept {
  const double d = length(aim.target_in_robot);
  const double aside = std::fabs(angle_of(aim.target_in_robot));
  double speed = limits_.max_speed;
  if (aim.stop_there) {
    const double delay = control_.period + control_.motor_lag;
    speed = std::min(speed, std::max(1.5 * standing_, stoppable_speed(d, kBrakeShare * limits_.deceleration, delay)));
  }
  // what cannot turn on the spot goes round slowly
  if (!can_turn_on_the_spot()) return std::min(speed, aside >= kTurnOnSpot ? kCarefully * limits_.max_speed : speed);
  if (aside >= kTurnOnSpot) return 0;
  // the circle through the target that is tangent to the heading has the radius d / (2 sin β)
  const double turning = limits_.max_turn_rate * d / (2 * std::max(1e-6, sin(aside)));
  return std::min(speed, turning * (1 - aside / kTurnOnSpot));
}

DynamicWindow::Window DynamicWindow::window(const Situation& now) const noexcept {
  const double T = control_.period;
  const double v = clamp(now.velocity.vx, 0.0, limits_.max_speed);
  const double w = clamp(now.velocity.w, -limits_.max_turn_rate, limits_.max_turn_rate);
  const double toward_left = (w >= 0 ? limits_.turn_acceleration : limits_.turn_deceleration) * T;
  const double toward_right = (w <= 0 ? limits_.turn_acceleration : limits_.turn_deceleration) * T;
  Window window{std::max(0.0, v - limits_.deceleration * T), std::min(limits_.max_speed, v + limits_.acceleration * T),
                std::max(-limits_.max_turn_rate, w - toward_right), std::min(limits_.max_turn_rate, w + toward_left)};
  window.v_high = std::max(window.v_low, std::min(window.v_high, speed_for(now.aim)));
  return window;
}

bool DynamicWindow::admissible(double v, double w, double distance) const noexcept {
  const double delay = control_.period + control_.motor_lag;
  if (v > stoppable_speed(distance, kBrakeShare * limits_.deceleration, delay)) return false;
  // turning must end before contact too: the angle left on the arc is distance · |ω| / v
  const double angle = distance * std::fabs(w) / v;
  return std::fabs(w) <= stoppable_speed(angle, limits_.turn_deceleration, delay);
}

bool DynamicWindow::can_turn(double w, const Situation& now) const noexcept {
  const double free = free_turn(now.footprint, w, now.obstacles);
  return std::fabs(w) <= stoppable_speed(free, limits_.turn_deceleration, control_.period + control_.motor_lag);
}

// 1 where the robot faces the target after this period and a braked turn, 0 where it faces away.
double DynamicWindow::heading(double v, double w, const Aim& aim) const noexcept {
  const double T = control_.period;
  const Pose2 after = robot::move({}, {v, 0, w}, T);
  const double faced = after.theta + w * std::fabs(w) / (2 * limits_.turn_deceleration);
  const double off = normalize_angle(angle_of(aim.target_in_robot - after.position()) - faced);
  return 1 - std::fabs(off) / kPi;
}

void DynamicWindow::evaluate(const Situation& now, Candidates& candidates) const noexcept {
  candidates.clear();
  const Window window = this->window(now);
  // standing still must not look freer than moving on: it is judged like this slow an arc
  const double slowest_arc = 0.1 * limits_.max_speed;
  const bool only_turning = window.v_high <= standing_;
  const double w_step = (window.w_high - window.w_low) / (control_.turn_samples - 1);
  for (int i = 0; i < control_.speed_samples; ++i) {
    const double v = sample(window.v_low, window.v_high, i, control_.speed_samples);
    const double sharpest = can_turn_on_the_spot() ? kInfinity : v * max_curvature_;
    for (int j = 0; j < control_.turn_samples; ++j) {
      Candidate c{.v = v, .w = sample(window.w_low, window.w_high, j, control_.turn_samples)};
      // straight on, where it is within the window, is worth having exactly
      if (std::fabs(c.w) < 0.5 * w_step && window.w_low <= 0 && window.w_high >= 0) c.w = 0;
      c.w = clamp(c.w, -sharpest, sharpest);
      c.distance =
          only_turning ? control_.distance_cap : free_arc(now.footprint, std::max(v, slowest_arc), c.w, now.obstacles);
      c.admissible = v > standing_ ? admissible(v, c.w, c.distance) : can_turn(c.w, now);
      c.score = control_.heading_weight * heading(v, c.w, now.aim) +
                control_.distance_weight * c.distance / control_.distance_cap +
                control_.velocity_weight * v / limits_.max_speed;
      candidates.push_back(c);
    }
  }
}

// Smooths G over the (v, ω) grid, where inadmissible neighbours count nothing: that keeps away from the sides.
const Candidate* DynamicWindow::best(const Candidates& candidates) const noexcept {
  const int n_v = control_.speed_samples, n_w = control_.turn_samples;
  const Candidate* chosen = nullptr;
  double highest = -1;
  for (int i = 0; i < n_v; ++i) {
    for (int j = 0; j < n_w; ++j) {
      const Candidate& c = candidates[static_cast<std::size_t>(i * n_w + j)];
      if (!c.admissible) continue;
      double sum = 0;
      int count = 0;
      for (int di = -1; di <= 1; ++di) {
        for (int dj = -1; dj <= 1; ++dj) {
          if ((di == 0 && dj == 0) || i + di < 0 || i + di >= n_v || j + dj < 0 || j + dj >= n_w) continue;
          const Candidate& neighbour = candidates[static_cast<std::size_t>((i + di) * n_w + j + dj)];
          if (neighbour.admissible) sum += neighbour.score;
          ++count;
        }
      }
      const double smoothed = (1 - control_.smoothing) * c.score + control_.smoothing * sum / count;
      if (smoothed > highest) {
        highest = smoothed;
        chosen = &c;
      }
    }
  }
  return chosen;
}

// Stops; then turns on the spot: to the target where the way there is free, else to the side that comes free sooner.
Choice DynamicWindow::recover(const Situation& now, int& turn_side) const noexcept {
  if (now.velocity.vx > standing_) {
    // brake along the arc it is on
    const double v = std::max(0.0, now.velocity.vx - limits_.deceleration * control_.period);
    return {{v, 0, now.velocity.w * v / now.velocity.vx}, Motion::braking, 0};
  }
  if (!can_turn_on_the_spot()) {
    turn_side = 1;
    const double speed = back_off_speed(now);
    return {{-speed, 0, 0}, speed > 0 ? Motion::recovery : Motion::braking, 0};
  }
  const double bearing = angle_of(now.aim.target_in_robot);
  const double way = now.obstacles.free_way(unit_vector(bearing), now.footprint.radius, kWorthwhile);
  double angle = kPi / 2;  // left to turn: a turn away has no end of its own
  if (way >= kWorthwhile && std::fabs(bearing) > kFacing) {
    turn_side = bearing > 0 ? 1 : -1;
    angle = std::fabs(bearing);
  } else if (turn_side == 0) {
    turn_side = free_side(bearing, now);
  }
  const double delay = control_.period + control_.motor_lag;
  const double free = free_turn(now.footprint, turn_side, now.obstacles);
  const double rate = std::min({0.5 * limits_.max_turn_rate, stoppable_speed(angle, limits_.turn_deceleration, delay),
                                stoppable_speed(free, limits_.turn_deceleration, delay)});
  return {{0, 0, turn_side * rate}, Motion::recovery, 0};
}

double DynamicWindow::back_off_speed(const Situation& now) const noexcept {
  const double way = now.obstacles.free_way({-1, 0}, now.footprint.radius, control_.distance_cap);
  if (way < kWorthwhile) return 0;
  const double delay = control_.period + control_.motor_lag;
  return std::min(kCarefully * limits_.max_speed, stoppable_speed(way, kBrakeShare * limits_.deceleration, delay));
}

// A target within the sharpest turn would only be circled. Once backing off, the robot makes more room than it needs.
bool DynamicWindow::must_back_off(const Situation& now, bool backs_off) const noexcept {
  if (can_turn_on_the_spot()) return false;
  const Vec2 target = now.aim.target_in_robot;
  const double diameter = 2 / max_curvature_ * (backs_off ? 1.5 : 1);
  return dot(target, target) < diameter * std::fabs(target.y) && back_off_speed(now) > 0;
}

// The side on which a free direction comes up first, the target's own side counting half.
int DynamicWindow::free_side(double target_bearing, const Situation& now) const noexcept {
  constexpr int kDirectionsTried = 24;
  constexpr double kFarEnough = 2 * kWorthwhile;
  double least = kInfinity;
  int side = target_bearing >= 0 ? 1 : -1;
  for (int i = 0; i < kDirectionsTried; ++i) {
    const double bearing = normalize_angle((i + 0.5) * kTwoPi / kDirectionsTried);
    if (now.obstacles.free_way(unit_vector(bearing), now.footprint.radius, kFarEnough) < kFarEnough) continue;
    const double cost = std::fabs(bearing) + 0.5 * std::fabs(normalize_angle(target_bearing - bearing));
    if (cost < least) {
      least = cost;
      side = bearing > 0 ? 1 : -1;
    }
  }
  return side;
}

Choice DynamicWindow::choose(const robot::Twist& velocity, const Aim& aim, const ObstacleField& obstacles,
                             int& turn_side, Candidates& candidates) const noexcept {
  const Situation now{velocity, aim, obstacles, widened(obstacles)};
  evaluate(now, candidates);
  if (must_back_off(now, turn_side != 0)) return recover(now, turn_side);
  const bool can_move = std::any_of(candidates.begin(), candidates.end(),
                                    [&](const Candidate& c) { return c.admissible && c.v > standing_; });
  const bool should_turn = speed_for(aim) <= standing_;
  const Candidate* c = best(candidates);
  if (c == nullptr || (!can_move && !should_turn)) return recover(now, turn_side);
  turn_side = 0;
  return {{c->v, 0, c->w}, c->v > standing_ ? Motion::forward : Motion::turning, c->distance};
}

}  // namespace forerun::navigate
