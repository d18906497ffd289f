#include "forerun/study/link_operator.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_set>

#include "forerun/impair/link.hpp"
#include "forerun/study/link_study.hpp"
#include "forerun/study/percentile.hpp"

namespace forerun::study {
namespace {

using robot::CommandKind;

constexpr double kBetweenCommands = 3.0;  // mean [s]
constexpr double kStops = 0.3;            // share of commands
constexpr double kDrives = 0.05;          // share that begin to drive by hand
constexpr double kDriveLength = 5.0;      // [s]
constexpr double kDrivePeriod = 0.1;      // [s]
constexpr double kAgeLimit = sync::GateParams{}.max_command_age_s;

bool stop_is_pending(const sync::Client& client) {
  const auto& records = client.commands().records();
  return !records.empty() && records.back().kind == CommandKind::stop &&
         records.back().state == sync::CommandRecord::State::pending;
}

// The link was silent by its profile for longer than a command may live, somewhere in between.
bool was_silent(const impair::LinkProfile& profile, TrueTime from, TrueTime to) {
  double silent = 0;
  for (TrueTime t = from; t < to; t += from_seconds(0.1)) {
    if (impair::black(profile, t - TrueTime{})) silent += 0.1;
  }
  return silent > kAgeLimit;
}

}  // namespace

LinkOperator::LinkOperator(Random random) : random_(random), next_act_(TrueTime{} + from_seconds(5)) {}

void LinkOperator::remember(OperatorTime shown, TrueTime now) { shown_.emplace(shown.ns, now); }

void LinkOperator::plan_next(TrueTime now) noexcept {
  const double wait = -kBetweenCommands * std::log(1 - random_.uniform());
  next_act_ = now + from_seconds(now < drive_until_ ? kDrivePeriod : wait);
}

void LinkOperator::act(TrueTime now, OperatorTime shown, sync::Client& client, sync::Outbox& outbox) {
  // an operator who has pressed stop waits for it to be confirmed
  const bool waits = stop_is_pending(client);
  const double choice = random_.uniform();
  if (!waits && choice < kDrives && now >= drive_until_) drive_until_ = now + from_seconds(kDriveLength);
  if (!waits) {
    robot::Command command{.kind = CommandKind::goal, .goal = {random_.uniform(-5, 5), random_.uniform(-5, 5)}};
    if (now < drive_until_) {
      command = {.kind = CommandKind::drive, .velocity = {0.3, 0, 0.1}};
    } else if (choice < kDrives + kStops) {
      command.kind = CommandKind::stop;
      stops_.push_back(now);
    } else if (choice > 0.9) {
      command.kind = CommandKind::cancel;
    }
    ++n_given_;
    // what cannot be sent now is not kept
    if (!client.give(shown, command, outbox)) --n_given_;
  }
  plan_next(now);
}

void LinkOperator::judge(const std::vector<ExecutedCommand>& executed, const impair::LinkProfile& profile,
                         LinkStudyResult& result) {
  std::unordered_set<std::uint64_t> numbers;
  std::vector<double> latencies;
  std::size_t next_stop = 0;
  for (const ExecutedCommand& command : executed) {
    if (!numbers.insert(command.info.number).second) ++result.commands_executed_twice;
    const auto given = shown_.find(command.info.given.ns);
    const TrueTime at = given != shown_.end() ? given->second : TrueTime{};
    const double age = to_seconds(command.at - at);
    if (age > kAgeLimit + to_seconds(command.info.uncertainty)) ++result.stale_commands_executed;
    if (was_silent(profile, at, command.at)) ++result.backlog_commands_executed;
    // one stop at a time is pending: the first execution after the press is its
    if (command.kind == CommandKind::stop && next_stop < stops_.size() && stops_[next_stop] <= command.at) {
      latencies.push_back(to_seconds(command.at - stops_[next_stop++]) * 1e3);
      while (next_stop < stops_.size() && stops_[next_stop] <= command.at) ++next_stop;
    }
  }
  result.commands_given = n_given_;
  result.commands_executed = executed.size();
  result.stops_given = stops_.size();
  result.stop_latency_ms_p99 = percentile(latencies, 99);
}

}  // namespace forerun::study
