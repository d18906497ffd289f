// A mission through the hall of tests/support/outings.hpp, recorded while its planner drives.
#pragma once

#include <stdexcept>

#include "forerun/mission/rehearsal.hpp"
#include "tests/support/outings.hpp"

namespace forerun::mission {

inline RecordedPath record_in_hall(const std::vector<sim::Goal>& goals,
                                   const robot::Description& robot = make_hall_robot()) {
  Outing outing(sim::kExact, goals, 1, robot);
  PathRecorder recorder;
  recorder.take(*outing.loop);
  while (!outing.loop->finished() && to_seconds(outing.loop->time()) < 300) {
    outing.loop->step();
    recorder.take(*outing.loop);
  }
  return recorder.path();
}

// Round the wall, into the other half.
inline Mission make_hall_mission(const robot::Description& robot = make_hall_robot()) {
  const RecordedPath path = record_in_hall({{"there", {8.5, 4}, 0}, {"on", {11, 4.5}, 0}}, robot);
  const Trim trim = find_cuts(path, {});
  auto control = compute_control(apply_cuts(path, trim.cuts), robot, {});
  if (!control) throw std::runtime_error(control.error().message);
  return {.name = "hall",
          .world = "room",
          .robot = robot.name,
          .fingerprint = fingerprint_of(robot),
          .path = std::move(control->path)};
}

}  // namespace forerun::mission
