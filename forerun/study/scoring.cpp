#include "forerun/study/scoring.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "forerun/base/random.hpp"
#include "forerun/study/percentile.hpp"

namespace forerun::study {
namespace {

constexpr int kResamples = 400;
constexpr double kMissed = 0.05;  // share of moments that a region of 95 % may miss

std::uint8_t distance_bin(double distance) noexcept {
  const double bin = std::floor(std::max(distance, 0.0) / kDistanceStep);
  return static_cast<std::uint8_t>(std::min(bin, static_cast<double>(kDistances)));
}

// What a message is compared by: the truth when it was sent, and where each method began.
struct Start {
  learn::DrivePoint truth;
  std::vector<Vec2> answers;  // by method
};

// `answer` is for the time of `truth`.
Sample compare(const Start& start, std::size_t method, const learn::DrivePoint& truth, const Answer& answer) {
  const Vec2 there = truth.pose.position();
  const Vec2 moved = there - start.truth.pose.position();
  const std::array<Vec2, kMeasures> true_positions{there, start.answers[method] + moved};
  Sample sample;
  sample.method = static_cast<std::uint8_t>(method);
  sample.distance = distance_bin(truth.driven - start.truth.driven);
  unsigned in50 = 0, in95 = 0;
  for (std::size_t i = 0; i < kMeasures; ++i) {
    sample.error[i] = static_cast<float>(distance(answer.position, true_positions[i]));
    if (!answer.regions) continue;
    in50 |= (answer.regions->with50.contains(true_positions[i]) ? 1U : 0U) << i;
    sample.outside95[i] = static_cast<float>(answer.regions->with95.distance_to(true_positions[i]));
    in95 |= (answer.regions->with95.contains(true_positions[i]) ? 1U : 0U) << i;
  }
  sample.in50 = in50 & 0xfU;
  sample.in95 = in95 & 0xfU;
  if (answer.regions) sample.radius95 = static_cast<float>(answer.regions->with95.radius());
  return sample;
}

// Sums of one method's samples in one bin.
struct Sums {
  double n = 0;
  double error = 0;
  double in50 = 0;
  double in95 = 0;
  double radius95 = 0;
  double score95 = 0;

  void add(const Sample& sample, Measure measure) noexcept {
    const auto which = static_cast<unsigned>(measure);
    n += 1;
    error += static_cast<double>(sample.error[which]);
    in50 += (sample.in50 >> which) & 1U;
    in95 += (sample.in95 >> which) & 1U;
    radius95 += static_cast<double>(sample.radius95);
    score95 += kMissed * static_cast<double>(sample.radius95) + static_cast<double>(sample.outside95[which]);
  }
};

// One method's samples in one bin: all errors together, and sums block by block.
struct MethodBin {
  std::vector<double> errors;
  Sums all;
  std::vector<Sums> blocks;

