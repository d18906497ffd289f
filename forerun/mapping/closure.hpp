// Places seen before: is this the same one, and how do the two views of it lie to each other?
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "forerun/mapping/patch.hpp"
#include "forerun/mapping/pose_graph.hpp"

namespace forerun::mapping {

// Two views that might show the same place.
struct ClosureGuess {
  int old = 0;
  int newest = 0;
  double reach = 0.5;  // how far off the poses may be [m]
  double turn = 0.15;  // [rad]
  int n_ahead = 0;     // scans after `newest` that belong to its view
};

// What two views must have in common.
struct ClosureNeeds {
  double reach_m = 12;      // surfaces further off are left out [m]
  double agreement = 0.85;  // of two views: the least share that says the same
};

// The measured link where both views agree, and nothing else in the window would do as well.
[[nodiscard]] std::optional<PoseLink> find_closure(const PlacedSweeps& placed, const ClosureGuess& guess,
                                                   const ClosureNeeds& params);

// Scans from `first` to `last`, as far as there are any.
[[nodiscard]] std::vector<int> list_scans(const PlacedSweeps& placed, int first, int last);

}  // namespace forerun::mapping
