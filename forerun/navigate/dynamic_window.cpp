#include "forerun/navigate/dynamic_window.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "forerun/navigate/arc_field.hpp"
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
  return ArcField(footprint, obstacles, control_.distance_cap).free_arc(w / v);
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

DynamicWindow::Window DynamicWindow::window(const robot::Twist& velocity, const Aim& aim) const noexcept {
  const double T = control_.period;
  const double v = clamp(velocity.vx, 0.0, limits_.max_speed);
  const double w = clamp(velocity.w, -limits_.max_turn_rate, limits_.max_turn_rate);
  const double toward_left = (w >= 0 ? limits_.turn_acceleration : limits_.turn_deceleration) * T;
  const double toward_right = (w <= 0 ? limits_.turn_acceleration : limits_.turn_deceleration) * T;
  Window window{std::max(0.0, v - limits_.deceleration * T), std::min(limits_.max_speed, v + limits_.acceleration * T),
                std::max(-limits_.max_turn_rate, w - toward_right), std::min(limits_.max_turn_rate, w + toward_left)};
  window.v_high = std::max(window.v_low, std::min(window.v_high, speed_for(aim)));
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

DynamicWindow::Turn DynamicWindow::turn(double w) const noexcept {
  // as robot::move
  const double T = control_.period, half_turn = 0.5 * w * T;
  return {w, T * sinc(half_turn), sincos(half_turn), w * T + w * std::fabs(w) / (2 * limits_.turn_deceleration)};
}

// 1 where the robot faces the target after this period and a braked turn, 0 where it faces away.
double DynamicWindow::heading(double v, const Turn& turn, const Aim& aim) const noexcept {
  const Vec2 after{turn.stretch * (v * turn.way.cos), turn.stretch * (v * turn.way.sin)};
  const double off = normalize_angle(angle_of(aim.target_in_robot - after) - turn.faced);
  return 1 - std::fabs(off) / kPi;
}

// The sum of what speaks for a velocity: its heading, its distance and its speed.
double DynamicWindow::score(const Candidate& c) const noexcept {
  return control_.heading_weight * c.heading + distance_term(c.distance) + speed_term(c.v);
}
double DynamicWindow::distance_term(double distance) const noexcept {
  return control_.distance_weight * distance / control_.distance_cap;
}
double DynamicWindow::speed_term(double v) const noexcept { return control_.velocity_weight * v / limits_.max_speed; }

// The turn rates of the window.
void DynamicWindow::list_turns(const Window& window, std::span<Turn> turns) const noexcept {
  const double w_step = (window.w_high - window.w_low) / (control_.turn_samples - 1);
  for (int j = 0; j < control_.turn_samples; ++j) {
    double w = sample(window.w_low, window.w_high, j, control_.turn_samples);
    // straight on, where it is within the window, is worth having exactly
    if (std::fabs(w) < 0.5 * w_step && window.w_low <= 0 && window.w_high >= 0) w = 0;
    turns[static_cast<std::size_t>(j)] = turn(w);
  }
}

// All velocities of the window, none of them judged.
void DynamicWindow::list(const Situation& now, Candidates& candidates) const noexcept {
  const Window& window = now.window;
  const auto n_turns = static_cast<std::size_t>(control_.turn_samples);
  std::array<Turn, kMaxTurnSamples> turns;
  list_turns(window, turns);
  const double with_nothing_near = distance_term(control_.distance_cap);
  candidates.clear();
  for (int i = 0; i < control_.speed_samples; ++i) {
    const double v = sample(window.v_low, window.v_high, i, control_.speed_samples);
    const double sharpest = can_turn_on_the_spot() ? kInfinity : v * max_curvature_;
    const double for_speed = speed_term(v);
    for (std::size_t j = 0; j < n_turns; ++j) {
      const double w = clamp(turns[j].w, -sharpest, sharpest);
      Candidate c{.v = v, .w = w, .distance = control_.distance_cap};
      c.heading = heading(v, w == turns[j].w ? turns[j] : turn(w), now.aim);
      c.score = control_.heading_weight * c.heading + with_nothing_near + for_speed;
      candidates.push_back(c);
    }
  }
}

void DynamicWindow::judge(const Situation& now, const ArcField& arcs, Candidate& c) const noexcept {
  // standing still must not look freer than moving on: it is judged like this slow an arc
  const double slowest_arc = 0.1 * limits_.max_speed;
  const bool only_turning = now.window.v_high <= standing_;
  if (!only_turning) c.distance = arcs.free_arc(c.w / std::max(c.v, slowest_arc));
  c.admissible = c.v > standing_ ? admissible(c.v, c.w, c.distance) : can_turn(c.w, now);
  c.score = score(c);
  c.judged = true;
}

// Finds the best by G, smoothed over the (v, ω) grid, where inadmissible neighbours count nothing: that keeps away from
// the sides. Judges no more velocities than that takes: one that has not been judged is at most as good as with nothing
// in its way.
class DynamicWindow::Search {
 public:
  Search(const DynamicWindow& window, const Situation& now, Candidates& candidates) noexcept
      : window_(window),
        now_(now),
        candidates_(candidates),
        arcs_(now.footprint, now.obstacles, window.control_.distance_cap),
        n_v_(static_cast<std::size_t>(window.control_.speed_samples)),
        n_w_(static_cast<std::size_t>(window.control_.turn_samples)) {
    window.list(now, candidates);
    std::fill_n(counted_.begin(), (n_v_ + 2) * (n_w_ + 2), 0.0);
    for (std::size_t i = 0; i < n_v_; ++i) {
      for (std::size_t j = 0; j < n_w_; ++j) counted(i, j) = candidates[index(i, j)].score;
    }
    for (std::size_t i = 0; i < n_v_; ++i) {
      for (std::size_t j = 0; j < n_w_; ++j) at_most_[index(i, j)] = smoothed(i, j);
      find_highest_of(i);
    }
  }

  // The first of the best; null where none is admissible.
  [[nodiscard]] const Candidate* best() noexcept {
    for (;;) {
      std::size_t i = 0;
      for (std::size_t row = 1; row < n_v_; ++row) {
        if (at_most_[highest_[row]] > at_most_[highest_[i]]) i = row;
      }
      const std::size_t found = highest_[i];
      if (at_most_[found] < 0) return nullptr;
      if (look_closer(i, found - i * n_w_)) return &candidates_[found];
      find_highest_of(i);
    }
  }

  // Whether anything that moves is admissible.
  [[nodiscard]] bool can_move() noexcept {
    for (std::size_t i = n_v_; i-- > 0;) {
      for (std::size_t j = 0; j < n_w_; ++j) {
        const Candidate& c = candidates_[index(i, j)];
        if (!(c.v > window_.standing_)) continue;
        judge(i, j);
        if (c.admissible) return true;
      }
    }
    return false;
  }

 private:
  [[nodiscard]] std::size_t index(std::size_t i, std::size_t j) const noexcept { return i * n_w_ + j; }
  // What a velocity counts in its neighbours' G; 0 around the grid.
  double& counted(std::size_t i, std::size_t j) noexcept { return counted_[(i + 1) * (n_w_ + 2) + j + 1]; }

  void judge(std::size_t i, std::size_t j) noexcept {
    Candidate& c = candidates_[index(i, j)];
    if (c.judged) return;
    window_.judge(now_, arcs_, c);
    counted(i, j) = c.admissible ? c.score : 0;
  }

  // G as far as it is known: too high at most.
  [[nodiscard]] double smoothed(std::size_t i, std::size_t j) noexcept {
    const double* const above = &counted(i, j) - (n_w_ + 2);
    const double* const here = above + (n_w_ + 2);
    const double* const below = here + (n_w_ + 2);
    const double sum = above[-1] + above[0] + above[1] + here[-1] + here[1] + below[-1] + below[0] + below[1];
    const int rows = i == 0 || i + 1 == n_v_ ? 2 : 3, columns = j == 0 || j + 1 == n_w_ ? 2 : 3;
    const double share = window_.control_.smoothing;
    return (1 - share) * *here + share * sum / (rows * columns - 1);
  }

  // Finds out more about one that may be the best. True when there was nothing left to find out.
  bool look_closer(std::size_t i, std::size_t j) noexcept {
    judge(i, j);
    double& at_most = at_most_[index(i, j)];
    const double before = at_most;
    at_most = candidates_[index(i, j)].admissible ? smoothed(i, j) : -1;
    if (at_most < before) return false;
    for (std::size_t a = i > 0 ? i - 1 : 0; a <= std::min(i + 1, n_v_ - 1); ++a) {
      for (std::size_t b = j > 0 ? j - 1 : 0; b <= std::min(j + 1, n_w_ - 1); ++b) judge(a, b);
    }
    at_most = smoothed(i, j);
    return at_most == before;
  }

  void find_highest_of(std::size_t i) noexcept {
    std::size_t highest = index(i, 0);
    for (std::size_t k = highest + 1; k < index(i + 1, 0); ++k) {
      if (at_most_[k] > at_most_[highest]) highest = k;
    }
    highest_[i] = highest;
  }

  const DynamicWindow& window_;
  const Situation& now_;
  Candidates& candidates_;
  const ArcField arcs_;
  std::size_t n_v_, n_w_;
  std::array<double, (kMaxSpeedSamples + 2) * (kMaxTurnSamples + 2)> counted_;
  std::array<double, kMaxCandidates> at_most_;         // G of each velocity; −1: not admissible
  std::array<std::size_t, kMaxSpeedSamples> highest_;  // which of each speed
};

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
  const Situation now{velocity, aim, obstacles, widened(obstacles), window(velocity, aim)};
  if (must_back_off(now, turn_side != 0)) return recover(now, turn_side);
  Search search(*this, now, candidates);
  const Candidate* c = search.best();
  const bool should_turn = speed_for(aim) <= standing_;
  if (c == nullptr || (!should_turn && !search.can_move())) return recover(now, turn_side);
  turn_side = 0;
  return {{c->v, 0, c->w}, c->v > standing_ ? Motion::forward : Motion::turning, c->distance};
}

}  // namespace forerun::navigate
