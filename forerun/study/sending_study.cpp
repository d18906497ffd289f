#include "forerun/study/sending_study.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <utility>

#include "forerun/base/random.hpp"
#include "forerun/navigate/control_systems.hpp"
#include "forerun/predict/send_rule.hpp"
#include "forerun/sim/loop.hpp"
#include "forerun/sim/report.hpp"
#include "forerun/study/workers.hpp"
#include "forerun/sync/report_wire.hpp"
#include "forerun/sync/wire.hpp"

namespace forerun::study {
namespace {

// On both sides. Without an ensemble, so that a sweep takes seconds: the likeliest replica is compared.
const predict::LiveParams kViewer{.predictor = {.ensemble = {.members = 0}}};

constexpr double kLook = 0.05;   // the robot side looks at its robot so often, and so often the error counts [s]
constexpr double kPing = 1.0;    // as viewers do [s]
constexpr double kJitter = 0.1;  // as the robot side allows for before it thinks a report lost [s]
constexpr double kShortestInterval = 0.2;  // between two reports, whatever happens [s]
constexpr std::array kIntervals{0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 9.0, 14.0};        // [s]
constexpr std::array kThresholds{0.02, 0.035, 0.05, 0.07, 0.1, 0.14, 0.2, 0.3, 0.45, 0.7};  // [m]
// of a datagram, around the report
constexpr std::size_t kEnvelope = sync::kDataHeaderSize + sync::kStampSize + sync::kFrameHeaderSize + sync::kTagSize;

// What a robot could have said at every look, and where it truly was.
struct ObservedDrive {
  std::vector<robot::Report> reports;
  std::vector<Vec2> truth;
};

Result<ObservedDrive> record(const sim::Setting& inputs, std::uint64_t seed) {
  const auto model = sim::make_model(inputs, seed);
  if (!model) return model.error();
  const auto control = navigate::make_own_control_system(model->planning, model->robot);
  sim::Loop loop(*model, *control);
  ObservedDrive recording;
  RobotTime next;
  while (!loop.finished() && to_seconds(loop.time()) < inputs.scenario.time_limit) {
    if (loop.time() >= next) {
      recording.reports.push_back(sim::make_report(loop, {}));
      recording.truth.push_back(loop.truth().pose.position());
      next += from_seconds(kLook);
    }
    loop.step();
  }
  return recording;
}

// One direction of the network.
template <class Message>
class Pipe {
 public:
  Pipe(const SendingParams& params, Random random)
      : loss_(params.loss), delay_(from_seconds(params.delay_s)), random_(random) {}

  void send(RobotTime now, const Message& message) {
    const bool lost = random_.uniform() < loss_;
    if (!lost || first_) under_way_.push_back({now + delay_, message});
    first_ = false;
  }
  std::optional<Message> receive(RobotTime now) {
    if (under_way_.empty() || under_way_.front().first > now) return std::nullopt;
    const Message message = under_way_.front().second;
    under_way_.pop_front();
    return message;
  }

 private:
  double loss_;
  Duration delay_;
  Random random_;
  bool first_ = true;  // which arrives: before it there is nothing to be wrong about
  std::deque<std::pair<RobotTime, Message>> under_way_;
};

// Sends by the clock alone.
class Timed {
 public:
  explicit Timed(double interval) : interval_(from_seconds(interval)) {}
  [[nodiscard]] bool is_due(const robot::Report& report) const { return report.time >= next_; }
  void on_sent(const robot::Report&) { next_ += interval_; }
  void on_receipt(std::uint32_t, bool) {}

 private:
  Duration interval_;
  RobotTime next_;
};

struct Tally {
  double error = 0;  // sum [m]
  double n = 0;
  double sent = 0;   // reports
  double bytes = 0;  // of their datagrams
};

// The robot side, the network and one viewer, look by look.
template <class Rule>
class Watch {
 public:
  Watch(const predict::ReplicaModel& model, const SendingParams& params, std::uint64_t seed, Rule& rule)
      : rule_(rule),
        down_(params, Random(seed, 0xd0)),
        up_(params, Random(seed, 0x0b)),
        round_trip_(from_seconds(2 * params.delay_s + kJitter)),
        viewer_(model, kViewer) {}

