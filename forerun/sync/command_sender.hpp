// The operator's side of commands: numbers them, repeats them until they are answered, and never saves them up. What
// could not be delivered in time is reported, not sent later; only a stop is pressed again and again until it arrives.
#pragma once

#include <cstdint>
#include <optional>

#include "forerun/base/fields.hpp"
#include "forerun/base/fixed_vector.hpp"
#include "forerun/base/time.hpp"
#include "forerun/robot/command.hpp"
#include "forerun/sync/wire.hpp"

namespace forerun::sync {

struct SenderParams {
  double repeat_s = 0.2;   // goals and cancels are repeated so often [s]
  double stop_s = 0.1;     // stops are repeated so often [s]
  double give_up_s = 2.0;  // an unanswered goal or cancel is given up after this time [s]
  double drive_s = 2.0;    // the answer to velocities, which are not repeated, is awaited for this long [s]
};

template <class Visit>
void visit_fields(SenderParams& p, Visit&& visit) {
  visit("repeat_s", p.repeat_s, Field{0.01, 10, "goals and cancels are repeated so often [s]"});
  visit("stop_s", p.stop_s, Field{0.01, 10, "stops are repeated so often [s]"});
  visit("give_up_s", p.give_up_s, Field{0.1, 3600, "an unanswered goal or cancel is given up after this time [s]"});
  visit("drive_s", p.drive_s, Field{0.1, 60, "the answer to velocities is awaited for this long [s]"});
}

// What became of a command.
struct CommandRecord {
  enum class State : std::uint8_t {
    pending,   // not answered yet
    executed,  // the robot side says so
    refused,   // the robot side says why, in `outcome`
    replaced,  // a newer command took its place before it was answered
    expired,   // no answer in time; it may have been executed
  };
  std::uint64_t number = 0;  // of the first time it was sent
  robot::CommandKind kind = robot::CommandKind::stop;
  OperatorTime given;
  OperatorTime answered;
  State state = State::pending;
  Outcome outcome = Outcome::executed;
  robot::Refusal refusal = robot::Refusal::none;  // why, where the robot itself refused it
  robot::Words words;                             // its own
};
[[nodiscard]] const char* to_string(CommandRecord::State state) noexcept;

class CommandSender {
 public:
  explicit CommandSender(const SenderParams& params = {}) noexcept : params_(params) {}

  // Takes the place of whatever was pending; gives the number by which its record is found. Nothing, and all stays as
  // it is, for a drive or a cancel while a stop has not been answered: only a goal means that the robot should move
  // again.
  std::optional<std::uint64_t> give(OperatorTime now, const robot::Command& command) noexcept;
  // Also for what is under way.
  void set_params(const SenderParams& params) noexcept { params_ = params; }
  // What to send now, if anything is due.
  [[nodiscard]] std::optional<GivenCommand> next(OperatorTime now) noexcept;
  [[nodiscard]] std::optional<OperatorTime> next_due() const noexcept;
  void on_answer(OperatorTime now, const Answer& answer) noexcept;

  // Of the newest commands, the newest last.
  static constexpr std::size_t kRemembered = 16;
  [[nodiscard]] const FixedVector<CommandRecord, kRemembered>& records() const noexcept { return records_; }

 private:
  [[nodiscard]] std::uint64_t new_number(OperatorTime now) noexcept;
  [[nodiscard]] CommandRecord* pending_record() noexcept;
  void remember(const CommandRecord& record) noexcept;
  void close(OperatorTime now, CommandRecord::State state, const Answer& answer) noexcept;

  SenderParams params_;
  std::uint64_t last_number_ = 0;
  std::optional<robot::Command> pending_;
  std::uint64_t first_number_ = 0;  // of the pending command
  std::uint64_t number_ = 0;        // under which it was sent last
  OperatorTime given_;
  OperatorTime due_;
  FixedVector<CommandRecord, kRemembered> records_;
};

}  // namespace forerun::sync
