#include "forerun/latency/latency_study.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

#include "forerun/base/math.hpp"
#include "forerun/latency/course.hpp"
#include "forerun/learn/train_response.hpp"
#include "forerun/respond/responder.hpp"

namespace forerun::latency {
namespace {

using Json = nlohmann::ordered_json;
using learn::Method;

constexpr double kHalfField = 2.0, kHalfFieldWidth = 1.3;  // [m]
constexpr double kFrames = 4;                              // that the paper predicts

std::uint64_t seed_of(const LatencyParams& params, int what) {
  return static_cast<std::uint64_t>(params.seed) * 1000 + static_cast<std::uint64_t>(what);
}

// One thing after the other all over the field, as in a game, and what the camera saw of it.
learn::CommandedDrive play(const robot::Description& robot, const LatencyParams& params, int which) {
  Random random(seed_of(params, which), 7);
  CameraRig rig(robot, params.rig, {}, seed_of(params, which));
  learn::CommandedDrive drive{.file = "play", .sideways = true, .period = rig.frame_s()};
  drive.stretches.emplace_back();
  auto& [commands, poses] = drive.stretches.back();
  Vec2 target;
  double heading = 0, until = 0;
  Pose2 seen;
  while (rig.time() < params.drive_s) {
    if (rig.time() >= until) {
      target = {random.uniform(-kHalfField, kHalfField), random.uniform(-kHalfFieldWidth, kHalfFieldWidth)};
      heading = random.uniform(-kPi, kPi);
      until = rig.time() + random.uniform(0.6, 2);
    }
    const robot::Twist command = approach_target(seen, target, heading, robot.limits);
    commands.push_back({rig.time(), command});
    rig.command(command);
    if (const auto frame = rig.advance()) {
      poses.push_back(*frame);
      seen = frame->pose;
    }
  }
  return drive;
}

// Who drives: by what was seen last, or by what is predicted for when a command shows.
class Pilot {
 public:
  // `model` null: without prediction.
  Pilot(CameraRig& rig, const Pose2& start, const respond::Model* model, double ahead)
      : rig_(rig), seen_(start), ahead_(model != nullptr ? ahead : 0) {
    if (model != nullptr) responder_.emplace(*model);
  }

  [[nodiscard]] double ahead() const { return ahead_; }
  // Where the robot is when what is commanded now comes about.
  [[nodiscard]] Pose2 believed() const {
    if (!responder_) return seen_;
    return responder_->at(rig_.time() + ahead_).value_or(seen_);
  }
  void drive(const robot::Twist& command) {
    rig_.command(command);
    if (responder_) responder_->give(rig_.time(), command);
    const auto frame = rig_.advance();
    if (!frame) return;
    seen_ = frame->pose;
    if (responder_) responder_->see(frame->time, frame->pose);
  }

