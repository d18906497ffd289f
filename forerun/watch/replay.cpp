#include "forerun/watch/replay.hpp"

#include <algorithm>

#include "forerun/record/recording.hpp"
#include "forerun/sim/model_bytes.hpp"

namespace forerun::watch {
namespace {

// a predictor has learned from so many reports what it can, and from none so long ago
constexpr std::size_t kLearnedFrom = 20;
constexpr Duration kLearnedBefore = from_seconds(60);
constexpr std::size_t kOutcomes = 4;  // that the page shows
constexpr std::size_t kTruths = 2;

}  // namespace

Replay::Replay(record::McapReader reader, std::string name) : reader_(std::move(reader)), name_(std::move(name)) {
  channels_ = {.model = reader_.find(topic_of(record::Recorded::model)),
               .report = reader_.find(topic_of(record::Recorded::report)),
               .truth = reader_.find(topic_of(record::Recorded::truth)),
               .link = reader_.find(topic_of(record::Recorded::link)),
               .outcome = reader_.find(topic_of(record::Recorded::outcome)),
               .demo = reader_.find(topic_of(record::Recorded::demo))};
  state_.begin_s = static_cast<double>(reader_.first_time_ns()) * 1e-9;
  state_.duration_s = static_cast<double>(reader_.last_time_ns() - reader_.first_time_ns()) * 1e-9;
}

Result<Replay> Replay::open(const std::string& path) {
  auto reader = record::McapReader::open(path);
  if (!reader) return reader.error();
  return open(std::move(*reader), path);
}

Result<Replay> Replay::open(record::McapReader reader, const std::string& name) {
  Replay replay(std::move(reader), name);
  if (!replay.channels_.report) return Error{name + " is no recording of a robot: it has no channel /report"};
  replay.find_robots();
  // the end is read as a sample: what is wrong there is wrong with the file
  const Before end = replay.look_back(replay.reader_.chunks().size() - 1, replay.reader_.last_time_ns());
  for (const auto& [number, robot] : end.robots) {
    if (!robot.model) continue;
    if (const auto right = check_model(*robot.model); !right) replay.complain(right.error());
  }
  if (!replay.problem_.empty()) return Error{replay.problem_};
  return replay;
}

Result<void> Replay::check_model(const record::RecordedModel& model) {
  // in this order: of an old recording the version is the news, not that models were numbered differently
  const auto bundle = sim::unpack_model(model.bundle);
  if (!bundle) return Error{"the model in /model cannot be read: " + bundle.error().message};
  if (!record::is_numbered_right(model)) return Error{"the model in /model does not match its number"};
  return {};
}

std::int64_t Replay::position() const {
  // seconds are not as exact as nanoseconds
  if (state_.at_s >= state_.duration_s) return reader_.last_time_ns();
  return reader_.first_time_ns() + from_seconds(state_.at_s).ns;
}

void Replay::complain(const Error& error) {
  if (problem_.empty()) problem_ = name_ + ": " + error.message;
}

void Replay::start(web::PageHub& hub, std::int64_t now_ns) {
  hub_ = &hub;
  for (const auto& [number, robot] : robots_) {
    hub_->set_robot(number, {.name = robots_.size() == 1 ? "the robot" : "robot " + std::to_string(number)});
  }
  jump_to(0);
  turned_ = now_ns;
  tell_state(now_ns);
}

void Replay::load(std::size_t chunk) {
  chunk_ = chunk;
  message_ = 0;
  loaded_.clear();
  if (chunk_ >= reader_.chunks().size()) return;
  if (auto messages = value_of(reader_.read(chunk_))) loaded_ = std::move(*messages);
}

RobotTime Replay::robot_now(const Robot& robot) const {
  return std::max(RobotTime{position() + robot.clock_offset}, robot.reported);
}

void Replay::for_each_model(const std::function<bool(record::RecordedModel model, std::int64_t log_time)>& take) {
  if (!channels_.model) return;
  for (std::size_t i = 0; i < reader_.chunks().size(); ++i) {
    if ((reader_.chunks()[i].channels & std::uint64_t{1} << (*channels_.model % 64)) == 0) continue;
    const auto messages = value_of(reader_.read(i));
    if (!messages) return;
    for (const record::McapMessage& message : *messages) {
      if (message.channel != channels_.model) continue;
      auto model = value_of(record::parse_recorded_model(message.data));
      if (model && take(std::move(*model), message.log_time_ns)) return;
    }
  }
}

// One whose model never came cannot be predicted, and is not shown. Where none came, robot 1 stands for the recording.
void Replay::find_robots() {
  for_each_model([this](const record::RecordedModel& model, std::int64_t log_time) {
    if (model.robot >= 1) robots_.try_emplace(model.robot, Robot{.first_model = log_time});
    return false;
  });
  if (robots_.empty()) robots_[1] = {};
}

void Replay::jump_to(double at_s) {
  state_.at_s = std::clamp(at_s, 0.0, state_.duration_s);
  ++state_.jump;
  const std::int64_t time = position();
  // the chunk with the first message after this time, or the last one
  const auto& chunks = reader_.chunks();
  const auto found = std::upper_bound(chunks.begin(), chunks.end(), time,
                                      [](std::int64_t t, const record::McapReader::Chunk& c) { return t < c.last; });
  const auto chunk = static_cast<std::size_t>(found - chunks.begin());
  Before before = look_back(std::min(chunk, chunks.size() - 1), time);
  // a viewer gets reports before it has the model; a replay does not have to wait for it
  for (auto& [number, robot] : before.robots) {
    if (!robot.model) robot.model = first_model_of(number);
  }
  load(chunk);
  while (message_ < loaded_.size() && loaded_[message_].log_time_ns <= time) ++message_;
  // the page is told to start over, and then what it must know
  hub_->set_replay(state_);
  tell(before);
}

std::uint64_t Replay::wanted(const Before& before, const record::McapReader::Chunk& chunk, std::int64_t time) const {
  std::uint64_t mask = 0;
  const auto want = [&](const std::optional<std::uint16_t>& channel, bool missing) {
    if (channel && missing) mask |= std::uint64_t{1} << (*channel % 64);
  };
  const bool recent = chunk.last >= time - kLearnedBefore.ns;
  for (const auto& [number, robot] : before.robots) {
    // there is nothing of a robot from long before its model came
    if (chunk.last < robots_.at(number).first_model - kLearnedBefore.ns) continue;
    want(channels_.report, robot.reports.empty() || (recent && robot.reports.size() < kLearnedFrom));
    want(channels_.model, !robot.model);
    want(channels_.link, !robot.link && recent);
    want(channels_.outcome, robot.outcomes.size() < kOutcomes);
    want(channels_.truth, robot.truths.size() < kTruths && recent);
  }
  want(channels_.demo, !before.demo);
  return mask;
}

Replay::Before Replay::look_back(std::size_t chunk, std::int64_t time) {
  Before before;
  for (const auto& [number, robot] : robots_) before.robots[number];
  const auto& chunks = reader_.chunks();
  for (std::size_t i = chunk + 1; i-- > 0;) {
    if ((chunks[i].channels & wanted(before, chunks[i], time)) == 0) continue;
    const auto messages = value_of(reader_.read(i));
    if (!messages) break;
    for (auto message = messages->rbegin(); message != messages->rend(); ++message) {
      if (message->log_time_ns <= time) take_before(before, *message, time);
    }
  }
  return before;
}

std::optional<record::RecordedModel> Replay::first_model_of(std::uint32_t number) {
  std::optional<record::RecordedModel> first;
  for_each_model([&](record::RecordedModel model, std::int64_t) {
    if (model.robot == number) first = std::move(model);
    return first.has_value();
  });
  return first;
}

void Replay::take_report_before(Before& before, const record::McapMessage& message, std::int64_t time) {
  const auto report = value_of(record::parse_recorded_report(message.data));
  const auto robot = report ? before.robots.find(report->robot) : before.robots.end();
  if (robot == before.robots.end()) return;
  std::vector<Report>& reports = robot->second.reports;
  const bool counts = reports.size() < kLearnedFrom && message.log_time_ns >= time - kLearnedBefore.ns;
  if (!reports.empty() && !counts) return;
  // an earlier report with a later time: the robot side was restarted in between
  if (!reports.empty() && report->report.time > reports.back().recorded.report.time) return;
  reports.push_back({*report, report->robot_now.ns - message.log_time_ns});
}

void Replay::take_before(Before& before, const record::McapMessage& message, std::int64_t time) {
  const auto of_robot = [&](const auto& recorded) {
    const auto robot = recorded ? before.robots.find(recorded->robot) : before.robots.end();
    return robot == before.robots.end() ? nullptr : &robot->second;
  };
  const std::uint16_t channel = message.channel;
  const std::string_view data = message.data;
  if (channel == channels_.report) {
    take_report_before(before, message, time);
  } else if (channel == channels_.model) {
    auto model = value_of(record::parse_recorded_model(data));
    if (BeforeOfRobot* robot = of_robot(model); robot && !robot->model) robot->model = std::move(model);
  } else if (channel == channels_.link) {
    auto link = value_of(record::parse_recorded_link(data));
    if (BeforeOfRobot* robot = of_robot(link); robot && !robot->link) robot->link = std::move(link);
  } else if (channel == channels_.demo && !before.demo) {
    before.demo = value_of(record::parse_recorded_demo(data));
  } else if (channel == channels_.outcome) {
    const auto outcome = value_of(record::parse_recorded_outcome(data));
    BeforeOfRobot* robot = of_robot(outcome);
    if (robot && robot->outcomes.size() < kOutcomes) robot->outcomes.push_back(*outcome);
  } else if (channel == channels_.truth) {
    const auto truth = value_of(record::parse_recorded_truth(data));
    if (BeforeOfRobot* robot = of_robot(truth); robot && robot->truths.size() < kTruths)
      robot->truths.push_back(*truth);
  }
}

}  // namespace forerun::watch
