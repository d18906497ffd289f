#include "forerun/sync/command_gate.hpp"

#include <algorithm>

namespace forerun::sync {

CommandGate::Record& CommandGate::record_of(const Key& who) {
  const auto found = std::find_if(records_.begin(), records_.end(), [&](const Record& r) { return r.who == who; });
  if (found != records_.end()) return *found;
  records_.push_back({who, {}});
  return records_.back();
}

// The clock's uncertainty counts against the command: it may be older than it seems. That holds 95 times out of 100,
// which is not enough here: hence three times, unless the round trip rules it out.
Outcome CommandGate::judge_age(const CommandInfo& info, std::optional<Duration> longest, RobotTime now) const noexcept {
  const Duration limit = from_seconds(params_.max_command_age_s);
  const Duration oldest = info.age + Duration{3 * info.uncertainty.ns};
  const bool maybe_old = oldest > limit && (!longest || *longest > limit);
  const bool old = maybe_old || info.age > limit || info.age < Duration{-limit.ns};
  return old || now - info.age < start_ ? Outcome::stale : Outcome::executed;
}

Answer CommandGate::decide(const Key& who, const AgeEvidence& evidence, const GivenCommand& given, RobotTime now) {
  Record& record = record_of(who);
  const std::uint64_t highest = record.newest.number;
  if (given.number == highest) return record.newest;
  if (given.number < highest) return {given.number, Outcome::superseded, highest};
  if (!evidence.clock.ready()) return {given.number, Outcome::no_clock, highest};
  const auto [time, uncertainty] = evidence.clock.to_local(given.given, now);
  const CommandInfo info{given.number, given.given, now - time, uncertainty};
  Outcome outcome = judge_age(info, evidence.longest, now);
  if (outcome != Outcome::executed) return {given.number, outcome, highest};
  // whoever gave it did not know of the stop, which may be somebody else's
  const bool stop = given.command.kind == robot::CommandKind::stop;
  if (!stop && stopped_at_ && time <= *stopped_at_) return {given.number, Outcome::superseded, highest};

  if (!robot_.execute(given.command, info)) {
    // whatever the robot does goes on, hand driving with its time limit too
    outcome = Outcome::impossible;
  } else if (given.command.kind == robot::CommandKind::drive) {
    drive_until_ = now + from_seconds(params_.drive_timeout_s);
  } else {
    drive_until_.reset();
    if (stop) stopped_at_ = stopped_at_ ? std::max(*stopped_at_, time) : time;
  }
  if (outcome == Outcome::executed) ++n_executed_;
  record.newest = {given.number, outcome, given.number};
  return record.newest;
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
  if (now >= *drive_until_ || set_back) close();
}

}  // namespace forerun::sync
