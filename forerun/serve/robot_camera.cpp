#include "forerun/serve/robot_camera.hpp"

#include <algorithm>

#include "forerun/physics/crawler_shape.hpp"
#include "forerun/physics/jpeg.hpp"
#include "forerun/robot/cameras.hpp"

namespace forerun::serve {
namespace {

constexpr int kWorst = 12, kBest = 75;  // qualities of JPEG: below, shapes are lost; above, nobody sees a difference
constexpr double kMuchRoom = 0.7;       // an image that fills less of its size may be better the next time
constexpr int kPersonSides = 10;

physics::Camera camera_at(const robot::Eye& eye, const Pose2& robot, const std::optional<robot::Posture>& posture) {
  const robot::Posture stands = posture.value_or(robot::Posture{});
  const Rotation body = rotation({stands.roll, stands.pitch, robot.theta}), looks = rotation({0, eye.tilt, 0});
  return {.place = Vec3{robot.x, robot.y, stands.height} + body * eye.place,
          .axes = {body * looks.x, body * looks.y, body * looks.z},
          .field_of_view = eye.field_of_view,
          .width = kShotWidth,
          .height = kShotHeight};
}

// An upright prism in place of a disc.
void add_disc(const world::Mover& disc, std::vector<world::Triangle>& triangles) {
  const auto corner = [&](int i, double z) {
    const Vec2 out = unit_vector(kTwoPi * i / kPersonSides) * disc.radius;
    return Vec3{disc.pose.x + out.x, disc.pose.y + out.y, z};
  };
  for (int i = 0; i < kPersonSides; ++i) {
    const Vec3 a = corner(i, disc.low), b = corner(i + 1, disc.low);
    const Vec3 c = corner(i + 1, disc.high), d = corner(i, disc.high);
    triangles.push_back({a, b, c, disc.material});
    triangles.push_back({a, c, d, disc.material});
    triangles.push_back({d, c, {disc.pose.x, disc.pose.y, disc.high}, disc.material});
  }
}

}  // namespace

RobotCamera::RobotCamera(const world::World& world, const robot::Description& robot, std::uint8_t number)
    : number_(number),
      eye_(robot::cameras(robot)[number].eye),
      body_(robot.crawler),
      materials_(world.materials),
      view_(world) {}

std::vector<RobotCamera> RobotCamera::all(const world::World& world, const robot::Description& robot) {
  std::vector<RobotCamera> all;
  for (std::uint8_t i = 0; i < robot::cameras(robot).size(); ++i) all.push_back(RobotCamera(world, robot, i));
  return all;
}

void RobotCamera::see_movers(std::span<const world::Mover> movers) {
  std::vector<world::Triangle> triangles;
  for (const world::Mover& mover : movers) {
    mover.shape == world::Mover::Shape::disc ? add_disc(mover, triangles) : append_triangles(mover, triangles);
  }
  for (const world::Triangle& t : triangles) {
    const world::Material& m = materials_[static_cast<std::size_t>(t.material)];
    moving_.push_back(
        {t.a, t.b, t.c, static_cast<float>(m.red), static_cast<float>(m.green), static_cast<float>(m.blue)});
  }
}

void RobotCamera::see_itself(const Stand& stand) {
  if (!body_ || !stand.posture) return;
  const robot::Posture& p = *stand.posture;
  physics::CrawlerState state;
  state.position = {stand.truth.x, stand.truth.y, p.height};
  state.attitude = {p.roll, p.pitch, stand.truth.theta};
  state.flippers = p.flippers;
  physics::add_shape(*body_, state, moving_);
}

std::optional<Shot> RobotCamera::take(const Stand& stand, std::span<const world::Mover> movers, std::size_t largest) {
  moving_.clear();
  see_movers(movers);
  see_itself(stand);
  view_.draw(camera_at(eye_, stand.truth, stand.posture), moving_, picture_);
  auto jpeg = physics::encode_jpeg(picture_, quality_);
  while (jpeg && jpeg->size() > largest && quality_ > kWorst) {
    quality_ = std::max(kWorst, quality_ * 3 / 4);
    jpeg = physics::encode_jpeg(picture_, quality_);
  }
  if (!jpeg) return std::nullopt;
  if (static_cast<double>(jpeg->size()) < kMuchRoom * static_cast<double>(largest)) {
    quality_ = std::min(kBest, quality_ + 5);
  }
  const physics::Camera believed = camera_at(eye_, stand.believed, stand.posture);
  image::Info info{.taken = stand.time,
                   .place = believed.place,
                   .attitude = attitude(believed.axes),
                   .field_of_view = eye_.field_of_view,
                   .width = kShotWidth,
                   .height = kShotHeight,
                   .camera = number_};
  return Shot{info, std::move(*jpeg)};
}

}  // namespace forerun::serve
