#include <algorithm>
#include <cmath>

#include "forerun/sync/report_wire.hpp"
#include "forerun/watch/replay.hpp"

namespace forerun::watch {
namespace {

constexpr Duration kStateInterval = from_seconds(0.25);  // of telling the page where it stands
constexpr std::size_t kMostInTurn = 500;                 // messages

}  // namespace

void Replay::tell(const Before& before) {
  if (before.demo) hub_->set_demo(*before.demo);
  for (const auto& [number, robot] : before.robots) tell(number, robot);
}

void Replay::tell(std::uint32_t number, const BeforeOfRobot& before) {
  if (before.model) pass_model(*before.model);
  Robot& robot = robots_[number];
  robot.clock_offset = 0;
  robot.reported = {};
  if (!before.reports.empty()) {
    robot.clock_offset = before.reports[0].clock_offset;
    robot.reported = before.reports[0].recorded.report.time;
  }
  // the link is told of more often than reports come: its clock is the newer one
  if (before.link) pass_link(*before.link);
  for (auto report = before.reports.rbegin(); report != before.reports.rend(); ++report) {
    pass_report(number, report->recorded, robot_now(robot));
  }
  for (auto truth = before.truths.rbegin(); truth != before.truths.rend(); ++truth) {
    hub_->truth(number, truth->time, truth->pose);
  }
  for (auto outcome = before.outcomes.rbegin(); outcome != before.outcomes.rend(); ++outcome) {
    hub_->outcome(number, outcome->outcome);
  }
  hub_->time(number, robot_now(robot));
}

void Replay::pass_model(const record::RecordedModel& model) {
  const auto robot = robots_.find(model.robot);
  if (robot == robots_.end()) return;
  // the page keeps the models that are shown, and no others
  if (model.card.model != robot->second.model) {
    if (const auto right = check_model(model); !right) return complain(right.error());
    robot->second.model = model.card.model;
    hub_->put_model(model.card.model, model.bundle);
  }
  hub_->set_robot(model.robot, model.card);
}

void Replay::pass_report(std::uint32_t number, const record::RecordedReport& recorded, RobotTime robot_now) {
  const auto body = sync::encode_report(recorded.report, recorded.sections);
  if (body) hub_->report(number, {recorded.report, *body}, robot_now);
}

void Replay::pass_link(const record::RecordedLink& recorded) {
  const auto robot = robots_.find(recorded.robot);
  if (robot == robots_.end()) return;
  web::PageLink link = recorded.link;
  if (link.clock_offset) robot->second.clock_offset = std::llround(std::clamp(*link.clock_offset, -9e9, 9e9) * 1e9);
  link.may_operate = false;  // what is over cannot be changed
  hub_->link(recorded.robot, link);
}

void Replay::pass(const record::McapMessage& message) {
  const std::uint16_t channel = message.channel;
  if (channel == channels_.report) {
    const auto read = value_of(record::parse_recorded_report(message.data));
    const auto robot = read ? robots_.find(read->robot) : robots_.end();
    if (robot == robots_.end()) return;
    robot->second.clock_offset = read->robot_now.ns - message.log_time_ns;
    robot->second.reported = read->report.time;
    pass_report(read->robot, *read, robot_now(robot->second));
  } else if (channel == channels_.model) {
    if (const auto model = value_of(record::parse_recorded_model(message.data))) pass_model(*model);
  } else if (channel == channels_.link) {
    if (const auto link = value_of(record::parse_recorded_link(message.data))) pass_link(*link);
  } else if (channel == channels_.demo) {
    if (const auto demo = value_of(record::parse_recorded_demo(message.data))) hub_->set_demo(*demo);
  } else if (channel == channels_.outcome) {
    const auto outcome = value_of(record::parse_recorded_outcome(message.data));
    if (outcome) hub_->outcome(outcome->robot, outcome->outcome);
  } else if (channel == channels_.truth) {
    const auto truth = value_of(record::parse_recorded_truth(message.data));
    if (truth) hub_->truth(truth->robot, truth->time, truth->pose);
  }
}

void Replay::tell_state(std::int64_t now_ns) {
  next_state_ = now_ns + kStateInterval.ns;
  hub_->set_replay(state_);
  for (const auto& [number, robot] : robots_) hub_->time(number, robot_now(robot));
}

void Replay::turn(std::int64_t now_ns) {
  const double elapsed_s = static_cast<double>(now_ns - turned_) * 1e-9;
  turned_ = now_ns;
  if (!state_.paused) state_.at_s = std::min(state_.duration_s, state_.at_s + state_.pace * elapsed_s);
  const std::int64_t time = position();
  std::size_t n_passed = 0;
  while (n_passed < kMostInTurn) {
    if (message_ >= loaded_.size()) {
      if (chunk_ + 1 >= reader_.chunks().size()) break;
      load(chunk_ + 1);
      continue;
    }
    if (loaded_[message_].log_time_ns > time) break;
    pass(loaded_[message_++]);
    ++n_passed;
  }
  const bool ended = !state_.paused && n_passed < kMostInTurn && state_.at_s >= state_.duration_s;
  if (ended) state_.paused = true;
  if (ended || now_ns >= next_state_) tell_state(now_ns);
}

void Replay::take(const web::ReplayWish& wish, std::int64_t now_ns) {
  turn(now_ns);
  if (wish.pace) state_.pace = *wish.pace;
  if (wish.paused) {
    // who plays on at the end wants to see it again
    const bool again = !*wish.paused && !wish.at_s && state_.at_s >= state_.duration_s;
    state_.paused = *wish.paused;
    if (again) jump_to(0);
  }
  if (wish.at_s) jump_to(*wish.at_s);
  tell_state(now_ns);
}

}  // namespace forerun::watch
