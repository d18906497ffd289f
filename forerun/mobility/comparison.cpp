#include "forerun/mobility/comparison.hpp"

#include <algorithm>

namespace forerun::mobility {
namespace {

std::vector<Frame> frames_of(const TrialResult& result) {
  std::vector<Frame> frames;
  for (const TrialMoment& moment : result.moments) frames.push_back({moment.x, moment.z, moment.nose_up});
  return frames;
}

std::vector<Pair> side_by_side(std::size_t n) {
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < n; ++i) pairs.push_back({i, i});
  return pairs;
}

Result<Comparison> compare_one(const robot::Crawler& robot, const Trial& trial, const ComparisonParams& params) {
  TrialParams usual, different;
  different.mass_factor = params.mass_factor;
  different.friction_factor = params.friction_factor;
  different.speed = usual.speed * params.speed_factor;
  different.seed = params.seed;
  auto ours = run_trial(robot, trial, usual);
  if (!ours) return ours.error();
  auto other = run_trial(robot, trial, different);
  if (!other) return other.error();
  Comparison made{trial, std::move(*ours), std::move(*other), {}, {}, {}, {}, {}};
  made.ours_frames = frames_of(made.ours);
  made.other_frames = frames_of(made.other);
  made.pairs = match(made.ours_frames, made.other_frames);
  const auto both = side_by_side(std::min(made.ours_frames.size(), made.other_frames.size()));
  made.unmatched = errors_of(made.ours_frames, made.other_frames, both);
  made.matched = errors_of(made.ours_frames, made.other_frames, made.pairs);
  return made;
}

}  // namespace

Result<std::vector<Comparison>> compare(const robot::Crawler& robot, const ComparisonParams& params,
                                        const std::function<bool(double)>& go_on) {
  std::vector<Comparison> made;
  double n_done = 0;
  for (const PublishedTrial& one : published_trials()) {
    if (!go_on(n_done++ / static_cast<double>(published_trials().size()))) return std::vector<Comparison>();
    if (!one.real_passed) continue;
    auto compared = compare_one(robot, one.trial, params);
    if (!compared) return compared.error();
    made.push_back(std::move(*compared));
  }
  return made;
}

}  // namespace forerun::mobility
