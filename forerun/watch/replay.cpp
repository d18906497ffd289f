#include "forerun/watch/replay.hpp"

#include <algorithm>

#include "forerun/net/sodium_cipher.hpp"
#include "forerun/sim/model_bytes.hpp"
#include "forerun/sync/bulk_wire.hpp"

namespace forerun::watch {
namespace {

constexpr std::uint32_t kRobotNumber = 1;
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
  // the end is read as a sample: what is wrong there is wrong with the file
  const Before end = replay.look_back(replay.reader_.chunks().size() - 1, replay.reader_.last_time_ns());
  if (end.model) {
    if (const auto right = check_model(*end.model); !right) replay.complain(right.error());
  }
  if (!replay.problem_.empty()) return Error{replay.problem_};
  return replay;
}

Result<void> Replay::check_model(const record::RecordedModel& model) {
  if (sync::object_of(net::SodiumCipher().hash(model.bundle)) != model.card.model) {
    return Error{"the model in /model does not match its number"};
  }
  const auto bundle = sim::unpack_model(model.bundle);
  if (!bundle) return Error{"the model in /model cannot be read: " + bundle.error().message};
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
  hub_->set_robot(kRobotNumber, {.name = "the robot"});
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

RobotTime Replay::robot_now() const { return std::max(RobotTime{position() + clock_offset_}, reported_); }

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
  // a viewer gets reports before it has the model; who plays them again need not wait for it
  if (!before.model) before.model = first_model();
  load(chunk);
  while (message_ < loaded_.size() && loaded_[message_].log_time_ns <= time) ++message_;
  // the page is told to begin anew first, then what it must know
  hub_->set_replay(state_);
  tell(before);
}

std::uint64_t Replay::wanted(const Before& before, bool reports_count) const {
  std::uint64_t mask = 0;
  const auto want = [&](const std::optional<std::uint16_t>& channel, bool missing) {
    if (channel && missing) mask |= std::uint64_t{1} << (*channel % 64);
  };
  want(channels_.report, before.reports.empty() || (reports_count && before.reports.size() < kLearnedFrom));
  want(channels_.model, !before.model);
  want(channels_.link, !before.link);
  want(channels_.demo, !before.demo);
  want(channels_.outcome, before.outcomes.size() < kOutcomes);
  want(channels_.truth, before.truths.size() < kTruths);
  return mask;
}

Replay::Before Replay::look_back(std::size_t chunk, std::int64_t time) {
  Before before;
  const auto& chunks = reader_.chunks();
  for (std::size_t i = chunk + 1; i-- > 0;) {
    const std::uint64_t mask = wanted(before, chunks[i].last >= time - kLearnedBefore.ns);
    if (mask == 0) break;
    if ((chunks[i].channels & mask) == 0) continue;
    const auto messages = value_of(reader_.read(i));
    if (!messages) break;
    for (auto message = messages->rbegin(); message != messages->rend(); ++message) {
      if (message->log_time_ns <= time) take_before(before, *message, time);
    }
  }
  return before;
}

std::optional<record::RecordedModel> Replay::first_model() {
  if (!channels_.model) return std::nullopt;
  for (std::size_t i = 0; i < reader_.chunks().size(); ++i) {
    if ((reader_.chunks()[i].channels & std::uint64_t{1} << (*channels_.model % 64)) == 0) continue;
    const auto messages = value_of(reader_.read(i));
    if (!messages) return std::nullopt;
    for (const record::McapMessage& message : *messages) {
      if (message.channel == channels_.model) return value_of(record::parse_recorded_model(message.data));
    }
  }
  return std::nullopt;
}

void Replay::take_before(Before& before, const record::McapMessage& message, std::int64_t time) {
  const std::uint16_t channel = message.channel;
  const std::string_view data = message.data;
  if (channel == channels_.report) {
    const bool counts = before.reports.size() < kLearnedFrom && message.log_time_ns >= time - kLearnedBefore.ns;
    if (!before.reports.empty() && !counts) return;
    const auto report = value_of(record::parse_recorded_report(data));
    // a later time before: the robot side was started anew since
    const bool same_clock =
        report && (before.reports.empty() || report->report.time <= before.reports.back().recorded.report.time);
    if (same_clock) before.reports.push_back({*report, report->robot_now.ns - message.log_time_ns});
  } else if (channel == channels_.model && !before.model) {
    before.model = value_of(record::parse_recorded_model(data));
  } else if (channel == channels_.link && !before.link) {
    before.link = value_of(record::parse_recorded_link(data));
  } else if (channel == channels_.demo && !before.demo) {
    before.demo = value_of(record::parse_recorded_demo(data));
  } else if (channel == channels_.outcome && before.outcomes.size() < kOutcomes) {
    if (auto outcome = value_of(record::parse_recorded_outcome(data))) before.outcomes.push_back(*outcome);
  } else if (channel == channels_.truth && before.truths.size() < kTruths) {
    if (auto truth = value_of(record::parse_recorded_truth(data))) before.truths.push_back(*truth);
  }
}

}  // namespace forerun::watch
