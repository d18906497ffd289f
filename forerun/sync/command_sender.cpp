#include "forerun/sync/command_sender.hpp"

#include <algorithm>

namespace forerun::sync {

using State = CommandRecord::State;
using robot::CommandKind;

const char* to_string(State state) noexcept {
  switch (state) {
    case State::pending:
      return "pending";
    case State::executed:
      return "executed";
    case State::refused:
      return "refused";
    case State::replaced:
      return "replaced";
    case State::expired:
      return "expired";
  }
  return "unknown";
}

// Grows with time, so that numbers go on growing when the program is started again.
std::uint64_t CommandSender::new_number(OperatorTime now) noexcept {
  const std::uint64_t by_time = now.ns > 0 ? static_cast<std::uint64_t>(now.ns) / 1000 : 0;
  last_number_ = std::max(last_number_ + 1, by_time);
  return last_number_;
}

CommandRecord* CommandSender::pending_record() noexcept {
  for (CommandRecord& record : records_) {
    if (pending_ && record.number == first_number_) return &record;
  }
  return nullptr;
}

void CommandSender::close(OperatorTime now, State state, const Answer& answer) noexcept {
  if (CommandRecord* record = pending_record()) {
    record->state = state;
    record->outcome = answer.outcome;
    record->refusal = answer.refusal;
    record->words = answer.words;
    record->answered = now;
  }
  pending_.reset();
}

std::optional<std::uint64_t> CommandSender::give(OperatorTime now, const robot::Command& command) noexcept {
  const bool behind_stop = pending_ && pending_->kind == CommandKind::stop;
  if (behind_stop && (command.kind == CommandKind::drive || command.kind == CommandKind::cancel)) return std::nullopt;
  number_ = new_number(now);
  given_ = due_ = now;
  const bool drives_on = command.kind == CommandKind::drive && pending_ && pending_->kind == CommandKind::drive;
  // an answer to any of the velocities under way will do
  if (!drives_on) {
    if (pending_) close(now, State::replaced, {.outcome = Outcome::superseded});
    first_number_ = number_;
  }
  remember({.number = first_number_, .kind = command.kind, .given = now});
  pending_ = command;
  return first_number_;
}

void CommandSender::remember(const CommandRecord& record) noexcept {
  // velocities come many times a second: in a row they share one record
  const bool drives = record.kind == CommandKind::drive;
  if (drives && !records_.empty() && records_.back().kind == CommandKind::drive) {
    records_.back() = record;
    return;
  }
  if (records_.full()) {
    std::copy(records_.begin() + 1, records_.end(), records_.begin());
    records_.resize(kRemembered - 1);
  }
  records_.push_back(record);
}

std::optional<GivenCommand> CommandSender::next(OperatorTime now) noexcept {
  // due later than it can be: the clock was set back
  const double longest_wait = std::max({params_.repeat_s, params_.stop_s, params_.drive_s});
  const bool set_back = pending_ && due_ - now > from_seconds(longest_wait);
  if (!pending_ || (now < due_ && !set_back)) return std::nullopt;
  const bool stop = pending_->kind == CommandKind::stop, drive = pending_->kind == CommandKind::drive;
  if (!stop && (set_back || now - given_ >= from_seconds(drive ? params_.drive_s : params_.give_up_s))) {
    close(now, State::expired, {.outcome = Outcome::stale});
    return std::nullopt;
  }
  // a stop that is repeated is a stop given now
  if (stop && due_ > given_) {
    given_ = now;
    number_ = new_number(now);
  }
  due_ = now + from_seconds(stop ? params_.stop_s : params_.repeat_s);
  // velocities are outdated by the next ones; they are sent once and only their answer is awaited
  if (drive) due_ = given_ + from_seconds(params_.drive_s);
  return GivenCommand{number_, given_, *pending_};
}

std::optional<OperatorTime> CommandSender::next_due() const noexcept {
  return pending_ ? std::optional(due_) : std::nullopt;
}

void CommandSender::on_answer(OperatorTime now, const Answer& answer) noexcept {
  last_number_ = std::max(last_number_, answer.highest);
  if (!pending_ || answer.number < first_number_ || answer.number > number_) return;
  switch (answer.outcome) {
    case Outcome::executed:
      return close(now, State::executed, answer);
    case Outcome::no_clock:
      return;  // the next repetition will find one
    case Outcome::not_allowed:
      return close(now, State::refused, answer);
    default:
      // a stop is repeated with a higher number until it is executed; anything else was overtaken by events
      if (pending_->kind != CommandKind::stop) close(now, State::refused, answer);
  }
}

}  // namespace forerun::sync
