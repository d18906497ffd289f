// The commands that are under way to the robot, or so new that no report shows them yet: which of them is in force at
// which time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "forerun/ahead/own_command.hpp"
#include "forerun/base/fixed_vector.hpp"
#include "forerun/robot/report.hpp"

namespace forerun::ahead {

// How commands travel, as `sync` has it.
struct CommandRules {
  double drive_timeout_s = 0.5;  // hand driving ends so long after its last command (the dead man's switch) [s]
  double repeat_s = 0.1;         // velocities and stops are repeated so often [s]
  double give_up_s = 2.5;        // a goal that no report shows after this time was lost [s]
};

class OwnCommands {
 public:
  static constexpr std::size_t kMost = 128;  // of more, the oldest are forgotten

  explicit OwnCommands(const CommandRules& rules = {}) noexcept : rules_(rules) {}

  // Takes effect after all that were given before. The same once more changes nothing.
  void give(const OwnCommand& command) noexcept;
  // False: no such command is known any more.
  bool settle(std::uint64_t number, Settled outcome) noexcept;
  // Forgets what the report shows, and what it contradicts.
  void take(const robot::Report& report) noexcept;
  void clear() noexcept { entries_.clear(); }

  // What is in force at one time. A robot with bad luck gets commands later, because the first message was lost: then
  // the next one counts, and of letting go, for which there is none, the dead man's switch.
  struct InForce {
    enum class Kind : std::uint8_t { nothing, velocity, goal };
    Kind kind = Kind::nothing;
    robot::Twist velocity;  // zeros: it comes to rest
    Vec2 goal;
    bool operator==(const InForce&) const noexcept = default;
  };
  [[nodiscard]] InForce at(RobotTime time, bool unlucky = false) const noexcept;
  // When the first of them takes effect, after this time; one that is in force already does at once.
  [[nodiscard]] std::optional<RobotTime> begin(RobotTime after) const noexcept;
  // When a goal comes into force or is taken out of it, after this time.
  [[nodiscard]] std::optional<RobotTime> next_goal_change(RobotTime after) const noexcept;

  [[nodiscard]] bool empty() const noexcept { return entries_.empty(); }
  // Of the last one: when it was given last, and when that takes effect.
  struct Newest {
    OwnCommand command;
    RobotTime given, takes_effect;
  };
  [[nodiscard]] std::optional<Newest> newest() const noexcept;
  [[nodiscard]] const CommandRules& rules() const noexcept { return rules_; }
  // The largest there is: of the time of effect [s], and of losing a message.
  [[nodiscard]] double uncertainty_s() const noexcept;
  [[nodiscard]] double chance_lost() const noexcept;

 private:
  // A row of the same velocities is one entry.
  struct Entry {
    OwnCommand command;
    RobotTime given;  // last
    RobotTime from;   // in force from the first …
    RobotTime last;   // … and renewed until the last
    bool is_settled = false;
    bool is_held = false;  // the robot does not move in spite of it: something is in its way
  };
  [[nodiscard]] static bool drives(const Entry& entry) noexcept;
  [[nodiscard]] static bool rests(const Entry& entry) noexcept;
  [[nodiscard]] RobotTime begin_of(const Entry& entry, bool unlucky) const noexcept;
  [[nodiscard]] const Entry* entry_at(RobotTime time, bool unlucky) const noexcept;
  void drop_first(std::size_t n) noexcept;
  void drop(std::size_t i) noexcept;
  [[nodiscard]] std::size_t count_due(RobotTime time) const noexcept;
  void hold_against(const robot::Report& report, std::size_t newest_due) noexcept;

  CommandRules rules_;
  FixedVector<Entry, kMost> entries_;  // by the time of their effect
};

}  // namespace forerun::ahead
