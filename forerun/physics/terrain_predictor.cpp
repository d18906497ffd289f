#include "forerun/physics/terrain_predictor.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "forerun/physics/crawler_body.hpp"
#include "forerun/physics/scene_text.hpp"
#include "forerun/sim/resting.hpp"

namespace forerun::physics {
namespace {

constexpr Duration kHorizon = from_seconds(30);
constexpr Duration kLongest = from_seconds(12.5);  // the longest gap that is learned from
constexpr std::size_t kMostGiven = 256;
constexpr double kFarApart = 0.3;  // experts who differ by more are not mixed [m]

// Physics knows the ground, so it is trusted most until reports have spoken.
predict::ExpertWeights::Table first_weights() noexcept {
  predict::ExpertWeights::Table table{};
  for (auto& activity : table) {
    for (predict::ExpertRow& row : activity) row = {0.1, 0.3, 0.6};
  }
  return table;
}

predict::ExpertRow growth() noexcept { return {1, 1, 1}; }

}  // namespace

Result<TerrainPredictor> TerrainPredictor::make(const world::World& world, const robot::Description& robot) {
  FORERUN_CHECK(robot.crawler.has_value());
  std::array<std::optional<Scene>, 2> scenes;
  for (auto& scene : scenes) {
    auto made = Scene::make(world.terrain);
    if (!made) return made.error();
    if (auto placed = made->add_aloft(*robot.crawler); !placed) return placed.error();
    scene.emplace(std::move(*made));
  }
  return TerrainPredictor(std::move(*scenes[0]), std::move(*scenes[1]), robot, world.terrain);
}

TerrainPredictor::TerrainPredictor(Scene first, Scene second, const robot::Description& robot,
                                   const world::Terrain& terrain)
    : robot_(robot),
      terrain_(terrain),
      newest_{.scene = std::move(first), .report = {}, .time = {}},
      long_{.scene = std::move(second), .report = {}, .time = {}},
      weights_(first_weights(), growth()) {}

void TerrainPredictor::begin(Run& run, const robot::Report& report) noexcept {
  const robot::Posture& posture = *report.posture;
  const Pose2& pose = report.state.pose;
  const robot::Twist& v = report.state.velocity;
  const Vec2 moves = Transform2(pose).rotate({v.vx, v.vy});
  CrawlerState state;
  state.position = {pose.x, pose.y, posture.height};
  state.attitude = {posture.roll, posture.pitch, pose.theta};
  state.velocity = {moves.x, moves.y, 0};
  state.turning = {0, 0, v.w};
  state.left_speed = posture.left_speed;
  state.right_speed = posture.right_speed;
  state.flippers = posture.flippers;
  run.scene.set(0, state);
  run.report = report;
  run.time = report.time;
  run.begun = true;
}

void TerrainPredictor::advance(Run& run, RobotTime until) noexcept {
  const CrawlerCommand reported{run.report.posture->left_speed, run.report.posture->right_speed, {}};
  constexpr Duration kTick = from_seconds(kStep);
  for (; run.time + kTick <= until; run.time += kTick) {
    CrawlerCommand command = reported;
    command.flippers = run.report.posture->flippers;
    for (const Given& given : given_) {
      if (given.time > run.time) break;
      // what was told before the report shows in it, but flippers may still be on their way
      if (given.flippers) command.flippers = *given.flippers;
      if (given.time < run.report.time) continue;
      const CrawlerCommand told = belts_for(robot_.drive, *robot_.crawler, given.velocity);
      command.left = told.left;
      command.right = told.right;
    }
    run.scene.command(0, command);
    run.scene.step();
  }
}

std::array<Pose2, TerrainPredictor::kExperts> TerrainPredictor::poses(const Run& run, RobotTime now) const noexcept {
  const robot::State& then = run.report.state;
  const CrawlerState physics = run.scene.state(0);
  std::array<Pose2, kExperts> made;
  made[kStays] = then.pose;
  made[kExtrapolates] = robot::move(then.pose, then.velocity, to_seconds(now - run.report.time));
  made[kPhysics] = {physics.position.x, physics.position.y, physics.attitude.yaw};
  return made;
}

void TerrainPredictor::learn(Run& run, const robot::Report& report) noexcept {
  const Duration gap = report.time - run.report.time;
  if (!run.begun || gap <= Duration{} || gap > kLongest) return;
  advance(run, report.time);
  const auto expected = poses(run, report.time);
  predict::ExpertWeights::Lesson lesson;
  lesson.gap = to_seconds(gap);
  lesson.awake = (1U << kExperts) - 1;
  lesson.scale = robot_.limits.max_speed;
  for (std::size_t i = 0; i < kExperts; ++i) {
    lesson.errors[i] = length(expected[i].position() - report.state.pose.position());
  }
  weights_.learn(lesson);
}

void TerrainPredictor::take(const robot::Report& report) noexcept {
  if (!report.posture || (newest_.begun && report.time == newest_.report.time)) return;
  // a robot side that was started again has another clock
  if (newest_.begun && report.time < newest_.report.time) {
    newest_.begun = long_.begun = false;
    given_.clear();
  }
  learn(newest_, report);
  if (long_.report.time != newest_.report.time) learn(long_, report);
  if (!long_.begun || report.time - long_.report.time > kLongest) begin(long_, report);
  begin(newest_, report);
  while (given_.size() > 1 && given_[1].time < long_.report.time) given_.pop_front();
}

void TerrainPredictor::give(RobotTime time, const robot::Twist& velocity,
                            const std::optional<robot::FlipperAngles>& flippers) noexcept {
  if (!given_.empty() && time <= given_.back().time) return;
  given_.push_back({time, velocity, flippers});
  if (given_.size() > kMostGiven) given_.pop_front();
}

std::optional<TerrainPredictor::Estimate> TerrainPredictor::at(RobotTime now) noexcept {
  if (!newest_.begun) return std::nullopt;
  now = std::clamp(now, newest_.report.time, newest_.report.time + kHorizon);
  advance(newest_, now);
  Estimate made;
  made.experts = poses(newest_, now);
  const double gap = std::max(to_seconds(now - newest_.report.time), 1e-3);
  made.weights = weights_.at(0, gap, (1U << kExperts) - 1);
  const auto heaviest = static_cast<std::size_t>(
      std::max_element(made.weights.begin(), made.weights.begin() + kExperts) - made.weights.begin());
  made.pose = made.experts[heaviest];
  Vec2 middle;
  bool near = true;
  for (std::size_t i = 0; i < kExperts; ++i) {
    middle = middle + made.experts[i].position() * made.weights[i];
    near = near && length(made.experts[i].position() - made.pose.position()) < kFarApart;
  }
  if (near) made.pose = {middle.x, middle.y, made.pose.theta};
  const CrawlerState state = newest_.scene.state(0);
  made.posture = posture_of(state);
  if (heaviest == kPhysics) return made;
  // the simpler experts have no posture: the ground below says it
  if (const auto rests = sim::rest(terrain_, *robot_.crawler, made.pose, newest_.report.posture->height)) {
    made.posture.height = rests->height;
    made.posture.roll = rests->roll;
    made.posture.pitch = rests->pitch;
  }
  return made;
}

}  // namespace forerun::physics