 private:
  CameraRig& rig_;
  Pose2 seen_;
  double ahead_;
  std::optional<respond::Responder> responder_;
};

struct Rehearsal {
  const robot::Description& robot;
  const LatencyParams& params;
  RigParams rig;
  const respond::Model* model = nullptr;
  double ahead = 0;
};

TaskRun drive_loop(const Rehearsal& how) {
  const FreeKickLoop loop(how.params.speed_mps);
  const Wish first = loop.at(0);
  const Pose2 start{first.place.x, first.place.y, first.heading};
  CameraRig rig(how.robot, how.rig, start, seed_of(how.params, 500));
  Pilot pilot(rig, start, how.model, how.ahead);
  const double lap = FreeKickLoop::length() / how.params.speed_mps;
  TaskRun run;
  double sum = 0;
  int n = 0;
  while (rig.time() < lap * (how.params.laps + 0.5)) {
    pilot.drive(steer(pilot.believed(), loop.at(rig.time() + pilot.ahead()), how.robot.limits));
    if (rig.time() < 0.5 * lap) continue;  // under way
    const Vec2 place = rig.truth().pose.position();
    sum += FreeKickLoop::distance(place);
    ++n;
    if (rig.time() < 3.5 * lap) run.path.push_back(place);
  }
  run.error_m = sum / n;
  return run;
}

// From the far side of the field to a target; gives how far beyond it the robot gets.
double drive_to_target(const Rehearsal& how, int which, std::vector<Vec2>* path) {
  Random random(seed_of(how.params, 600 + which), 7);
  const Pose2 start{-kHalfField, random.uniform(-1, 1), random.uniform(-kPi, kPi)};
  const Vec2 target{random.uniform(0, 1.5), random.uniform(-1, 1)};
  const double heading = random.uniform(-kPi, kPi);
  CameraRig rig(how.robot, how.rig, start, seed_of(how.params, 600 + which));
  Pilot pilot(rig, start, how.model, how.ahead);
  const Vec2 way = target - start.position();
  const Vec2 forward = way * (1 / length(way));
  double beyond = 0;
  while (rig.time() < 5) {
    pilot.drive(approach_target(pilot.believed(), target, heading, how.robot.limits));
    const Vec2 place = rig.truth().pose.position();
    const Vec2 past = place - target;
    beyond = std::max(beyond, past.x * forward.x + past.y * forward.y);
    if (path != nullptr) path->push_back(place);
  }
  return beyond;
}

TaskRun drive_to_targets(const Rehearsal& how) {
  TaskRun run;
  for (int i = 0; i < how.params.targets; ++i) run.error_m += drive_to_target(how, i, i == 0 ? &run.path : nullptr);
  run.error_m /= how.params.targets;
  return run;
}

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

void drive_tasks(const Rehearsal& without, LatencyResult& result) {
  Rehearsal with = without;
  with.model = &result.model.best;
  with.ahead = result.ahead_s;
  result.loop_without = drive_loop(without);
  result.loop_with = drive_loop(with);
  result.target_without = drive_to_targets(without);
  result.target_with = drive_to_targets(with);
  with.rig.dead_time_s = 1.5 * without.rig.dead_time_s;
  result.loop_longer = drive_loop(with);
  with.rig.dead_time_s = 0.5 * without.rig.dead_time_s;
  result.loop_shorter = drive_loop(with);
}

}  // namespace

Result<LatencyResult> run_latency_study(const robot::Description& robot, const LatencyParams& params,
                                        const std::function<bool(double)>& progress) {
  if (!robot.drive.can_strafe()) {
    return Error{"the robot '" + robot.name + "' cannot drive sideways, but this experiment is one with such a robot"};
  }
  const Error stopped{"stopped before the end", ErrorKind::impossible};
  const auto go_on = [&](double done) { return !progress || progress(done); };
  std::vector<learn::CommandedDrive> drives;
  for (int i = 0; i < params.drives; ++i) {
    drives.push_back(play(robot, params, i));
    if (!go_on(0.1 * (i + 1) / params.drives)) return stopped;
  }
  learn::TrainParams training;
  training.rate_hz = params.rig.rate_hz;
  const double needed = 1.2 * (params.rig.dead_time_s + params.rig.lag_s);
  training.horizons_s = {kFrames / params.rig.rate_hz, std::max(2 * kFrames / params.rig.rate_hz, needed)};
  training.network.seed = params.seed;
  auto model =
      learn::train_response(drives, training, [&](const char*, double done) { return go_on(0.1 + 0.6 * done); });
  if (!model) return model.error();
  LatencyResult result;
  result.model = std::move(*model);
  const std::vector<learn::CommandedDrive> others{play(robot, params, 300), play(robot, params, 301)};
  auto errors = learn::evaluate_response(result.model, others);
  if (!errors) return errors.error();
  result.errors = std::move(errors->front());
  const respond::AxisResponse& forward = result.model.best.response.forward;
  result.ahead_s = std::min(forward.delay + forward.lag, result.model.best.longest());
  if (!go_on(0.8)) return stopped;
  drive_tasks({robot, params, params.rig}, result);
  return result;
}

Json to_json(const LatencyResult& result) {
  Json json;
  for (const Method method : {Method::velocity, Method::linear, Method::network, Method::best}) {
    const learn::MethodErrors& errors = result.errors.of(method);
    json[learn::kMethodNames[static_cast<std::size_t>(method)]] = {{"position_cm", 100 * mean_of(errors.place)},
                                                                   {"heading_rad", mean_of(errors.heading)}};
  }
  json["loop_error_without_m"] = result.loop_without.error_m;
  json["loop_error_with_m"] = result.loop_with.error_m;
  json["target_overshoot_without_m"] = result.target_without.error_m;
  json["target_overshoot_with_m"] = result.target_with.error_m;
  json["loop_error_dead_time_longer_m"] = result.loop_longer.error_m;
  json["loop_error_dead_time_shorter_m"] = result.loop_shorter.error_m;
  json["horizon_s"] = result.errors.horizon;
  json["ahead_s"] = result.ahead_s;
  json["predictions"] = result.errors.of(Method::best).place.size();
  return json;
}

}  // namespace forerun::latency
