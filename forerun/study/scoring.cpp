#include "forerun/study/scoring.hpp"

#include <algorithm>
#include <cmath>

#include "forerun/base/random.hpp"
#include "forerun/predict/live_robot.hpp"
#include "forerun/study/percentile.hpp"

namespace forerun::study {
namespace {

constexpr int kResamples = 400;

// Where a message, and what each method makes of it, start from.
struct Start {
  learn::Moment truth;
  Vec2 extrapolation;
  Vec2 prediction;
};

std::uint8_t distance_bin(double distance) noexcept {
  const double bin = std::floor(std::max(distance, 0.0) / kDistanceStep);
  return static_cast<std::uint8_t>(std::min(bin, static_cast<double>(kDistances)));
}

// The prediction is for the time of `truth`.
Sample compare(const Start& start, const learn::Moment& truth, const predict::Prediction& prediction) {
  const Vec2 extrapolated = prediction.extrapolated.pose.position(), predicted = prediction.state.pose.position();
  const auto outcome = [&](Vec2 true_for_extrapolation, Vec2 true_for_prediction) -> Sample::Outcome {
    return {static_cast<float>(distance(extrapolated, true_for_extrapolation)),
            static_cast<float>(distance(predicted, true_for_prediction)),
            prediction.region50.contains(true_for_prediction), prediction.region95.contains(true_for_prediction)};
  };
  const Vec2 there = truth.pose.position();
  const Vec2 moved = there - start.truth.pose.position();
  Sample sample;
  sample.by = {outcome(there, there), outcome(start.extrapolation + moved, start.prediction + moved)};
  sample.radius95 = static_cast<float>(prediction.region95.radius());
  sample.distance = distance_bin(truth.driven - start.truth.driven);
  return sample;
}

// Sums of one bin in one block.
struct Sums {
  double n = 0;
  double extrapolation = 0;
  double prediction = 0;
  double in50 = 0;
  double in95 = 0;
  double radius95 = 0;

  void add(const Sample& sample, Measure measure) noexcept {
    const Sample::Outcome& outcome = sample.by[static_cast<std::size_t>(measure)];
    n += 1;
    extrapolation += static_cast<double>(outcome.extrapolation);
    prediction += static_cast<double>(outcome.prediction);
    in50 += outcome.in50 ? 1 : 0;
    in95 += outcome.in95 ? 1 : 0;
    radius95 += static_cast<double>(sample.radius95);
  }
};

// One bin's samples: all errors together, and sums block by block.
struct Bin {
  std::vector<double> extrapolations, predictions;
  Sums all;
  std::vector<Sums> blocks;

