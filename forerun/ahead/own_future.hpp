// What follows from the commands that are under way to the robot (BEY-10): where it is by them, how sure that is, where
// it will be when the newest one lands, and where it would come to rest after letting go.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "forerun/ahead/hand_run.hpp"
#include "forerun/ahead/own_commands.hpp"

namespace forerun::ahead {

// Second moments of where it may be, about where it is predicted [m²].
struct Blur {
  double xx = 0, xy = 0, yy = 0;
};

// Drives it to a goal that it was given, which no report shows yet.
class GoalDriver {
 public:
  virtual ~GoalDriver() = default;
  virtual void start(RobotTime time, const robot::State& state, Vec2 goal) noexcept = 0;
  // Not back in time.
  virtual robot::State advance(RobotTime time) noexcept = 0;
};

// Where a robot will be that goes on with what it was told.
struct Landing {
  static constexpr std::size_t kMostPlaces = 96;

  std::uint64_t number = 0;             // of the newest command
  RobotTime lands;                      // when what is done now shows: it has got there, and the dead time is over
  robot::State state;                   // then
  bool goes_by_itself = false;          // to a goal: nobody lets go
  Pose2 rest;                           // where it would come to rest, were it let go of now …
  bool meets_wall = false;              // … or where something is in its way …
  Pose2 contact;                        // … which is here
  FixedVector<Pose2, kMostPlaces> way;  // from now to there, a place each `kStep`, and the last one
  static constexpr Duration kStep = from_seconds(0.1);
};

class OwnFuture {
 public:
  // `robot` and `clearance` must outlive it (KnownFloor).
  OwnFuture(const robot::Description& robot, const Grid<float>& clearance, std::span<const world::Door> doors,
            const CommandRules& rules = {});

  void give(const OwnCommand& command) noexcept;
  // What was lost or refused is taken out again.
  void settle(std::uint64_t number, Settled outcome) noexcept;
  // A newer report: forgets what it shows, and learns from where it has the robot.
  void take(const robot::Report& report) noexcept;
  // Of another robot side, or after a mission began.
  void clear() noexcept;

  // From when on commands count that the report does not show, if there are any; and if they are not begun yet.
  [[nodiscard]] std::optional<RobotTime> begins() const noexcept;
  [[nodiscard]] bool is_begun() const noexcept { return is_begun_; }
  // From here on it is driven so.
  void begin(RobotTime time, const robot::State& state, const Blur& blur) noexcept;
  // Not back in time; begun before. Allocates nothing, as all of this. Without a driver no goal is driven to.
  void advance(RobotTime time, const sense::SeenWorld* seen, GoalDriver* driver) noexcept;
  [[nodiscard]] const robot::State& state() const noexcept { return state_; }
  [[nodiscard]] bool goes_by_itself() const noexcept { return is_at_goal_; }
  [[nodiscard]] Vec2 goal() const noexcept { return goal_; }
  [[nodiscard]] bool is_held() const noexcept { return !is_at_goal_ && runs_[0].held_at().has_value(); }
  // Where the robot may be at the time advanced to.
  [[nodiscard]] Blur blur() const noexcept;

  // The state at `now`, from which it goes on where nothing of ours is in force yet. Nothing: no command is under way.
  struct Present {
    RobotTime now;
    robot::State state;
    robot::State at_effect;  // when the first of the commands takes effect, should that be later
  };
  [[nodiscard]] std::optional<Landing> landing(const Present& present, const sense::SeenWorld* seen) const noexcept;
  [[nodiscard]] const OwnCommands& commands() const noexcept { return commands_; }
  // How many times farther off the robot has been than was to be expected.
  [[nodiscard]] double doubt() const noexcept { return doubt_; }

 private:
  static constexpr std::size_t kRuns = 5;
  using Differences = std::array<Difference, kRuns>;
  [[nodiscard]] Differences differences() const noexcept;
  [[nodiscard]] HandInputs inputs(const sense::SeenWorld* seen) const noexcept {
    return {commands_, response_, floor_, seen, slack_, climbs_};
  }
  void again() noexcept;
  void drive_by_hand(RobotTime until, const sense::SeenWorld* seen) noexcept;
  void drive_to_goal(RobotTime until, GoalDriver* driver) noexcept;
  void learn(const robot::Report& report) noexcept;

  const robot::Description& robot_;
  HandResponse response_;
  KnownFloor floor_;
  OwnCommands commands_;
  std::optional<RobotTime> reported_;
  double slack_ = 0;     // as HandInputs have them, by the newest report
  bool climbs_ = false;  //
  bool is_begun_ = false;
  RobotTime begun_;
  robot::State begun_state_;
  Blur begun_blur_;
  const sense::SeenWorld* seen_ = nullptr;  // of the last advance

  RobotTime time_;
  robot::State state_;
  std::array<HandRun, kRuns> runs_;  // the likeliest robot first
  bool is_at_goal_ = false;          // drives to a goal
  Vec2 goal_;
  Vec2 goal_from_;  // where it began to
  double doubt_ = 1;
};

}  // namespace forerun::ahead
