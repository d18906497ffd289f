#include "forerun/learn/calibration.hpp"

#include <algorithm>
#include <cmath>

namespace forerun::learn {
namespace {

constexpr int kMostRounds = 40;
constexpr double kUsualRounds = 12;   // after which it is mostly done
constexpr double kSettled = 1e-7;     // a step below this share of what is sought ends the search
constexpr double kLargestStep = 0.1;  // of a diameter or the base, as a share: beyond it the derivatives mean little
constexpr double kFirstFactor = 4;    // noise is tried this much larger and smaller …
constexpr double kLastFactor = 1.1;   // … and ever less, down to this
constexpr estimate::CalibrationNoise kFirstNoise{1e-4, 0.02, 0.02, 0.04, 0.02};
constexpr estimate::CalibrationNoise kSlippingNoise{1e-4, 0.001, 0.001, 0.002, 0.01};
constexpr estimate::CalibrationNoise kUnsteadyNoise{1e-7, 0.01, 0.01, 0.02, 0.05};
constexpr estimate::CalibrationNoise kLeastNoise{1e-10, 1e-5, 1e-5, 1e-5, 1e-4};

// The unknowns as one vector.
using Unknowns = Vector<kUnknowns>;

Unknowns to_vector(const CalibrationGuess& guess) {
  const auto& g = guess.geometry;
  return {{{{g.left_diameter},
            {g.right_diameter},
            {g.base},
            {guess.mount.x},
            {guess.mount.y},
            {guess.mount.theta},
            {guess.delay}}}};
}

void set(CalibrationGuess& guess, const Unknowns& values) {
  guess.geometry = {values[0], values[1], values[2]};
  guess.mount = {values[3], values[4], normalize_angle(values[5])};
  guess.delay = values[6];
}

struct Prior {
  Unknowns mean;
  Unknowns sigma;  // 0: known
};

estimate::ArcMotion sum_arcs(const robot::DifferentialGeometry& geometry, std::span<const CalibrationRow> rows) {
  estimate::ArcMotion sum;
  for (const CalibrationRow& row : rows) {
    const auto arc = estimate::arc_of(geometry, row.turns);
    sum = {sum.driven + arc.driven, sum.turned + arc.turned};
  }
  return sum;
}

// The sensor's angle on the robot, as the direction says in which it moves when the robot drives straight.
double mount_angle(std::span<const CalibrationDrive> drives, const robot::DifferentialGeometry& geometry) {
  double along = 0, across = 0;
  for (const CalibrationDrive& drive : drives) {
    for (const CalibrationStretch& stretch : drive.stretches) {
      std::optional<Pose2> before;
      estimate::ArcMotion since;
      const auto compare = [&](const estimate::ArcMotion& arc, const Pose2& moved) {
        // half of the turn is behind when half of the way is
        const SinCos turn = sincos(arc.turned / 2);
        along += arc.driven * (turn.cos * moved.x + turn.sin * moved.y);
        across += arc.driven * (turn.cos * moved.y - turn.sin * moved.x);
      };
      for (std::size_t i = 0; i < stretch.size(); ++i) {
        const CalibrationRow& row = stretch[i];
        if (row.displacement && i > 0) compare(sum_arcs(geometry, spanned_rows(stretch, i)), *row.displacement);
        const auto arc = estimate::arc_of(geometry, row.turns);
        since = {since.driven + arc.driven, since.turned + arc.turned};
        if (!row.pose) continue;
        // short moves say little but noise
        const bool far = std::fabs(since.driven) > geometry.base / 2 || std::fabs(since.turned) > 0.5;
        if (before && !far) continue;
        if (before) compare(since, inverse(*before) * row.pose->pose);
        before = row.pose->pose;
        since = {};
      }
    }
  }
  return -std::atan2(across, along);
}

bool knows_headings(std::span<const CalibrationDrive> drives) {
  return std::any_of(drives.begin(), drives.end(), [](const CalibrationDrive& drive) { return drive.has_heading; });
}

bool has_poses(std::span<const CalibrationDrive> drives) {
  return std::any_of(drives.begin(), drives.end(), [](const CalibrationDrive& drive) { return drive.absolute; });
}

Prior make_prior(std::span<const CalibrationDrive> drives, const robot::DifferentialGeometry& nominal,
                 const CalibrationParams& params) {
  Prior prior;
  // positions alone look the same at every angle
  const bool turnable = knows_headings(drives);
  prior.mean = to_vector({.geometry = nominal, .mount = {0, 0, turnable ? mount_angle(drives, nominal) : 0}});
  for (std::size_t i = 0; i < 3; ++i) prior.sigma[i] = params.share * prior.mean[i];
  prior.sigma[3] = prior.sigma[4] = params.mount_share * nominal.base;
  prior.sigma[5] = turnable ? params.mount_rad : 0;
  prior.sigma[6] = has_poses(drives) ? params.delay_s : 0;
  return prior;
}

// The information of drives and prior; what is known is held.
Matrix<kUnknowns, kUnknowns> with_prior(Matrix<kUnknowns, kUnknowns> information, const Prior& prior) {
  for (std::size_t i = 0; i < kUnknowns; ++i) {
    information(i, i) += prior.sigma[i] > 0 ? 1 / square(prior.sigma[i]) : 1e12 + information(i, i) * 1e12;
  }
  return information;
}

// One step of Gauss and Newton; how far it went, as a share of what the prior allows.
double improve(std::span<const CalibrationDrive> drives, const Prior& prior, const PoseSpacing& spacing,
               CalibrationGuess& guess) {
  const InnovationSums sums = sum_innovations(drives, guess, spacing, false);
  const Unknowns at = to_vector(guess);
  Unknowns slope = sums.whole.slope;
  for (std::size_t i = 0; i < kUnknowns; ++i) {
    if (prior.sigma[i] > 0) slope[i] += (at[i] - prior.mean[i]) / square(prior.sigma[i]);
  }
  const auto step = solve_symmetric(with_prior(sums.whole.information, prior), slope);
  if (!step) return 0;
  double shrink = 1, length = 0;
  for (std::size_t i = 0; i < 3; ++i) shrink = std::min(shrink, kLargestStep * at[i] / std::fabs((*step)[i]));
  for (std::size_t i = 0; i < kUnknowns; ++i) {
    if (prior.sigma[i] > 0) length = std::max(length, std::fabs((*step)[i]) / prior.sigma[i]);
  }
  set(guess, at - *step * shrink);
  return length;
}

// Slip, position and heading one after another, larger and smaller by `factor`, as long as that makes what was seen
// more likely.
void improve_noise(std::span<const CalibrationDrive> drives, const PoseSpacing& spacing, double factor,
                   CalibrationGuess& guess) {
  const auto cost = [&] { return sum_innovations(drives, guess, spacing, true).cost; };
  double best = cost();
  for (const auto part : {&estimate::CalibrationNoise::slip, &estimate::CalibrationNoise::position_x,
                          &estimate::CalibrationNoise::position_y, &estimate::CalibrationNoise::heading,
                          &estimate::CalibrationNoise::stamp}) {
    for (const double by : {factor, 1 / factor}) {
      for (bool better = true; better;) {
        const double kept = guess.noise.*part;
        guess.noise.*part = std::max(kept * by, kLeastNoise.*part);
        const double tried = cost();
        better = tried < best - 1e-9 * std::fabs(best);
        if (better) best = tried;
        if (!better) guess.noise.*part = kept;
      }
    }
  }
}

// Noise has more than one explanation that none of its neighbours betters: wheels that slip, or a sensor that is off.
// The search begins with each of them, and the likeliest counts.
void restart_noise(std::span<const CalibrationDrive> drives, const PoseSpacing& spacing, CalibrationGuess& guess) {
  const CalibrationGuess found = guess;
  double best = sum_innovations(drives, guess, spacing, true).cost;
  for (const auto& first : {kSlippingNoise, kUnsteadyNoise}) {
    CalibrationGuess other = found;
    other.noise = first;
    for (double factor = kFirstFactor; factor > kLastFactor; factor = std::sqrt(factor)) {
      improve_noise(drives, spacing, factor, other);
    }
    const double cost = sum_innovations(drives, other, spacing, true).cost;
    if (cost >= best) continue;
    best = cost;
    guess = other;
  }
}

using Covariance = Matrix<kUnknowns, kUnknowns>;

// How far the sum of such parts' slopes wavers, by what they have shown.
Covariance wavering_of(std::span<const InnovationPart> parts) {
  Covariance sum;
  for (const InnovationPart& part : parts) sum += part.slope * transposed(part.slope);
  const auto n = static_cast<double>(parts.size());
  return sum * (n / (n - 1));
}

// How sure the unknowns are. The information says it if the noise is as assumed; the slopes' parts of some seconds, and
// those of whole drives, say how much they really waver. The largest counts.
Covariance covariance_of(const InnovationSums& sums, const Prior& prior) {
  constexpr std::size_t kEnough = 6;  // of parts, to say how they waver
  const auto covariance = inverse_symmetric(with_prior(sums.whole.information, prior)).value_or(Covariance{});
  Covariance largest = covariance;
  for (const auto* parts : {&sums.blocks, &sums.stretches}) {
    if (parts->size() < kEnough) continue;
    const auto seen = covariance * wavering_of(*parts) * covariance;
    for (std::size_t i = 0; i < kUnknowns; ++i) largest(i, i) = std::max(largest(i, i), seen(i, i));
  }
  return largest;
}

robot::DifferentialGeometry sigma_of(const Covariance& covariance) {
  return {std::sqrt(covariance(0, 0)), std::sqrt(covariance(1, 1)), std::sqrt(covariance(2, 2))};
}

// What was known after each block, by derivatives at what is known in the end.
std::vector<CalibrationStage> stages_of(const InnovationSums& sums, const Prior& prior, const Unknowns& found) {
  std::vector<CalibrationStage> stages;
  Unknowns slope;
  for (std::size_t i = 0; i < kUnknowns; ++i) {
    if (prior.sigma[i] > 0) slope[i] = (found[i] - prior.mean[i]) / square(prior.sigma[i]);
  }
  Covariance information;
  const auto add_stage = [&] {
    const auto covariance = inverse_symmetric(with_prior(information, prior));
    if (!covariance) return;
    const Unknowns then = found - *covariance * slope;
    stages.push_back(
        {kInnovationBlock * static_cast<double>(stages.size()), {then[0], then[1], then[2]}, sigma_of(*covariance)});
  };
  add_stage();
  for (const InnovationPart& block : sums.blocks) {
    slope += block.slope;
    information += block.information;
    add_stage();
  }
  return stages;
}

estimate::GeometryBelief belief_of(const CalibrationGuess& guess, const Covariance& covariance,
                                   const CalibrationParams& params) {
  const auto sigma = [&](std::size_t i) { return std::sqrt(covariance(i, i)); };
  estimate::GeometryBelief belief{.geometry = guess.geometry,
                                  .sigma = sigma_of(covariance),
                                  .mount = guess.mount,
                                  .mount_sigma = {sigma(3), sigma(4), sigma(5)}};
  const Unknowns values = to_vector(guess);
  for (std::size_t i = 0; i < 3; ++i) belief.observable[i] = sigma(i) <= params.largest_sigma * values[i];
  return belief;
}

}  // namespace

Calibration calibrate(std::span<const CalibrationDrive> drives, const robot::DifferentialGeometry& nominal,
                      const CalibrationParams& params, const std::function<void(double)>& on_progress) {
  const Prior prior = make_prior(drives, nominal, params);
  CalibrationGuess guess{.noise = kFirstNoise};
  set(guess, prior.mean);
  double factor = kFirstFactor;
  std::vector<CalibrationDrive> placed(drives.begin(), drives.end());
  for (int round = 0; round < kMostRounds; ++round) {
    if (on_progress) on_progress(std::min(1.0, round / kUsualRounds));
    const double length = improve(placed, prior, params.spacing, guess);
    for (std::size_t i = 0; i < drives.size(); ++i) placed[i] = put_back(drives[i], guess.delay);
    if (factor <= kLastFactor && length < kSettled) break;
    if (factor > kLastFactor) {
      improve_noise(placed, params.spacing, factor, guess);
      factor = std::max(std::sqrt(factor), kLastFactor);
      if (factor <= kLastFactor) restart_noise(placed, params.spacing, guess);
    }
  }
  const InnovationSums sums = sum_innovations(placed, guess, params.spacing, false);
  const auto covariance = covariance_of(sums, prior);
  return {.belief = belief_of(guess, covariance, params),
          .delay = guess.delay,
          .delay_sigma = std::sqrt(covariance(6, 6)),
          .noise = guess.noise,
          .stages = stages_of(sums, prior, to_vector(guess)),
          .n_samples = sums.n_samples,
          .n_rejected = sums.n_rejected};
}

}  // namespace forerun::learn