  void add(const Sample& sample, Measure measure, std::size_t block) {
    const Sample::Outcome& outcome = sample.by[static_cast<std::size_t>(measure)];
    extrapolations.push_back(static_cast<double>(outcome.extrapolation));
    predictions.push_back(static_cast<double>(outcome.prediction));
    all.add(sample, measure);
    blocks[block].add(sample, measure);
  }
};

// Intervals by bootstrap over the blocks: samples of one block resemble each other and must not count as independent.
void add_intervals(const Bin& bin, ErrorBin& result) {
  std::vector<double> extrapolations, predictions;
  Random random(1, 0xb007);
  for (int i = 0; i < kResamples; ++i) {
    Sums drawn;
    for (std::size_t k = 0; k < bin.blocks.size(); ++k) {
      const Sums& sums = bin.blocks[random.below(bin.blocks.size())];
      drawn.n += sums.n;
      drawn.extrapolation += sums.extrapolation;
      drawn.prediction += sums.prediction;
    }
    if (drawn.n == 0) continue;
    extrapolations.push_back(drawn.extrapolation / drawn.n);
    predictions.push_back(drawn.prediction / drawn.n);
  }
  result.extrapolation_ci95 = {percentile(extrapolations, 2.5), percentile(extrapolations, 97.5)};
  result.prediction_ci95 = {percentile(predictions, 2.5), percentile(predictions, 97.5)};
}

ErrorBin finish(const Bin& bin, double at) {
  const Sums& all = bin.all;
  ErrorBin result;
  result.at = at;
  result.n = bin.predictions.size();
  result.extrapolation = all.extrapolation / all.n;
  result.extrapolation_median = percentile(bin.extrapolations, 50);
  result.prediction = all.prediction / all.n;
  result.prediction_median = percentile(bin.predictions, 50);
  result.prediction_p95 = percentile(bin.predictions, 95);
  result.coverage50 = all.in50 / all.n;
  result.coverage95 = all.in95 / all.n;
  result.radius95 = all.radius95 / all.n;
  add_intervals(bin, result);
  return result;
}

// The bins that `index` sorts the samples into; beyond `n_bins` they are left out.
template <class Index>
std::vector<Bin> sort_into_bins(std::span<const Block> blocks, Measure measure, std::size_t n_bins, Index index) {
  std::vector<Bin> bins(n_bins);
  for (Bin& bin : bins) bin.blocks.resize(blocks.size());
  for (std::size_t block = 0; block < blocks.size(); ++block) {
    for (const Sample& sample : blocks[block]) {
      if (index(sample) < n_bins) bins[index(sample)].add(sample, measure, block);
    }
  }
  return bins;
}

// The first bin from which on prediction is better beyond both intervals, in all bins that follow too.
std::optional<double> significant_from(const std::vector<ErrorBin>& bins) {
  std::optional<double> from;
  for (auto bin = bins.rbegin(); bin != bins.rend(); ++bin) {
    if (!(bin->prediction_ci95[1] < bin->extrapolation_ci95[0])) break;
    from = bin->at;
  }
  return from;
}

}  // namespace

std::vector<Sample> score(const learn::Drive& drive, std::span<const robot::Report> messages,
                          const predict::ReplicaModel& model) {
  std::vector<Sample> samples;
  predict::LiveRobot live(model);
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const robot::Report& report = messages[i];
    live.take(report);
    const double time = to_seconds(report.time);
    const auto then = drive.at(time);
    if (!then) continue;
    const Start start{*then, report.state.pose.position(), live.at(report.time).state.pose.position()};
    for (std::size_t k = 0; k < kGaps; ++k) {
      const Duration gap = from_seconds(static_cast<double>(k + 1) * kGapStep);
      const auto truth = drive.at(time + to_seconds(gap));
      if (!truth) break;
      Sample sample = compare(start, *truth, live.at(report.time + gap));
      sample.message = static_cast<std::uint32_t>(i);
      sample.gap = static_cast<std::uint8_t>(k);
      samples.push_back(sample);
    }
  }
  return samples;
}

Scores summarize(std::span<const Block> blocks, Measure measure) {
  Scores scores;
  Sums all;
  const auto by_gap = sort_into_bins(blocks, measure, kGaps, [](const Sample& s) { return std::size_t{s.gap}; });
  for (std::size_t i = 0; i < kGaps; ++i) {
    all.n += by_gap[i].all.n;
    all.in50 += by_gap[i].all.in50;
    all.in95 += by_gap[i].all.in95;
    if (by_gap[i].predictions.size() < kFewest) continue;
    scores.gap_bins.push_back(finish(by_gap[i], static_cast<double>(i + 1) * kGapStep));
  }
  const auto by_distance =
      sort_into_bins(blocks, measure, kDistances, [](const Sample& s) { return std::size_t{s.distance}; });
  for (std::size_t i = 0; i < kDistances; ++i) {
    if (by_distance[i].predictions.size() < kFewest) continue;
    scores.distance_bins.push_back(finish(by_distance[i], static_cast<double>(i) * kDistanceStep));
  }
  scores.significant_from_gap_s = significant_from(scores.gap_bins);
  scores.significant_from_distance_m = significant_from(scores.distance_bins);
  scores.coverage50 = all.n > 0 ? all.in50 / all.n : 0;
  scores.coverage95 = all.n > 0 ? all.in95 / all.n : 0;
  return scores;
}

const ErrorBin* bin_at(const Scores& scores, double gap_s) noexcept {
  for (const ErrorBin& bin : scores.gap_bins) {
    if (std::abs(bin.at - gap_s) < 1e-9) return &bin;
  }
  return nullptr;
}

std::optional<double> ratio_at(const Scores& scores, double gap_s) noexcept {
  const ErrorBin* bin = bin_at(scores, gap_s);
  if (bin == nullptr || !(bin->extrapolation > 0)) return std::nullopt;
  return bin->prediction / bin->extrapolation;
}

}  // namespace forerun::study
