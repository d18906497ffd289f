#include "forerun/study/office_study.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "forerun/base/random.hpp"
#include "forerun/navigate/navigator.hpp"
#include "forerun/predict/extrapolation.hpp"
#include "forerun/predict/predictor.hpp"
#include "forerun/sim/loop.hpp"
#include "forerun/sim/report.hpp"
#include "forerun/study/percentile.hpp"

namespace forerun::study {
namespace {

constexpr double kGapStep = 0.25;       // [s]
constexpr std::size_t kGaps = 72;       // up to 18 s
constexpr double kDistanceStep = 0.25;  // [m]
constexpr std::size_t kDistances = 24;  // up to 6 m
constexpr std::size_t kFewest = 30;     // samples of a bin that counts
constexpr int kResamples = 400;
constexpr double kTruthStep = 0.05;  // [s]

// Sums of one bin in one run.
struct Sums {
  double n = 0;
  double extrapolation = 0;
  double prediction = 0;

  void add(double extrapolated, double predicted) noexcept {
    n += 1;
    extrapolation += extrapolated;
    prediction += predicted;
  }
};

struct Scores {
  std::array<Sums, kGaps> by_gap{};
  std::array<Sums, kDistances> by_distance{};
};

// What truly happened in a run, and what the robot said of it.
struct Drive {
  struct Moment {
    Vec2 position;
    double driven = 0;  // path so far [m]
  };
  std::vector<Moment> truth;  // every kTruthStep
  std::vector<robot::Report> reports;