  void add(const Sample& sample, Measure measure, std::size_t block) {
    errors.push_back(static_cast<double>(sample.error[static_cast<std::size_t>(measure)]));
    all.add(sample, measure);
    blocks[block].add(sample, measure);
  }
};

using Bin = std::vector<MethodBin>;  // by method

// By bootstrap over the blocks: samples of one block resemble each other and must not count as independent.
std::array<double, 2> interval_of_mean(const std::vector<Sums>& blocks) {
  std::vector<double> means;
  Random random(1, 0xb007);  // the same draws for every method
  for (int i = 0; i < kResamples; ++i) {
    double n = 0, error = 0;
    for (std::size_t k = 0; k < blocks.size(); ++k) {
      const Sums& sums = blocks[random.below(blocks.size())];
      n += sums.n;
      error += sums.error;
    }
    if (n > 0) means.push_back(error / n);
  }
  return {percentile(means, 2.5), percentile(means, 97.5)};
}

MethodErrors finish(const MethodBin& bin) {
  const Sums& all = bin.all;
  return {.mean = all.error / all.n,
          .ci95 = interval_of_mean(bin.blocks),
          .median = percentile(bin.errors, 50),
          .p95 = percentile(bin.errors, 95),
          .coverage50 = all.in50 / all.n,
          .coverage95 = all.in95 / all.n,
          .radius95 = all.radius95 / all.n,
          .score95 = all.score95 / all.n};
}

// What a summary is made of.
struct Samples {
  std::span<const Block> blocks;
  Measure measure;
  std::size_t n_methods;
};

// The bins that `index` sorts the samples into; beyond `n_bins` they are left out.
template <class Index>
std::vector<Bin> sort_into_bins(const Samples& samples, std::size_t n_bins, Index index) {
  std::vector<Bin> bins(n_bins, Bin(samples.n_methods));
  for (Bin& bin : bins) {
    for (MethodBin& of_method : bin) of_method.blocks.resize(samples.blocks.size());
  }
  for (std::size_t block = 0; block < samples.blocks.size(); ++block) {
    for (const Sample& sample : samples.blocks[block]) {
      if (index(sample) < n_bins) bins[index(sample)][sample.method].add(sample, samples.measure, block);
    }
  }
  return bins;
}

// Those with enough samples; the first stands for `first`, each further one for a step more.
std::vector<ErrorBin> finish(const std::vector<Bin>& bins, double first, double step) {
  std::vector<ErrorBin> result;
  for (std::size_t i = 0; i < bins.size(); ++i) {
    const std::size_t n = bins[i].front().errors.size();
    if (n < kFewest) continue;
    ErrorBin& bin = result.emplace_back();
    bin.at = first + static_cast<double>(i) * step;
    bin.n = n;
    for (const MethodBin& of_method : bins[i]) bin.by_method.push_back(finish(of_method));
  }
  return result;
}

// The first bin from which on a method is better beyond both intervals, in all bins that follow too.
std::optional<double> significant_from(const std::vector<ErrorBin>& bins, std::size_t method) {
  std::optional<double> from;
  for (auto bin = bins.rbegin(); bin != bins.rend(); ++bin) {
    if (!(bin->by_method[method].ci95[1] < bin->extrapolation().ci95[0])) break;
    from = bin->at;
  }
  return from;
}

// `by_gap` holds every sample.
void add_coverage(const std::vector<Bin>& by_gap, std::size_t method, MethodScores& scores) {
  Sums all;
  for (const Bin& bin : by_gap) {
    all.n += bin[method].all.n;
    all.in50 += bin[method].all.in50;
    all.in95 += bin[method].all.in95;
    all.score95 += bin[method].all.score95;
  }
  scores.coverage50 = all.n > 0 ? all.in50 / all.n : 0;
  scores.coverage95 = all.n > 0 ? all.in95 / all.n : 0;
  scores.score95 = all.n > 0 ? all.score95 / all.n : 0;
}

// Each bin's gap is a whole number of steps.
void add_experts(const ExpertTally& tally, std::span<const char* const> names, Scores& scores) {
  scores.experts.assign(names.begin(), names.end());
  for (ErrorBin& bin : scores.gap_bins) {
    const ExpertTally::AtGap& at = tally.gaps[static_cast<std::size_t>(std::lround(bin.at / kGapStep)) - 1];
    for (std::size_t i = 0; i < names.size(); ++i) bin.experts.push_back(at.n > 0 ? at.weights[i] / at.n : 0);
  }
}

}  // namespace

void ExpertTally::add(std::size_t gap, const predict::ExpertRow& weights) noexcept {
  for (std::size_t i = 0; i < weights.size(); ++i) gaps[gap].weights[i] += weights[i];
  gaps[gap].n += 1;
}

void ExpertTally::add(const ExpertTally& other) noexcept {
  for (std::size_t k = 0; k < kMostGaps; ++k) {
    for (std::size_t i = 0; i < predict::kMostExperts; ++i) gaps[k].weights[i] += other.gaps[k].weights[i];
    gaps[k].n += other.gaps[k].n;
  }
}

std::vector<Sample> score(const learn::Drive& drive, std::span<const robot::Report> messages,
                          const predict::ReplicaModel& model, std::span<const Method> methods,
                          const ScoreExtent& params) {
  std::vector<Sample> samples;
  std::vector<std::unique_ptr<MethodRun>> runs;
  for (const Method& method : methods) runs.push_back(method.start(model));
  for (const auto& run : runs) run->know(drive.mission_number, drive.mission);
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const RobotTime sent = messages[i].time;
    for (const auto& run : runs) run->take(messages[i]);
    const auto then = drive.at(to_seconds(sent));
    if (!then) continue;
    Start start{*then, {}};
    for (const auto& run : runs) start.answers.push_back(run->at(sent).position);
    for (std::size_t k = 0; k < params.n_gaps; ++k) {
      const Duration gap = from_seconds(static_cast<double>(k + 1) * kGapStep);
      const auto truth = drive.at(to_seconds(sent) + to_seconds(gap));
      if (!truth) break;
      for (std::size_t method = 0; method < runs.size(); ++method) {
        const Answer answer = runs[method]->at(sent + gap);
        Sample& sample = samples.emplace_back(compare(start, method, *truth, answer));
        if (params.tally != nullptr && method == kPrediction) params.tally->add(k, answer.experts);
        sample.message = static_cast<std::uint32_t>(i);
        sample.gap = static_cast<std::uint8_t>(k);
      }
    }
  }
  return samples;
}

Scores summarize(std::span<const Block> blocks, Measure measure, std::span<const Method> methods,
                 const ExpertTally* tally) {
  const Samples samples{blocks, measure, methods.size()};
  const auto by_gap = sort_into_bins(samples, kMostGaps, [](const Sample& s) { return std::size_t{s.gap}; });
  const auto by_distance = sort_into_bins(samples, kDistances, [](const Sample& s) { return std::size_t{s.distance}; });
  Scores scores;
  scores.gap_bins = finish(by_gap, kGapStep, kGapStep);
  scores.distance_bins = finish(by_distance, 0, kDistanceStep);
  for (std::size_t i = 0; i < methods.size(); ++i) {
    MethodScores& its = scores.methods.emplace_back();
    its.name = methods[i].name;
    its.has_regions = methods[i].has_regions;
    its.significant_from_gap_s = significant_from(scores.gap_bins, i);
    its.significant_from_distance_m = significant_from(scores.distance_bins, i);
    add_coverage(by_gap, i, its);
  }
  if (tally != nullptr && methods.size() > kPrediction) add_experts(*tally, methods[kPrediction].experts, scores);
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
  if (bin == nullptr || !(bin->extrapolation().mean > 0)) return std::nullopt;
  return bin->prediction().mean / bin->extrapolation().mean;
}

}  // namespace forerun::study
