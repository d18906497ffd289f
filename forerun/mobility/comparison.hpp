// Two robots in the same trial, laid over each other (KEN-6): ours, and one that is not quite as our file has it, as a
// real robot never is.
#pragma once

#include <functional>
#include <vector>

#include "forerun/mobility/matching.hpp"
#include "forerun/mobility/trial.hpp"

namespace forerun::mobility {

struct ComparisonParams {
  double mass_factor = 1.05;      // of the other robot, beside ours …
  double friction_factor = 0.92;  // …
  double speed_factor = 0.95;     // …
  std::uint64_t seed = 1;         // of where it starts; 0: where ours does
  int drives = 3;                 // over the course
};

template <class Visit>
void visit_fields(ComparisonParams& p, Visit&& visit) {
  visit("mass_factor", p.mass_factor, Field{0.5, 2, "all masses of the other robot, times this"});
  visit("friction_factor", p.friction_factor, Field{0.5, 2, "its belts' friction, times this"});
  visit("speed_factor", p.speed_factor, Field{0.5, 2, "its speed, times this"});
  visit("seed", p.seed, Field{0, 1e15, "of where it starts; 0: where ours does"});
  visit("drives", p.drives, Field{1, 1000, "over the course, to be predicted"});
}

struct Comparison {
  Trial trial;
  TrialResult ours, other;
  std::vector<Frame> ours_frames, other_frames;
  std::vector<Pair> pairs;
  MatchErrors unmatched;  // frame by frame, while both go on
  MatchErrors matched;
};

// Every published trial that the real robot passed; `go_on` says false to end early, then nothing comes of it.
[[nodiscard]] Result<std::vector<Comparison>> compare(const robot::Crawler& robot, const ComparisonParams& params,
                                                      const std::function<bool(double done)>& go_on);

}  // namespace forerun::mobility