  [[nodiscard]] std::optional<Moment> at(double time) const {
    const double place = time / kTruthStep;
    const auto before = static_cast<std::size_t>(place);
    if (before + 1 >= truth.size()) return std::nullopt;
    const double share = place - static_cast<double>(before);
    const Moment &a = truth[before], &b = truth[before + 1];
    return Moment{a.position + (b.position - a.position) * share, a.driven + (b.driven - a.driven) * share};
  }
};

Result<Drive> drive(const OfficeInputs& inputs, std::uint64_t seed, double interval) {
  const auto model = sim::make_model({inputs.world, inputs.robot, inputs.scenario, inputs.reality, seed});
  if (!model) return model.error();
  navigate::Navigator navigator(model->planning, model->robot);
  sim::Loop loop(*model, navigator);
  Drive drive;
  // no stream of the simulation: the phase of the reports is nobody's business
  double next_report = Random(seed, 0x0ff1ce).uniform(0, interval);
  std::uint32_t sequence = 0;
  Drive::Moment before{loop.truth().pose.position(), 0};
  double before_time = 0;
  while (!loop.finished() && to_seconds(loop.time()) < inputs.scenario.time_limit) {
    const double time = to_seconds(loop.time());
    const Drive::Moment now{loop.truth().pose.position(), loop.plant().path_length()};
    for (double t; (t = static_cast<double>(drive.truth.size()) * kTruthStep) <= time;) {
      const double share = time > before_time ? (t - before_time) / (time - before_time) : 1;
      drive.truth.push_back({before.position + (now.position - before.position) * share,
                             before.driven + (now.driven - before.driven) * share});
    }
    before = now;
    before_time = time;
    if (time >= next_report) {
      drive.reports.push_back(sim::make_report(loop, {.sequence = sequence++}));
      next_report += interval;
    }
    loop.step();
  }
  return drive;
}

// Every report at every gap. The predictor knows the reports up to this one and nothing else.
Scores score(const Drive& drive, const predict::ReplicaModel& model) {
  Scores scores;
  navigate::Navigator navigator(model.planning, model.robot);
  predict::Predictor predictor(model, navigator);
  for (const robot::Report& report : drive.reports) {
    predictor.resync(report);
    const double start = to_seconds(report.time);
    const auto then = drive.at(start);
    for (std::size_t i = 0; then && i < kGaps; ++i) {
      const Duration gap = from_seconds(static_cast<double>(i + 1) * kGapStep);
      const auto truth = drive.at(start + to_seconds(gap));
      if (!truth) break;
      const Vec2 predicted = predictor.advance(report.time + gap).pose.position();
      const Vec2 extrapolated = predict::extrapolate(report, gap).pose.position();
      const double predicted_error = distance(predicted, truth->position);
      const double extrapolated_error = distance(extrapolated, truth->position);
      scores.by_gap[i].add(extrapolated_error, predicted_error);
      const auto bin = static_cast<std::size_t>((truth->driven - then->driven) / kDistanceStep);
      if (bin < kDistances) scores.by_distance[bin].add(extrapolated_error, predicted_error);
    }
  }
  return scores;
}

// One bin over all runs, with intervals by bootstrap over the runs.
template <class Pick>
std::optional<ErrorBin> summarize(const std::vector<Scores>& runs, double at, Pick pick) {
  Sums all;
  for (const Scores& run : runs) {
    const Sums& sums = pick(run);
    all.n += sums.n;
    all.extrapolation += sums.extrapolation;
    all.prediction += sums.prediction;
  }
  if (all.n < static_cast<double>(kFewest)) return std::nullopt;
  std::vector<double> extrapolations, predictions;
  Random random(1, 0xb007);
  for (int i = 0; i < kResamples; ++i) {
    Sums drawn;
    for (std::size_t k = 0; k < runs.size(); ++k) {
      const Sums& sums = pick(runs[random.below(runs.size())]);
      drawn.n += sums.n;
      drawn.extrapolation += sums.extrapolation;
      drawn.prediction += sums.prediction;
    }
    if (drawn.n == 0) continue;
    extrapolations.push_back(drawn.extrapolation / drawn.n);
    predictions.push_back(drawn.prediction / drawn.n);
  }
  return ErrorBin{at,
                  static_cast<std::size_t>(all.n),
                  all.extrapolation / all.n,
                  {percentile(extrapolations, 2.5), percentile(extrapolations, 97.5)},
                  all.prediction / all.n,
                  {percentile(predictions, 2.5), percentile(predictions, 97.5)}};
}

// The first bin from which on prediction is better beyond both intervals, in all bins that follow too.
double significant_from(const std::vector<ErrorBin>& bins) {
  double from = 0;
  for (auto bin = bins.rbegin(); bin != bins.rend(); ++bin) {
    if (!(bin->prediction_ci95[1] < bin->extrapolation_ci95[0])) break;
    from = bin->at;
  }
  return from;
}

}  // namespace

Result<OfficeResult> run_office_study(const OfficeInputs& inputs, const OfficeParams& params,
                                      const std::function<bool(double)>& on_progress) {
  const auto model = predict::make_replica_model(inputs.world, inputs.robot);
  if (!model) return model.error();
  OfficeResult result;
  std::vector<Scores> runs;
  for (int i = 0; i < params.runs; ++i) {
    if (on_progress && !on_progress(static_cast<double>(i) / params.runs)) break;
    const auto driven = drive(inputs, params.seed + static_cast<std::uint64_t>(i), params.interval_s);
    if (!driven) return driven.error();
    runs.push_back(score(*driven, *model));
    result.path_length_m += driven->truth.back().driven / params.runs;
    result.duration_s += static_cast<double>(driven->truth.size()) * kTruthStep / params.runs;
  }
  for (std::size_t i = 0; i < kGaps; ++i) {
    const auto pick = [i](const Scores& run) -> const Sums& { return run.by_gap[i]; };
    const auto bin = summarize(runs, static_cast<double>(i + 1) * kGapStep, pick);
    if (bin) result.gap_bins.push_back(*bin);
  }
  for (std::size_t i = 0; i < kDistances; ++i) {
    const auto pick = [i](const Scores& run) -> const Sums& { return run.by_distance[i]; };
    const auto bin = summarize(runs, static_cast<double>(i) * kDistanceStep, pick);
    if (bin) result.distance_bins.push_back(*bin);
  }
  result.significant_from_gap_s = significant_from(result.gap_bins);
  result.significant_from_distance_m = significant_from(result.distance_bins);
  return result;
}

double ratio_at(const OfficeResult& result, double gap_s) noexcept {
  for (const ErrorBin& bin : result.gap_bins) {
    if (std::abs(bin.at - gap_s) < 1e-9 && bin.extrapolation > 0) return bin.prediction / bin.extrapolation;
  }
  return 0;
}

}  // namespace forerun::study
