// Which commands reach the robot: each at most once, none that is old, none out of order (safety rules of the link).
#pragma once

#include <optional>
#include <vector>

#include "forerun/base/fields.hpp"
#include "forerun/base/fixed_vector.hpp"
#include "forerun/base/time.hpp"
#include "forerun/robot/command.hpp"
#include "forerun/sync/bulk_wire.hpp"
#include "forerun/sync/cipher.hpp"
#include "forerun/sync/clock_map.hpp"
#include "forerun/sync/wire.hpp"

namespace forerun::sync {

// What is known of a command beside its content.
struct CommandInfo {
  std::uint64_t number = 0;
  OperatorTime given;        // on the operator's own clock
  Duration age;              // when it came, by the robot's clock
  Duration uncertainty;      // of the age, 95 %
  std::uint64_t ticket = 0;  // names the command to the robot alone: counts all that it was given, by anyone
};

// By what a command's age is judged.
struct AgeEvidence {
  const RobotsClockMap& clock;
  // It cannot be older than this, whatever the clocks say: it was given so long before it was sent, and the way here is
  // part of a round trip. Nothing where no round trip is known.
  std::optional<Duration> longest;
};

// What an operator brings to the robot.
struct BroughtObject {
  Key who{};  // brings it
  ObjectKind kind = ObjectKind::mission;
  std::uint64_t number = 0;
  Bytes bytes;
};

// The control system behind the link.
class RobotSide {
 public:
  virtual ~RobotSide() = default;

  // Accepted, refused with a reason, or pending: then `next_word` says so in a moment. Nobody waits for the word on a
  // stop, and on anything else not for long; without it the command counts as accepted.
  virtual robot::Reply execute(const robot::Command& command, const CommandInfo& info) noexcept = 0;
  struct Word {
    std::uint64_t ticket = 0;
    robot::Reply reply;
  };
  // The next word on a command that was pending; nothing when there is none.
  virtual std::optional<Word> next_word() noexcept { return std::nullopt; }
  // An object that an operator brings, whole and verified; what it says stays its own business. Accepted or refused.
  virtual robot::Reply take_object(const BroughtObject&) noexcept {
    return robot::refuse(robot::Refusal::not_able, "this robot takes no objects");
  }
  // Commands of hand driving have ceased: come to rest.
  virtual void end_hand_driving() noexcept = 0;
};

struct GateParams {
  double max_command_age_s = 1.0;  // older commands are refused [s]
  double drive_timeout_s = 0.5;    // hand driving ends when no command comes for this long [s]
  double answer_wait_s = 0.2;      // so long the robot's word on a pending command is waited for [s]
  double clock_doubt = 3;          // so many times the clock's uncertainty counts against a command
};

template <class Visit>
void visit_fields(GateParams& p, Visit&& visit) {
  visit("max_command_age_s", p.max_command_age_s, Field{0.05, 60, "older commands are refused [s]"});
  visit("drive_timeout_s", p.drive_timeout_s,
        Field{0.05, 10, "hand driving ends this long after its last command [s]"});
  visit("answer_wait_s", p.answer_wait_s, Field{0, 2, "the robot's word on a command is waited for this long [s]"});
  visit("clock_doubt", p.clock_doubt, Field{0, 10, "so many times the clock's uncertainty counts against a command"});
}

class CommandGate {
 public:
  CommandGate(RobotSide& robot, const GateParams& params, RobotTime start) noexcept
      : robot_(robot), params_(params), start_(start) {}

  // Decides on a command of the key `who`, who may operate, and has it executed. A repetition gets the answer of the
  // first and changes nothing. No answer while the robot's word is waited for: then `next_answer` has it.
  [[nodiscard]] std::optional<Answer> decide(const Key& who, const AgeEvidence& evidence, const GivenCommand& given,
                                             RobotTime now);
  struct Answered {
    Key who{};
    Answer answer;
  };
  // The next answer that was waited for and is known now.
  [[nodiscard]] std::optional<Answered> next_answer(RobotTime now) noexcept;
  // From the next command on.
  void set_params(const GateParams& params) noexcept { params_ = params; }
  // What to answer a viewer who may not operate.
  [[nodiscard]] static Answer refuse(const GivenCommand& given) noexcept {
    return {given.number, Outcome::not_allowed, 0};
  }

  // Ends hand driving when its commands have ceased.
  void tick(RobotTime now) noexcept;
  // Ends hand driving at once.
  void close() noexcept;
  [[nodiscard]] std::uint64_t n_executed() const noexcept { return n_executed_; }  // repetitions do not count
  // When `tick` has something to do next.
  [[nodiscard]] std::optional<RobotTime> deadline() const noexcept;

 private:
  struct Record {
    Key who{};
    Answer newest;  // of the newest command that was executed, or that the robot refused; final unless it waits
  };
  // A command on which the robot has not given its word yet.
  struct Waiting {
    Key who{};
    std::uint64_t number = 0;
    std::uint64_t ticket = 0;
    robot::CommandKind kind = robot::CommandKind::goal;
    RobotTime until;
    // of a drive: until when it lets the robot drive, and until when the robot might drive before
    std::optional<RobotTime> drive_until, drive_until_before;
  };
  [[nodiscard]] Record& record_of(const Key& who);
  [[nodiscard]] std::optional<Answer> execute(const Key& who, const GivenCommand& given, CommandInfo info,
                                              RobotTime now);
  [[nodiscard]] Answer settle(const Waiting& waiting, const robot::Reply& reply);
  [[nodiscard]] Answered take(std::size_t place, const robot::Reply& reply) noexcept;
  void forget_drive(const Waiting& refused) noexcept;
  [[nodiscard]] RobotTime end_of_driving() const noexcept;
  [[nodiscard]] Outcome judge_age(const CommandInfo& info, std::optional<Duration> longest,
                                  RobotTime now) const noexcept;

  RobotSide& robot_;
  GateParams params_;
  RobotTime start_;
  std::vector<Record> records_;  // one a key that may operate
  FixedVector<Waiting, 16> waiting_;
  std::uint64_t n_executed_ = 0;
  std::uint64_t n_tickets_ = 0;
  std::optional<RobotTime> drive_until_;
  std::optional<RobotTime> stopped_at_;  // when the newest stop of anybody was given, by the robot's clock
};

}  // namespace forerun::sync
