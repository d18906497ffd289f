// `forerun study latency`: the robot of the paper with its dead time, predicted four frames ahead, and driven with and
// without prediction (LAT-4).
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "forerun/base/fields.hpp"
#include "forerun/base/result.hpp"
#include "forerun/latency/camera_rig.hpp"
#include "forerun/learn/evaluate_response.hpp"

namespace forerun::latency {

struct LatencyParams {
  RigParams rig;
  int drives = 4;          // of play to learn from
  double drive_s = 120;    // each [s]
  int laps = 10;           // round the free-kick points
  int targets = 30;        // driven to
  double speed_mps = 0.9;  // round the free-kick points [m/s]
  int seed = 1;
};

template <class Visit>
void visit_fields(LatencyParams& p, Visit&& visit) {
  visit("drives", p.drives, Field{1, 100, "drives of play to learn from"});
  visit("drive_s", p.drive_s, Field{20, 3600, "length of each [s]"});
  visit("laps", p.laps, Field{1, 1000, "round the free-kick points"});
  visit("targets", p.targets, Field{1, 1000, "driven to"});
  visit("speed_mps", p.speed_mps, Field{0.1, 2, "speed round the free-kick points [m/s]"});
  visit("seed", p.seed, Field{0, 1e9, "of noise, targets and training"});
}

// One task, done once.
struct TaskRun {
  double error_m = 0;      // mean distance from the line, or mean overshoot
  std::vector<Vec2> path;  // truly driven; of targets the first one
};

struct LatencyResult {
  learn::LearnedModel model;
  learn::HorizonErrors errors;  // four frames ahead
  double ahead_s = 0;           // for which the robot is driven: dead time and lag, as found
  TaskRun loop_without, loop_with;
  TaskRun target_without, target_with;
  TaskRun loop_longer,
      loop_shorter;  // with prediction; the dead time is half as long again, or half as long, as learned
};

[[nodiscard]] Result<LatencyResult> run_latency_study(const robot::Description& robot, const LatencyParams& params,
                                                      const std::function<bool(double)>& progress = {});

[[nodiscard]] nlohmann::ordered_json to_json(const LatencyResult& result);
[[nodiscard]] std::string latency_study_page(const LatencyResult& result);

}  // namespace forerun::latency
