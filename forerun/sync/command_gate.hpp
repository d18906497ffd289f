// Which commands reach the robot: each at most once, none that is old, none out of order (safety rules of the link).
#pragma once

#include <optional>
#include <vector>

#include "forerun/base/time.hpp"
#include "forerun/robot/command.hpp"
#include "forerun/sync/cipher.hpp"
#include "forerun/sync/clock_map.hpp"
#include "forerun/sync/wire.hpp"

namespace forerun::sync {

// What is known of a command beside its content.
struct CommandInfo {
  std::uint64_t number = 0;
  OperatorTime given;    // on the operator's own clock
  Duration age;          // when it came, by the robot's clock
  Duration uncertainty;  // of the age, 95 %
};

// By what a command's age is judged.
struct AgeEvidence {
  const RobotsClockMap& clock;
  // It cannot be older than this, whatever the clocks say: it was given so long before it was sent, and the way here is
  // part of a round trip. Nothing where no round trip is known.
  std::optional<Duration> longest;
};

// The control system behind the link.
class RobotSide {
 public:
  virtual ~RobotSide() = default;

  // False when the robot cannot do that.
  virtual bool execute(const robot::Command& command, const CommandInfo& info) noexcept = 0;
  // Commands of hand driving have ceased: come to rest.
  virtual void end_hand_driving() noexcept = 0;
};

struct GateParams {
  double max_command_age_s = 1.0;  // older commands are refused [s]
  double drive_timeout_s = 0.5;    // hand driving ends when no command comes for this long [s]
};

class CommandGate {
 public:
  CommandGate(RobotSide& robot, const GateParams& params, RobotTime start) noexcept
      : robot_(robot), params_(params), start_(start) {}

  // Decides on a command of the key `who`, who may operate, and has it executed. A repetition gets the answer of the
  // first and changes nothing.
  [[nodiscard]] Answer decide(const Key& who, const AgeEvidence& evidence, const GivenCommand& given, RobotTime now);
  // What to answer somebody who may not operate.
  [[nodiscard]] static Answer refuse(const GivenCommand& given) noexcept {
    return {given.number, Outcome::not_allowed, 0};
  }

  // Ends hand driving when its commands have ceased.
  void tick(RobotTime now) noexcept;
  // Ends hand driving at once.
  void close() noexcept;
  [[nodiscard]] std::uint64_t n_executed() const noexcept { return n_executed_; }  // repetitions do not count
  // When `tick` has something to do next.
  [[nodiscard]] std::optional<RobotTime> deadline() const noexcept { return drive_until_; }

 private:
  struct Record {
    Key who{};
    Answer newest;  // of the newest command that was executed, or that the robot could not do
  };
  [[nodiscard]] Record& record_of(const Key& who);
  [[nodiscard]] Outcome judge_age(const CommandInfo& info, std::optional<Duration> longest,
                                  RobotTime now) const noexcept;

  RobotSide& robot_;
  GateParams params_;
  RobotTime start_;
  std::vector<Record> records_;  // one a key that may operate
  std::uint64_t n_executed_ = 0;
  std::optional<RobotTime> drive_until_;
  std::optional<RobotTime> stopped_at_;  // when the newest stop of anybody was given, by the robot's clock
};

}  // namespace forerun::sync
