#include "forerun/physics/scene.hpp"

#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "forerun/physics/scene_text.hpp"

namespace forerun::physics {
namespace {

using robot::Crawler;
using robot::kFlippers;

// One robot's numbers in the engine: body, left and right track motor, flippers.
constexpr std::size_t kPositions = 7 + 2 + kFlippers;
constexpr std::size_t kVelocities = 6 + 2 + kFlippers;
constexpr std::size_t kTrackPosition = 7, kTrackVelocity = 6;
constexpr std::size_t kFlipperPosition = 9, kFlipperVelocity = 8;

constexpr double kDeepestContact = 0.02;  // of a robot that is put down [m]
constexpr double kHighestDrop = 1.0;      // likewise, of its frame above the ground [m]
constexpr double kGap = 0.002;            // left between a robot that is put down and the ground [m]

// A track motor's controller: full torque at this share of the top speed off, and the rest within this time.
constexpr double kFullTorqueAt = 0.1;
constexpr double kSettles = 0.05;   // [s]
constexpr double kKneeSpeed = 0.7;  // share of the top speed up to which the motor has its full torque
// A flipper's servo [N·m/rad, N·m·s/rad].
constexpr double kStiffness = 400, kDamping = 20;

Vec3 vec(const mjtNum* v) noexcept { return {v[0], v[1], v[2]}; }

// Of a matrix by rows.
Rotation axes(const mjtNum* m) noexcept { return {{m[0], m[3], m[6]}, {m[1], m[4], m[7]}, {m[2], m[5], m[8]}}; }

// The torque that a motor of this top speed has left at this speed, in the direction of the wanted one.
double within_motor(double wanted, double speed, double top_speed, double torque) noexcept {
  const double along = wanted > 0 ? speed : -speed;
  const double share = clamp((top_speed - along) / ((1 - kKneeSpeed) * top_speed), 0.0, 1.0);
  return clamp(wanted, -torque * share, torque * share);
}

}  // namespace

Standing standing(const CrawlerState& state) noexcept {
  constexpr double kUpright = 0.26, kUpsideDown = -0.26;  // cosines of 75 and 105 degrees
  const Vec3 p = state.position;
  if (!std::isfinite(p.x + p.y + p.z) || p.z < -world::kDeepest) return Standing::lost;
  const Rotation axes = rotation(state.attitude);
  if (axes.z.z > kUpright) return Standing::upright;
  const bool on_end = std::fabs(axes.x.z) > std::fabs(axes.y.z);
  return axes.z.z < kUpsideDown || on_end ? Standing::upside_down : Standing::on_its_side;
}

Result<Scene> Scene::make(const world::Terrain& terrain) { return build(terrain, {}, 0); }

Result<Scene> Scene::build(const world::Terrain& terrain, std::span<const Placed> placed, double time) {
  Scene scene;
  scene.terrain_ = terrain;
  for (const Placed& one : placed) scene.robots_.push_back(one.robot);
  auto model = compile_model(make_scene_text(terrain, scene.robots_));
  if (!model) return model.error();
  scene.model_ = std::move(*model);
  scene.data_ = make_data(*scene.model_);
  scene.data_->time = time;
  scene.belts_ = Belts(*scene.model_, scene.robots_);
  scene.fill_height_maps();
  for (std::size_t i = 0; i < placed.size(); ++i) {
    std::copy(placed[i].position.begin(), placed[i].position.end(), scene.data_->qpos + kPositions * i);
    std::copy(placed[i].velocity.begin(), placed[i].velocity.end(), scene.data_->qvel + kVelocities * i);
    scene.drives_.push_back(placed[i].drives);
  }
  scene.find_contacts();
  return scene;
}

void Scene::fill_height_maps() {
  for (std::size_t i = 0; i < terrain_.height_maps.size(); ++i) {
    const auto& heights = terrain_.height_maps[i].heights;
    const auto [low, high] = std::minmax_element(heights.begin(), heights.end());
    const float range = std::max(*high - *low, 1e-3f);
    float* data = model_->hfield_data + model_->hfield_adr[i];
    for (std::size_t k = 0; k < heights.size(); ++k) data[k] = (heights[k] - *low) / range;
  }
}

std::vector<Scene::Placed> Scene::take_out() const {
  std::vector<Placed> placed;
  for (std::size_t i = 0; i < robots_.size(); ++i) {
    const mjtNum* position = data_->qpos + kPositions * i;
    const mjtNum* velocity = data_->qvel + kVelocities * i;
    placed.push_back({robots_[i], drives_[i], {position, position + kPositions}, {velocity, velocity + kVelocities}});
  }
  return placed;
}

Result<Scene> Scene::with(const Crawler& robot, Vec3 position, const Attitude& attitude,
                          const robot::FlipperAngles& flippers) const {
  std::vector<Placed> placed = take_out();
  Placed one{robot, {}, std::vector<double>(kPositions), std::vector<double>(kVelocities)};
  const Rotation a = rotation(attitude);
  const mjtNum matrix[9] = {a.x.x, a.y.x, a.z.x, a.x.y, a.y.y, a.z.y, a.x.z, a.y.z, a.z.z};
  one.position[0] = position.x;
  one.position[1] = position.y;
  one.position[2] = position.z;
  mju_mat2Quat(one.position.data() + 3, matrix);
  std::copy(flippers.begin(), flippers.end(), one.position.begin() + kFlipperPosition);
  one.drives.wanted = one.drives.command.flippers = flippers;
  placed.push_back(std::move(one));
  return build(terrain_, placed, data_->time);
}

Result<std::size_t> Scene::add(const Crawler& robot, Vec3 position, const Attitude& attitude,
                               const robot::FlipperAngles& flippers) {
  auto next = with(robot, position, attitude, flippers);
  if (!next) return next.error();
  if (auto fits = next->check_place(size()); !fits) return fits.error();
  *this = std::move(*next);
  return size() - 1;
}

Result<std::size_t> Scene::add_aloft(const Crawler& robot) {
  auto next = with(robot, {0, 0, world::kDeepest}, {}, {});
  if (!next) return next.error();
  *this = std::move(*next);
  return size() - 1;
}

Result<std::size_t> Scene::put_down(const Crawler& robot, const Pose2& place, const robot::FlipperAngles& flippers) {
  // under the tracks' ends and middles
  double ground = -kInfinity;
  for (const double ahead : {-0.5, 0.0, 0.5}) {
    for (const double aside : {-1.0, 1.0}) {
      const Vec2 at = place * Vec2{ahead * robot.track_length, aside * robot.track_offset};
      ground = std::max(ground, ground_below({at.x, at.y, world::kDeepest}));
    }
  }
  if (!std::isfinite(ground)) return Error{"has no ground below it", ErrorKind::bad_input};
  return add(robot, {place.x, place.y, ground + robot.track_radius + kGap}, {0, 0, place.theta}, flippers);
}

Result<void> Scene::check_place(std::size_t robot) const {
  const int body = mj_name2id(model_.get(), mjOBJ_BODY, body_name(robot).c_str());
  const Vec3 place = vec(data_->xpos + 3 * body);
  if (!(place.z - ground_below(place) < kHighestDrop)) return Error{"has no ground below it within a metre"};
  for (int i = 0; i < data_->ncon; ++i) {
    const mjContact& contact = data_->contact[i];
    const bool ours = model_->body_rootid[model_->geom_bodyid[contact.geom1]] == body ||
                      model_->body_rootid[model_->geom_bodyid[contact.geom2]] == body;
    if (ours && contact.dist < -kDeepestContact) return Error{"would stand inside something"};
  }
  return {};
}

void Scene::remove(std::size_t robot) {
  std::vector<Placed> placed = take_out();
  placed.erase(placed.begin() + static_cast<std::ptrdiff_t>(robot));
  auto next = build(terrain_, placed, data_->time);
  FORERUN_CHECK(next.ok());  // with more robots it could be built
  *this = std::move(*next);
}

void Scene::set(std::size_t robot, const CrawlerState& state) noexcept {
  mjtNum* position = data_->qpos + kPositions * robot;
  mjtNum* velocity = data_->qvel + kVelocities * robot;
  const auto put = [](Vec3 v, mjtNum* to) { to[0] = v.x, to[1] = v.y, to[2] = v.z; };
  put(state.position, position);
  const Rotation a = rotation(state.attitude);
  const mjtNum matrix[9] = {a.x.x, a.y.x, a.z.x, a.x.y, a.y.y, a.z.y, a.x.z, a.y.z, a.z.z};
  mju_mat2Quat(position + 3, matrix);
  put(state.velocity, velocity);
  put(state.turning, velocity + 3);
  const double radius = robots_[robot].track_radius;
  velocity[kTrackVelocity] = state.left_speed / radius;
  velocity[kTrackVelocity + 1] = state.right_speed / radius;
  std::copy_n(state.flippers.begin(), kFlippers, position + kFlipperPosition);
  std::copy_n(state.flipper_speeds.begin(), kFlippers, velocity + kFlipperVelocity);
  drives_[robot].wanted = state.flippers;
  std::fill_n(data_->qacc_warmstart + kVelocities * robot, kVelocities, 0.0);
  find_contacts();
}

void Scene::command(std::size_t robot, const CrawlerCommand& command) noexcept {
  const Crawler& c = robots_[robot];
  CrawlerCommand& own = drives_[robot].command;
  own = {clamp(command.left, -c.track_speed, c.track_speed), clamp(command.right, -c.track_speed, c.track_speed), {}};
  for (std::size_t i = 0; i < kFlippers; ++i) {
    own.flippers[i] = clamp(command.flippers[i], -c.flipper_limit, c.flipper_limit);
  }
}

void Scene::drive_tracks(std::size_t robot) noexcept {
  const Crawler& c = robots_[robot];
  Drives& drives = drives_[robot];
  const double top = c.track_speed / c.track_radius;
  // no stiffer than one step can follow
  const double gain = std::min(c.track_torque / (kFullTorqueAt * top), 0.5 * c.track_inertia / kStep);
  for (std::size_t side = 0; side < 2; ++side) {
    const std::size_t dof = kVelocities * robot + kTrackVelocity + side;
    const double speed = data_->qvel[dof];
    const double off = (side == 0 ? drives.command.left : drives.command.right) / c.track_radius - speed;
    const double wanted = drives.held[side] + gain * off;
    const double torque = within_motor(wanted, speed, top, c.track_torque);
    // what the motor cannot give is not asked for later
    if (torque == wanted) drives.held[side] += gain * off * kStep / kSettles;
    drives.held[side] = clamp(drives.held[side], -c.track_torque, c.track_torque);
    data_->qfrc_applied[dof] = drives.torque[side] = torque;
  }
}

void Scene::drive_flippers(std::size_t robot) noexcept {
  const Crawler& c = robots_[robot];
  Drives& drives = drives_[robot];
  for (std::size_t i = 0; i < kFlippers; ++i) {
    const std::size_t dof = kVelocities * robot + kFlipperVelocity + i;
    const double most = c.flipper_speed * kStep;
    drives.wanted[i] += clamp(drives.command.flippers[i] - drives.wanted[i], -most, most);
    const double off = drives.wanted[i] - data_->qpos[kPositions * robot + kFlipperPosition + i];
    const double torque = kStiffness * off - kDamping * data_->qvel[dof];
    data_->qfrc_applied[dof] = clamp(torque, -c.flipper_torque, c.flipper_torque);
  }
}

void Scene::find_contacts() noexcept {
  const mjModel* m = model_.get();
  mjData* d = data_.get();
  mj_kinematics(m, d);
  mj_comPos(m, d);
  mj_crb(m, d);
  mj_factorM(m, d);
  mj_collision(m, d);
}

// The stages of mj_step, with belts in between.
void Scene::step() noexcept {
  const mjModel* m = model_.get();
  mjData* d = data_.get();
  for (std::size_t robot = 0; robot < robots_.size(); ++robot) {
    drive_tracks(robot);
    drive_flippers(robot);
  }
  find_contacts();
  belts_.lay(*m, *d);
  mj_makeConstraint(m, d);
  belts_.couple(*m, *d);
  mj_transmission(m, d);
  mj_projectConstraint(m, d);
  mj_fwdVelocity(m, d);
  mj_fwdActuation(m, d);
  mj_fwdAcceleration(m, d);
  mj_fwdConstraint(m, d);
  mj_Euler(m, d);
}

CrawlerState Scene::state(std::size_t robot) const noexcept {
  const mjtNum* position = data_->qpos + kPositions * robot;
  const mjtNum* velocity = data_->qvel + kVelocities * robot;
  const Drives& drives = drives_[robot];
  mjtNum matrix[9];
  mju_quat2Mat(matrix, position + 3);
  const Rotation world_from_robot = axes(matrix);
  CrawlerState state;
  state.position = vec(position);
  state.attitude = attitude(world_from_robot);
  state.velocity = vec(velocity);
  state.turning = vec(velocity + 3);
  const Vec3 felt = vec(data_->qacc + kVelocities * robot) - vec(model_->opt.gravity);
  state.acceleration = {dot(world_from_robot.x, felt), dot(world_from_robot.y, felt), dot(world_from_robot.z, felt)};
  const int body = mj_name2id(model_.get(), mjOBJ_BODY, body_name(robot).c_str());
  state.center_of_gravity = vec(data_->subtree_com + 3 * body);
  const double radius = robots_[robot].track_radius;
  state.left_angle = position[kTrackPosition];
  state.right_angle = position[kTrackPosition + 1];
  state.left_speed = radius * velocity[kTrackVelocity];
  state.right_speed = radius * velocity[kTrackVelocity + 1];
  state.left_torque = drives.torque[0];
  state.right_torque = drives.torque[1];
  std::copy_n(position + kFlipperPosition, kFlippers, state.flippers.begin());
  std::copy_n(velocity + kFlipperVelocity, kFlippers, state.flipper_speeds.begin());
  return state;
}

double Scene::time() const noexcept { return data_->time; }
int Scene::n_contacts() const noexcept { return data_->ncon; }

bool Scene::flippers_touch(std::size_t robot) const noexcept {
  const int body = mj_name2id(model_.get(), mjOBJ_BODY, body_name(robot).c_str());
  const auto is_flipper = [&](int geom) {
    const int of = model_->geom_bodyid[geom];
    return of != body && model_->body_rootid[of] == body;
  };
  for (int i = 0; i < data_->ncon; ++i) {
    if (is_flipper(data_->contact[i].geom1) || is_flipper(data_->contact[i].geom2)) return true;
  }
  return false;
}

double Scene::ground_below(Vec3 point) const noexcept {
  const mjtNum from[3] = {point.x, point.y, point.z}, down[3] = {0, 0, -1};
  const mjtByte terrain_only[mjNGROUP] = {1, 0, 0, 0, 0, 0};
  int geom = -1;
  const mjtNum distance = mj_ray(model_.get(), data_.get(), from, down, terrain_only, 1, -1, &geom);
  return distance < 0 ? -kInfinity : point.z - distance;
}

Scene::Snapshot Scene::save() const {
  Snapshot snapshot;
  auto& all = snapshot.numbers;
  all.push_back(data_->time);
  all.insert(all.end(), data_->qpos, data_->qpos + model_->nq);
  all.insert(all.end(), data_->qvel, data_->qvel + model_->nv);
  all.insert(all.end(), data_->qacc_warmstart, data_->qacc_warmstart + model_->nv);
  for (const Drives& drives : drives_) {
    all.insert(all.end(), {drives.command.left, drives.command.right, drives.held[0], drives.held[1]});
    all.insert(all.end(), drives.command.flippers.begin(), drives.command.flippers.end());
    all.insert(all.end(), drives.wanted.begin(), drives.wanted.end());
  }
  return snapshot;
}

void Scene::restore(const Snapshot& snapshot) noexcept {
  const double* next = snapshot.numbers.data();
  const auto take = [&](double* to, std::size_t n) {
    std::copy_n(next, n, to);
    next += n;
  };
  take(&data_->time, 1);
  take(data_->qpos, static_cast<std::size_t>(model_->nq));
  take(data_->qvel, static_cast<std::size_t>(model_->nv));
  take(data_->qacc_warmstart, static_cast<std::size_t>(model_->nv));
  for (Drives& drives : drives_) {
    take(&drives.command.left, 1);
    take(&drives.command.right, 1);
    take(drives.held.data(), 2);
    take(drives.command.flippers.data(), kFlippers);
    take(drives.wanted.data(), kFlippers);
  }
  find_contacts();
  // the engine has normalized a quaternion meanwhile, and would do so once more
  std::copy_n(snapshot.numbers.data() + 1, static_cast<std::size_t>(model_->nq), data_->qpos);
}

void Scene::add_to(Hash& hash) const noexcept {
  for (const double number : save().numbers) hash.add(number);
}

}  // namespace forerun::physics