  Tally run(const ObservedDrive& recording) {
    for (std::size_t i = 0; i < recording.reports.size(); ++i) {
      const robot::Report& report = recording.reports[i];
      robot_side(report);
      viewer_side(report.time);
      if (!newest_) continue;
      const Vec2 shown = viewer_.at(report.time).state.pose.position();
      tally_.error += distance(shown, recording.truth[i]);
      tally_.n += 1;
    }
    return tally_;
  }

 private:
  void robot_side(robot::Report report) {
    while (const auto has = up_.receive(report.time)) {
      rule_.on_receipt(*has, *has < report_.sequence && report_.time + round_trip_ < report.time);
    }
    if (!rule_.is_due(report)) return;
    report.sequence = static_cast<std::uint32_t>(tally_.sent);
    // rounded, and without what a datagram does not carry
    const auto bytes = sync::encode_report(report);
    if (!bytes) return;
    tally_.sent += 1;
    tally_.bytes += static_cast<double>(kEnvelope + bytes->size());
    report_ = *sync::decode_report(*bytes).report;
    rule_.on_sent(report_);
    down_.send(report_.time, report_);
  }

  void viewer_side(RobotTime now) {
    while (const auto report = down_.receive(now)) {
      viewer_.take(*report);
      newest_ = report->sequence;
    }
    if (!newest_ || now < next_ping_) return;
    next_ping_ = now + from_seconds(kPing);
    up_.send(now, *newest_);
  }

  Rule& rule_;
  Pipe<robot::Report> down_;
  Pipe<std::uint32_t> up_;
  Duration round_trip_;
  predict::LiveRobot viewer_;
  robot::Report report_;  // that was sent last
  std::optional<std::uint32_t> newest_;
  RobotTime next_ping_;
  Tally tally_;
};

struct RunTallies {
  std::array<Tally, kIntervals.size()> timed;
  std::array<Tally, kThresholds.size()> threshold;
  double duration = 0;
};
constexpr std::size_t kSettings = kIntervals.size() + kThresholds.size();

// One drive with one of the settings, first the intervals and then the thresholds.
void watch(const ObservedDrive& recording, const predict::ReplicaModel& model, const SendingParams& params,
           std::uint64_t seed, std::size_t setting, RunTallies& tallies) {
  if (setting < kIntervals.size()) {
    Timed rule(kIntervals[setting]);
    tallies.timed[setting] = Watch(model, params, seed, rule).run(recording);
  } else {
    const std::size_t i = setting - kIntervals.size();
    predict::SendRule rule(model, {kThresholds[i], params.base_interval_s, kShortestInterval, kViewer});
    tallies.threshold[i] = Watch(model, params, seed, rule).run(recording);
  }
}

template <std::size_t N>
std::vector<SendingPoint> sum_up(const std::array<double, N>& settings, const std::vector<RunTallies>& runs,
                                 std::array<Tally, N> RunTallies::*which) {
  std::vector<SendingPoint> curve;
  for (std::size_t i = 0; i < N; ++i) {
    Tally all;
    double duration = 0;
    for (const RunTallies& run : runs) {
      all.error += (run.*which)[i].error;
      all.n += (run.*which)[i].n;
      all.bytes += (run.*which)[i].bytes;
      duration += run.duration;
    }
    if (all.n == 0) continue;
    curve.push_back({settings[i], all.bytes / duration, all.error / all.n});
  }
  return curve;
}

// Settings for which no other one is both cheaper and better, from the best to the worst.
std::vector<SendingPoint> useful(std::vector<SendingPoint> curve) {
  std::sort(curve.begin(), curve.end(), [](const SendingPoint& a, const SendingPoint& b) {
    return a.mean_error_m != b.mean_error_m ? a.mean_error_m < b.mean_error_m : a.bytes_per_s < b.bytes_per_s;
  });
  std::vector<SendingPoint> kept;
  for (const SendingPoint& point : curve) {
    if (kept.empty() || point.bytes_per_s < kept.back().bytes_per_s) kept.push_back(point);
  }
  return kept;
}

}  // namespace

// Between two settings along a straight line of logarithms: both axes span decades.
std::optional<double> bytes_at_error(const std::vector<SendingPoint>& curve, double mean_error_m) {
  const std::vector<SendingPoint> points = useful(curve);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const SendingPoint& b = points[i];
    if (b.mean_error_m < mean_error_m) continue;
    if (b.mean_error_m == mean_error_m) return b.bytes_per_s;
    if (i == 0) return std::nullopt;
    const SendingPoint& a = points[i - 1];
    const double share = std::log(mean_error_m / a.mean_error_m) / std::log(b.mean_error_m / a.mean_error_m);
    return a.bytes_per_s * std::pow(b.bytes_per_s / a.bytes_per_s, share);
  }
  return std::nullopt;
}

