// What stands behind a handle of a model.
#pragma once

#include <memory>
#include <optional>

#include "forerun/base/bytes.hpp"
#include "forerun/navigate/goal_plan.hpp"
#include "forerun/predict/replica.hpp"
#include "forerun/sense/seen_world.hpp"
#include "forerun/sense/sensors.hpp"
#include "forerun/sim/model_bytes.hpp"
#include "forerun/wasm/core_api.h"

namespace forerun::wasm {

// Shared by the handle and by all that was made from it, so that handles may be freed in any order.
struct Model {
  sim::ModelBundle bundle;
  predict::ReplicaModel replica;
};

[[nodiscard]] Result<std::shared_ptr<const Model>> make_model(Bytes bytes);

// No place is farther from the origin of its map [m]; false for what is no number.
[[nodiscard]] bool is_place(double x, double y) noexcept;

}  // namespace forerun::wasm

struct ForerunModel {
  std::shared_ptr<const forerun::wasm::Model> model;
  // for pictures; made when first asked for
  std::optional<forerun::navigate::GoalPlan> plan;
  bool has_goal = false;
  std::optional<forerun::sense::Sensors> sensors;  // as the robot has them, without doors; the replica's are level
  forerun::sense::Readings readings;
};

namespace forerun::wasm {

// What the sensors measure at a pose as beams, FORERUN_BEAM_… each: how many, or that it is refused. `seen`: what else
// is in their way at this time; or null.
int32_t give_beams(ForerunModel& handle, const Pose2& pose, const sense::SeenWorld* seen, RobotTime now);
// An error where there is no room for it.
[[nodiscard]] Result<void> prepare_plan(ForerunModel& handle);

}  // namespace forerun::wasm
