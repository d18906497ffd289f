#include "forerun/sync/command_gate.hpp"

#include <algorithm>
#include <utility>

namespace forerun::sync {

CommandGate::Record& CommandGate::record_of(const Key& who) {
  const auto found = std::find_if(records_.begin(), records_.end(), [&](const Record& r) { return r.who == who; });
  if (found != records_.end()) return *found;
  records_.push_back({who, {}});
  return records_.back();
}

// The clock's uncertainty counts against the command: it may be older than it seems. That holds 95 times out of 100,
// which is not enough here: so it counts several times, unless the round trip rules it out.
Outcome CommandGate::judge_age(const CommandInfo& info, std::optional<Duration> longest, RobotTime now) const noexcept {
  const Duration limit = from_seconds(params_.max_command_age_s);
  const Duration oldest = info.age + from_seconds(params_.clock_doubt * to_seconds(info.uncertainty));
  const bool maybe_old = oldest > limit && (!longest || *longest > limit);
  const bool old = maybe_old || info.age > limit || info.age < Duration{-limit.ns};
  return old || now - info.age < start_ ? Outcome::stale : Outcome::executed;
}

std::optional<Answer> CommandGate::decide(const Key& who, const AgeEvidence& evidence, const GivenCommand& given,
                                          RobotTime now) {
  const Record& record = record_of(who);
  const std::uint64_t highest = record.newest.number;
  const auto is_it = [&](const Waiting& waiting) { return waiting.who == who && waiting.number == given.number; };
  if (std::any_of(waiting_.begin(), waiting_.end(), is_it)) return std::nullopt;
  if (given.number == highest) return record.newest;
  if (given.number < highest) return Answer{given.number, Outcome::superseded, highest};
  if (!evidence.clock.ready()) return Answer{given.number, Outcome::no_clock, highest};
  const auto [time, uncertainty] = evidence.clock.to_local(given.given, now);
  const CommandInfo info{given.number, given.given, now - time, uncertainty};
  const Outcome outcome = judge_age(info, evidence.longest, now);
  if (outcome != Outcome::executed) return Answer{given.number, outcome, highest};
  // its operator did not know of the stop, which may be another operator's
  const bool stop = given.command.kind == robot::CommandKind::stop;
  if (!stop && stopped_at_ && time <= *stopped_at_) return Answer{given.number, Outcome::superseded, highest};
  return execute(who, given, info, now);
}

std::optional<Answer> CommandGate::execute(const Key& who, const GivenCommand& given, CommandInfo info, RobotTime now) {
  const robot::CommandKind kind = given.command.kind;
  info.ticket = ++n_tickets_;
  robot::Reply reply = robot_.execute(given.command, info);
  Waiting waiting{who, given.number, info.ticket, kind, now + from_seconds(params_.answer_wait_s)};
  if (kind == robot::CommandKind::drive && reply.state != robot::Reply::State::refused) {
    waiting.drive_until = now + from_seconds(params_.drive_timeout_s);
    waiting.drive_until_before = std::exchange(drive_until_, waiting.drive_until);
  }
  record_of(who).newest = {given.number, Outcome::executed, given.number};
  const bool stop = kind == robot::CommandKind::stop;
  if (reply.state == robot::Reply::State::pending) {
    if (!stop && waiting_.push_back(waiting)) return std::nullopt;
    reply = robot::accept();
  }
  const RobotTime time = now - info.age;
  if (stop && reply.state == robot::Reply::State::accepted) {
    stopped_at_ = stopped_at_ ? std::max(*stopped_at_, time) : time;
  }
  return settle(waiting, reply);
}

Answer CommandGate::settle(const Waiting& waiting, const robot::Reply& reply) {
  Record& record = record_of(waiting.who);
  Answer answer{waiting.number, Outcome::executed, record.newest.number};
  if (reply.state == robot::Reply::State::refused) {
    // whatever the robot does goes on, hand driving with its time limit too
    answer.outcome = Outcome::impossible;
    answer.refusal = reply.refusal;
    answer.words = reply.words;
    forget_drive(waiting);
  } else {
    ++n_executed_;
    // a word that comes late says nothing about what the robot was given since
    const bool is_newest = waiting.ticket == n_tickets_;
    if (is_newest && waiting.kind != robot::CommandKind::drive) drive_until_.reset();
  }
  if (record.newest.number == waiting.number) record.newest = answer;
  return answer;
}

// It let the robot drive until it was refused.
void CommandGate::forget_drive(const Waiting& refused) noexcept {
  if (!refused.drive_until) return;
  for (Waiting& later : waiting_) {
    if (later.drive_until_before == refused.drive_until) later.drive_until_before = refused.drive_until_before;
  }
  if (drive_until_ == refused.drive_until) drive_until_ = refused.drive_until_before;
}

CommandGate::Answered CommandGate::take(std::size_t place, const robot::Reply& reply) noexcept {
  const Waiting waiting = waiting_[place];
  std::copy(waiting_.begin() + place + 1, waiting_.end(), waiting_.begin() + place);
  waiting_.resize(waiting_.size() - 1);
  return {waiting.who, settle(waiting, reply)};
}

std::optional<CommandGate::Answered> CommandGate::next_answer(RobotTime now) noexcept {
  while (const auto word = robot_.next_word()) {
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
      if (waiting_[i].ticket == word->ticket) return take(i, word->reply);
    }
  }
  for (std::size_t i = 0; i < waiting_.size(); ++i) {
    const bool set_back = waiting_[i].until - now > from_seconds(params_.answer_wait_s);
    if (now >= waiting_[i].until || set_back) return take(i, robot::accept());
  }
  return std::nullopt;
}

void CommandGate::close() noexcept {
  if (!drive_until_) return;
  drive_until_.reset();
  robot_.end_hand_driving();
}

void CommandGate::tick(RobotTime now) noexcept {
  if (!drive_until_) return;
  // a deadline farther away than it can be means that the clock was set back: better stop too early
  const bool set_back = *drive_until_ - now > from_seconds(params_.drive_timeout_s);
  if (now >= end_of_driving() || set_back) close();
}

// A little later while the robot's word is waited for: it may have a goal by now, which the end would take away.
RobotTime CommandGate::end_of_driving() const noexcept {
  return *drive_until_ + from_seconds(waiting_.empty() ? 0 : params_.answer_wait_s);
}

std::optional<RobotTime> CommandGate::deadline() const noexcept {
  std::optional<RobotTime> first;
  if (drive_until_) first = end_of_driving();
  for (const Waiting& waiting : waiting_) first = first ? std::min(*first, waiting.until) : waiting.until;
  return first;
}

}  // namespace forerun::sync
