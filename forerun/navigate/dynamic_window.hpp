// The next velocities: reachable within one period, safe to stop from, and the best by G (PSS-4; Fox, Burgard and
// Thrun 1997).
#pragma once

#include <span>

#include "forerun/base/fixed_vector.hpp"
#include "forerun/navigate/obstacles.hpp"
#include "forerun/robot/description.hpp"

namespace forerun::navigate {

class ArcField;

// Where to.
struct Aim {
  Vec2 target_in_robot;
  bool stop_there = false;  // the last target: arrive with speed 0
};

enum class Motion {
  forward,   // an admissible velocity moves forward
  turning,   // on the spot, towards the target
  recovery,  // nothing forward is admissible: turning on the spot, or backing off, until something is
  braking,   // nothing is admissible: slowing down as hard as possible
  blocked,   // every way to the goal is closed at the moment: waiting
};

// One velocity of the window, with what speaks for it.
struct Candidate {
  double v = 0;            // [m/s]
  double w = 0;            // [rad/s]
  double distance = 0;     // path to contact, at most the cap [m]
  double heading = 0;      // 1: faces the target, 0: faces away
  double score = 0;        // G before smoothing
  bool admissible = true;  // it can stop in time
  bool judged = false;     // else the distance is the cap, and the score what it would be with that
};

inline constexpr std::size_t kMaxSpeedSamples = 31;
inline constexpr std::size_t kMaxTurnSamples = 63;
inline constexpr std::size_t kMaxCandidates = kMaxSpeedSamples * kMaxTurnSamples;
using Candidates = FixedVector<Candidate, kMaxCandidates>;

struct Choice {
  robot::Twist command;
  Motion motion = Motion::braking;
  double distance = 0;  // free path along the chosen arc, at most the cap [m]
};

// Exact angle to contact of a footprint that turns on the spot; infinity for a disc.
[[nodiscard]] double free_turn(const robot::Footprint& footprint, double w, const ObstacleField& obstacles) noexcept;

class DynamicWindow {
 public:
  // `max_curvature`: of the sharpest turn that the drive can do [1/m].
  DynamicWindow(const robot::Footprint& footprint, const robot::Limits& limits, const robot::Control& control,
                double max_curvature = kInfinity) noexcept;

  // `turn_side` remembers between calls which way a recovery turns (0: none). Allocates nothing.
  [[nodiscard]] Choice choose(const robot::Twist& velocity, const Aim& aim, const ObstacleField& obstacles,
                              int& turn_side, Candidates& candidates) const noexcept;

  // The footprint with its margin, or with what is left of it where something already stands nearer.
  [[nodiscard]] robot::Footprint widened(const ObstacleField& obstacles) const noexcept;

  // Exact path length to contact of a footprint with the obstacles along the arc of (v, w), v > 0; at most the cap.
  [[nodiscard]] double free_arc(const robot::Footprint& footprint, double v, double w,
                                const ObstacleField& obstacles) const noexcept;

 private:
  struct Window {
    double v_low, v_high, w_low, w_high;
  };
  // What one period of turning comes to, whatever the speed.
  struct Turn {
    double w = 0;
    double stretch = 0;  // way over speed, in a straight line [s]
    SinCos way;          // its direction
    double faced = 0;    // after it and a braked turn [rad]
  };
  class Search;
  // All that one decision looks at.
  struct Situation {
    const robot::Twist& velocity;
    const Aim& aim;
    const ObstacleField& obstacles;
    robot::Footprint footprint;  // widened
    Window window;
  };
  [[nodiscard]] double speed_for(const Aim& aim) const noexcept;
  [[nodiscard]] Window window(const robot::Twist& velocity, const Aim& aim) const noexcept;
  [[nodiscard]] bool admissible(double v, double w, double distance) const noexcept;
  [[nodiscard]] bool can_turn(double w, const Situation& now) const noexcept;
  [[nodiscard]] Turn turn(double w) const noexcept;
  [[nodiscard]] double heading(double v, const Turn& turn, const Aim& aim) const noexcept;
  [[nodiscard]] double score(const Candidate& c) const noexcept;
  [[nodiscard]] double distance_term(double distance) const noexcept;
  [[nodiscard]] double speed_term(double v) const noexcept;
  void list_turns(const Window& window, std::span<Turn> turns) const noexcept;
  void list(const Situation& now, Candidates& candidates) const noexcept;
  void judge(const Situation& now, const ArcField& arcs, Candidate& c) const noexcept;
  [[nodiscard]] Choice recover(const Situation& now, int& turn_side) const noexcept;
  // The speed backwards for what can neither turn nor go ahead; 0 where there is no room [m/s].
  [[nodiscard]] double back_off_speed(const Situation& now) const noexcept;
  [[nodiscard]] bool must_back_off(const Situation& now, bool backs_off) const noexcept;
  [[nodiscard]] bool can_turn_on_the_spot() const noexcept { return max_curvature_ == kInfinity; }
  [[nodiscard]] int free_side(double target_bearing, const Situation& now) const noexcept;

  robot::Footprint footprint_;
  robot::Limits limits_;
  robot::Control control_;
  double max_curvature_;
  double standing_;  // slower than this is standing [m/s]; well below what one period can reach
};

// The largest v from which the robot still stops within `distance` when it first goes on for `delay` (PSS-4).
[[nodiscard]] double stoppable_speed(double distance, double deceleration, double delay) noexcept;

}  // namespace forerun::navigate
