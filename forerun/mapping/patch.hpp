// A piece of the map: some scans beside each other, in the frame of one of them, to match others to.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "forerun/mapping/evidence.hpp"
#include "forerun/mapping/likelihood_grid.hpp"
#include "forerun/mapping/surface_index.hpp"

namespace forerun::mapping {

// A scan as the map takes it.
struct Sweep {
  double time = 0;
  Pose2 odometry;
  Vec2 laser;                        // where it sits on the robot
  std::vector<SurfacePoint> points;  // in the robot's frame
};

// Scans, and where they are believed to be.
struct PlacedSweeps {
  std::span<const Sweep> sweeps;
  std::span<const Pose2> poses;
};

// What several scans saw, in the frame of one of them.
struct Patch {
  std::vector<SurfacePoint> points;
  Grid<Evidence> evidence;
};

// `members` in the frame of `anchor`; points further than `reach` from it are left out [m].
[[nodiscard]] Patch make_patch(const PlacedSweeps& placed, std::span<const int> members, int anchor, double reach);

// A patch made ready to be matched to.
struct Reference {
  Patch patch;
  SurfaceIndex index;
  LikelihoodGrid likelihood;

  Reference(Patch taken, double reach)
      : patch(std::move(taken)), index(patch.points, 0.3), likelihood(patch.points, reach) {}
};

// How well two patches agree: where one saw a surface, did the other see one, or did it look through?
struct Agreement {
  int same = 0;     // points on a surface of the other
  int against = 0;  // points where the other saw free floor
  int unseen = 0;   // points where the other did not look

  [[nodiscard]] double share() const { return same + against == 0 ? 0 : static_cast<double>(same) / (same + against); }
  [[nodiscard]] double overlap() const {
    return same + against + unseen == 0 ? 0 : static_cast<double>(same + against) / (same + against + unseen);
  }
};
[[nodiscard]] Agreement compare(const Patch& a, const Patch& b, const Pose2& a_from_b);

}  // namespace forerun::mapping
