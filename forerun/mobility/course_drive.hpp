// Prediction on rough ground, scored: a robot that is not quite as believed is driven over a course by hand, and
// predicted from its reports by physics, by extrapolation and by staying put.
#pragma once

#include <functional>
#include <vector>

#include "forerun/base/fields.hpp"
#include "forerun/base/result.hpp"
#include "forerun/mobility/comparison.hpp"
#include "forerun/robot/description.hpp"
#include "forerun/world/world.hpp"

namespace forerun::mobility {

// Means over all reports, this long after each.
struct GapScore {
  double gap = 0;  // [s]
  int n = 0;
  double stays = 0, extrapolated = 0, physics = 0, believed = 0;  // off by [m]
  double pitch = 0;                                               // of the prediction [rad]
  double pitch_held = 0;                                          // had the reported one been kept [rad]
};

struct CourseScore {
  std::vector<GapScore> gaps;
  std::vector<GapScore> untold;  // the same for one who watches and does not know the commands
};

// Over the steps, up the ramp and over the step fields of Kenaf's course, by commands of a seed; nothing when `go_on`
// says false.
[[nodiscard]] Result<CourseScore> score_course(const world::World& world, const robot::Description& robot,
                                               const ComparisonParams& params,
                                               const std::function<bool(double done)>& go_on);

}  // namespace forerun::mobility
