#include "forerun/ahead/own_commands.hpp"

#include <algorithm>
#include <cmath>

#include "forerun/base/math.hpp"

namespace forerun::ahead {
namespace {

using robot::CommandKind;

constexpr double kSurely = 0.1;      // so long after its time a command should show in reports [s] …
constexpr double kSigmas = 3;        // … and so many times longer than that time is uncertain
constexpr double kSeen = 1.0;        // a robot that rests so long after it was told to needs nobody's word for it [s]
constexpr double kStill = 0.02;      // slower than this it stands [m/s, rad/s]
constexpr double kHeldShare = 0.05;  // of what was wanted: whoever does less is held by something
constexpr double kHeldAfter = 0.8;   // [s]
constexpr double kSameGoal = 0.02;   // goals travel in whole millimetres [m]

bool stands(const robot::Twist& v) noexcept {
  return std::fabs(v.vx) < kStill && std::fabs(v.vy) < kStill && std::fabs(v.w) < kStill;
}

bool hardly_moves(const robot::Twist& is, const robot::Twist& wanted) noexcept {
  const auto less = [](double a, double b) { return std::fabs(a) <= std::max(kStill, kHeldShare * std::fabs(b)); };
  return less(is.vx, wanted.vx) && less(is.vy, wanted.vy) && less(is.w, wanted.w) && !stands(wanted);
}

bool goes_by_itself(const robot::Report& report) noexcept {
  return report.task == robot::TaskState::driving && report.goal && report.motors == robot::MotorState::on;
}

}  // namespace

bool OwnCommands::drives(const Entry& entry) noexcept {
  return entry.command.command.kind == CommandKind::drive && !(entry.command.command.velocity == robot::Twist{});
}

bool OwnCommands::rests(const Entry& entry) noexcept {
  return entry.command.command.kind != CommandKind::goal && !drives(entry);
}

void OwnCommands::give(const OwnCommand& command) noexcept {
  // a mission that is begun is the robot's own affair, and ends what was before it
  if (command.command.kind == CommandKind::start) return entries_.clear();
  Entry entry{command, command.given, command.takes_effect, command.takes_effect};
  if (!entries_.empty()) {
    Entry& before = entries_.back();
    // how long commands are on their way is an estimate: what was given later gets there later
    entry.from = entry.last = std::max(entry.from, before.last);
    const robot::Command &now = command.command, &then = before.command.command;
    if (now.kind == then.kind && now.velocity == then.velocity && now.goal == then.goal &&
        (drives(entry) || command.number == before.command.number)) {
      before.given = std::max(before.given, command.given);
      before.last = entry.last;
      before.command.number = command.number;
      return;
    }
  }
  if (entries_.full()) drop_first(1);
  entries_.push_back(entry);
}

bool OwnCommands::settle(std::uint64_t number, Settled outcome) noexcept {
  bool found = false;
  for (std::size_t i = entries_.size(); i-- > 0;) {
    if (entries_[i].command.number != number) continue;
    found = entries_[i].is_settled = true;
    if (outcome != Settled::confirmed) drop(i);
  }
  return found;
}

void OwnCommands::drop_first(std::size_t n) noexcept {
  std::copy(entries_.begin() + n, entries_.end(), entries_.begin());
  entries_.resize(entries_.size() - n);
}

void OwnCommands::drop(std::size_t i) noexcept {
  std::copy(entries_.begin() + i + 1, entries_.end(), entries_.begin() + i);
  entries_.pop_back();
}

std::size_t OwnCommands::count_due(RobotTime time) const noexcept {
  std::size_t n = 0;
  while (n < entries_.size() && entries_[n].from <= time) ++n;
  return n;
}

// What a report shows of the newest command that must have got there.
void OwnCommands::take(const robot::Report& report) noexcept {
  const Duration slack = from_seconds(kSurely + kSigmas * uncertainty_s());
  const RobotTime sure = report.time - slack;
  // the one before may go on, should letting go have been lost
  while (count_due(sure) >= 2 && entries_[1].from + from_seconds(rules_.drive_timeout_s) <= sure) drop_first(1);
  if (const std::size_t n = count_due(sure); n > 0) hold_against(report, n - 1);
}

void OwnCommands::hold_against(const robot::Report& report, std::size_t newest_due) noexcept {
  Entry& entry = entries_[newest_due];
  const double since = to_seconds(report.time - entry.from);
  if (drives(entry)) {
    const robot::Twist& wanted = entry.command.command.velocity;
    entry.is_held = report.hand_driven && since > kHeldAfter && hardly_moves(report.state.velocity, wanted);
    if (report.hand_driven) return;
    // nobody drives it: what was to be in force by now was lost
    if (entry.last <= report.time) return drop_first(newest_due + 1);
    entry.from = report.time;
    return;
  }
  if (rests(entry)) {
    const bool seen = stands(report.state.velocity) && since > kSeen;
    const bool refuted = report.hand_driven || goes_by_itself(report);
    if (seen && !refuted) return drop_first(newest_due + 1);
    if (!refuted) return;
    const bool comes_again = entry.command.command.kind == CommandKind::stop && !entry.is_settled;
    if (comes_again) entry.from = entry.last = report.time;
    if (!comes_again) drop(newest_due);
    return;
  }
  const bool shown = report.goal && distance(*report.goal, entry.command.command.goal) < kSameGoal;
  // repeated until it is answered, so it may get there yet
  if (shown || entry.is_settled || since > rules_.give_up_s) drop_first(newest_due + 1);
}

RobotTime OwnCommands::begin_of(const Entry& entry, bool unlucky) const noexcept {
  if (!unlucky) return entry.from;
  const bool lets_go = entry.command.command.kind == CommandKind::drive && rests(entry);
  return entry.from + from_seconds(lets_go ? rules_.drive_timeout_s - rules_.repeat_s : rules_.repeat_s);
}

const OwnCommands::Entry* OwnCommands::entry_at(RobotTime time, bool unlucky) const noexcept {
  const Entry* found = nullptr;
  for (const Entry& entry : entries_) {
    if (begin_of(entry, unlucky) <= time) found = &entry;
  }
  return found;
}

OwnCommands::InForce OwnCommands::at(RobotTime time, bool unlucky) const noexcept {
  using Kind = InForce::Kind;
  const Entry* entry = entry_at(time, unlucky);
  if (entry == nullptr) return {};
  const robot::Command& command = entry->command.command;
  if (command.kind == CommandKind::goal) return {.kind = Kind::goal, .velocity = {}, .goal = command.goal};
  const bool ended = time > entry->last + from_seconds(rules_.drive_timeout_s);
  if (!drives(*entry) || ended || entry->is_held) return {.kind = Kind::velocity, .velocity = {}, .goal = {}};
  return {.kind = Kind::velocity, .velocity = command.velocity, .goal = {}};
}

std::optional<RobotTime> OwnCommands::begin(RobotTime after) const noexcept {
  if (entries_.empty()) return std::nullopt;
  return std::max(entries_[0].from, after);
}

std::optional<RobotTime> OwnCommands::next_goal_change(RobotTime after) const noexcept {
  bool was_goal = at(after).kind == InForce::Kind::goal;
  for (const Entry& entry : entries_) {
    if (entry.from <= after) continue;
    const bool is_goal = entry.command.command.kind == CommandKind::goal;
    if (was_goal || is_goal) return entry.from;
  }
  return std::nullopt;
}

std::optional<OwnCommands::Newest> OwnCommands::newest() const noexcept {
  if (entries_.empty()) return std::nullopt;
  const Entry& entry = entries_.back();
  return Newest{entry.command, entry.given, entry.last};
}

double OwnCommands::uncertainty_s() const noexcept {
  double most = 0;
  for (const Entry& entry : entries_) most = std::max(most, entry.command.uncertainty_s);
  return most;
}

double OwnCommands::chance_lost() const noexcept {
  double most = 0;
  for (const Entry& entry : entries_) most = std::max(most, entry.command.chance_lost);
  return most;
}

}  // namespace forerun::ahead
