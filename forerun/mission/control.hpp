// Wheel velocities for a path, within all limits: what is uploaded (DEC-7, DEC-8).
#pragma once

#include <span>
#include <vector>

#include "forerun/base/fields.hpp"
#include "forerun/base/result.hpp"
#include "forerun/mission/action.hpp"
#include "forerun/mission/trim.hpp"
#include "forerun/mission/way.hpp"
#include "forerun/robot/description.hpp"
#include "forerun/robot/timed_path.hpp"

namespace forerun::mission {

using robot::length_of;
using robot::point_at;
using robot::TimedPath;
using robot::TimedPoint;

struct ControlParams {
  double period_s = 0.05;     // between two points of the result [s]
  double limits_share = 0.8;  // of the robot's limits that are used; the rest is for the tracker
  WayParams way;
};

template <class Visit>
void visit_fields(ControlParams& p, Visit&& visit) {
  visit("period_s", p.period_s, Field{0.01, 1, "between two points of a mission [s]"});
  visit("limits_share", p.limits_share, Field{0.1, 1, "of the robot's limits that are used"});
  visit_fields(p.way, visit);
}

struct Control {
  TimedPath path;               // begins and ends at rest; its points are `period_s` apart
  std::vector<Action> actions;  // each at the time of a point at which it stands
};
[[nodiscard]] Result<Control> compute_control(const TrimmedPath& path, const robot::Description& robot,
                                              const ControlParams& params);

// How hard the wheels are asked to speed up or brake, for each step from one point to the next: the largest share of a
// wheel's acceleration limit, 1 at the limit.
[[nodiscard]] std::vector<double> wheel_effort(std::span<const TimedPoint> path, const robot::Description& robot);

// The trimmed path as it is, at the times of its recording: with the jumps that the cuts have left in it.
[[nodiscard]] TimedPath with_spikes(const TrimmedPath& path);

}  // namespace forerun::mission
