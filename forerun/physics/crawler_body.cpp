#include "forerun/physics/crawler_body.hpp"

#include <utility>

#include "forerun/physics/scene_text.hpp"

namespace forerun::physics {
namespace {

constexpr double kStill = 1e-3;  // slower than this it stands [m/s, rad/s]

}  // namespace

CrawlerCommand belts_for(const robot::Drive& drive, const robot::Crawler& crawler, const robot::Twist& twist) noexcept {
  const robot::WheelSpeeds speeds = robot::wheel_speeds(drive, twist);
  return {speeds[0] * crawler.track_radius, speeds[1] * crawler.track_radius, {}};
}

robot::State planar_state(const CrawlerState& s) noexcept {
  const Vec2 ahead = unit_vector(s.attitude.yaw);
  return {
      {s.position.x, s.position.y, s.attitude.yaw},
      {s.velocity.x * ahead.x + s.velocity.y * ahead.y, s.velocity.y * ahead.x - s.velocity.x * ahead.y, s.turning.z}};
}

robot::Posture posture_of(const CrawlerState& s) noexcept {
  return {s.position.z, s.attitude.roll, s.attitude.pitch, s.flippers, s.left_speed, s.right_speed, standing(s)};
}

Result<std::unique_ptr<CrawlerBody>> CrawlerBody::make(const sim::Model& model) {
  auto scene = Scene::make(model.world.terrain);
  if (!scene) return scene.error();
  if (auto placed = scene->put_down(*model.robot.crawler, model.start); !placed) {
    return Error{"the robot " + placed.error().message, ErrorKind::bad_input};
  }
  return std::unique_ptr<CrawlerBody>(new CrawlerBody(std::move(*scene), model));
}

CrawlerBody::CrawlerBody(Scene scene, const sim::Model& model) noexcept
    : scene_(std::move(scene)), model_(model), odometry_(model.start), turned_(model.start.theta) {
  look();
}

void CrawlerBody::step(const robot::Twist& command, double dt) noexcept {
  motors_.step(command, model_.robot.limits, dt, robot::lag_share(model_.reality.motor_lag, dt));
  CrawlerCommand wanted = belts_for(model_.robot.drive, *model_.robot.crawler, motors_.velocity);
  wanted.flippers = flippers_;
  scene_.command(0, wanted);
  const Vec2 before = state_.pose.position();
  constexpr double kRounding = 1e-9;  // [s]
  for (owed_ += dt; owed_ >= kStep - kRounding; owed_ -= kStep) scene_.step();
  look();
  path_length_ += length(state_.pose.position() - before);
}

// Takes over what the scene has come to: the truth, and what the encoders make of it.
void CrawlerBody::look() noexcept {
  const CrawlerState s = scene_.state(0);
  state_ = planar_state(s);
  posture_ = posture_of(s);
  const robot::Drive& drive = model_.robot.drive;
  robot::WheelSpeeds turned;
  turned.push_back(s.left_angle - left_angle_);
  turned.push_back(s.right_angle - right_angle_);
  odometry_ = robot::move(odometry_, robot::body_twist(drive, turned), 1);
  turned_ += robot::body_twist(drive, turned).w;
  odometry_.theta = normalize_angle(odometry_.theta);
  left_angle_ = s.left_angle;
  right_angle_ = s.right_angle;
  const double radius = model_.robot.crawler->track_radius;
  robot::WheelSpeeds speeds;
  speeds.push_back(s.left_speed / radius);
  speeds.push_back(s.right_speed / radius);
  measured_ = robot::body_twist(drive, speeds);
}

std::int64_t CrawlerBody::ticks(std::size_t wheel) const noexcept {
  constexpr double kTurn = 2 * kPi;
  return static_cast<std::int64_t>(
      std::floor((wheel == 0 ? left_angle_ : right_angle_) / kTurn * model_.robot.drive.ticks_per_turn));
}

bool CrawlerBody::moves() const noexcept {
  const robot::Twist& v = state_.velocity;
  return length(Vec2{v.vx, v.vy}) > kStill || std::fabs(v.w) > kStill;
}

void CrawlerBody::add_to(Hash& hash) const noexcept {
  scene_.add_to(hash);
  hash.add(owed_);
}

Result<std::unique_ptr<sim::Body>> make_body(const sim::Model& model) {
  if (!model.robot.crawler || !model.world.terrain.is_rough()) return std::unique_ptr<sim::Body>();
  auto body = CrawlerBody::make(model);
  if (!body) return body.error();
  return std::unique_ptr<sim::Body>(std::move(*body));
}

}  // namespace forerun::physics