void compare_curves(SendingResult& result) {
  constexpr int kPlaces = 24;
  const std::vector<SendingPoint> timed = useful(result.timed), threshold = useful(result.threshold);
  if (timed.empty() || threshold.empty()) return;
  const double low = std::max(timed.front().mean_error_m, threshold.front().mean_error_m);
  const double high = std::min(timed.back().mean_error_m, threshold.back().mean_error_m);
  double sum = 0, largest = 0;
  int n = 0;
  for (int i = 0; low > 0 && low <= high && i <= kPlaces; ++i) {
    const double error = std::min(high, low * std::pow(high / low, static_cast<double>(i) / kPlaces));
    const auto a = bytes_at_error(threshold, error), b = bytes_at_error(timed, error);
    if (!a || !b) continue;
    sum += std::log(*a / *b);
    largest = std::max(largest, *a / *b);
    ++n;
  }
  if (n == 0) return;
  result.bytes_ratio_at_same_error = std::exp(sum / n);
  result.largest_bytes_ratio = largest;
}

namespace {

Result<std::vector<ObservedDrive>> record_all(const sim::Setting& inputs, const SendingParams& params) {
  std::vector<ObservedDrive> recordings(static_cast<std::size_t>(params.runs));
  std::vector<std::optional<Error>> errors(recordings.size());
  static_cast<void>(for_each_piece(recordings.size(), [&](std::size_t i) {
    auto recording = record(inputs, params.seed + i);
    if (recording) {
      recordings[i] = std::move(*recording);
    } else {
      errors[i] = recording.error();
    }
  }));
  for (const auto& error : errors) {
    if (error) return *error;
  }
  return recordings;
}

}  // namespace

Result<SendingResult> run_sending_study(const sim::Setting& inputs, const SendingParams& params,
                                        const std::function<bool(double)>& on_progress) {
  const auto model = predict::make_replica_model(inputs.world, inputs.robot);
  if (!model) return model.error();
  const auto recordings = record_all(inputs, params);
  if (!recordings) return recordings.error();
  std::vector<RunTallies> runs(recordings->size());
  const bool whole = for_each_piece(
      runs.size() * kSettings,
      [&](std::size_t i) {
        const std::size_t run = i / kSettings;
        watch((*recordings)[run], *model, params, params.seed + run, i % kSettings, runs[run]);
      },
      on_progress);
  SendingResult result;
  if (!whole) return result;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    runs[i].duration = static_cast<double>((*recordings)[i].reports.size()) * kLook;
    result.duration_s += runs[i].duration / params.runs;
  }
  const Tally& most = runs.front().timed.front();
  result.bytes_per_report = most.bytes / std::max(1.0, most.sent);
  result.timed = sum_up(kIntervals, runs, &RunTallies::timed);
  result.threshold = sum_up(kThresholds, runs, &RunTallies::threshold);
  compare_curves(result);
  return result;
}

}  // namespace forerun::study
