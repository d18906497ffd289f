#include "forerun/world/mover.hpp"

#include <algorithm>
#include <cmath>

namespace forerun::world {
namespace {

// Where a ray is inside a convex body: from `enter` to `leave`, and through which side it came in.
struct Passage {
  double enter = -kInfinity;
  double leave = kInfinity;
  Vec3 normal;  // of the side it came in through, in the frame of the slab or disc

  // Also inside the slab −half … half of one axis.
  void limit_to_slab(double position, double speed, double half, Vec3 axis) noexcept {
    if (speed == 0) {
      if (!(std::fabs(position) <= half)) leave = -kInfinity;
      return;
    }
    const double side = speed > 0 ? -1 : 1;
    const double slab_enter = (side * half - position) / speed;
    const double slab_leave = (-side * half - position) / speed;
    if (slab_enter > enter) {
      enter = slab_enter;
      normal = axis * side;
    }
    leave = std::min(leave, slab_leave);
  }
};

// `offset` from the disc's centre to the ray's origin.
void limit_to_disc(Passage& passage, Vec2 offset, Vec2 direction, double radius) noexcept {
  const double a = dot(direction, direction);
  const double c = dot(offset, offset) - radius * radius;
  if (a == 0) {
    if (c > 0) passage.leave = -kInfinity;
    return;
  }
  const double b = dot(offset, direction);
  const double discriminant = b * b - a * c;
  if (!(discriminant >= 0)) {
    passage.leave = -kInfinity;
    return;
  }
  const double root = sqrt(discriminant);
  const double disc_enter = (-b - root) / a;
  if (disc_enter > passage.enter) {
    passage.enter = disc_enter;
    const Vec2 p = offset + direction * disc_enter;
    passage.normal = {p.x / radius, p.y / radius, 0};
  }
  passage.leave = std::min(passage.leave, (-b + root) / a);
}

void limit_to_box(Passage& passage, Vec2 offset, Vec2 direction, const Mover& mover) noexcept {
  const Transform2 world_from_mover(Pose2{0, 0, mover.pose.theta});
  const Vec2 position = world_from_mover.to_local(offset);
  const Vec2 speed = world_from_mover.to_local(direction);
  const Vec2 length_axis = world_from_mover.rotate({1, 0});
  const Vec2 width_axis = world_from_mover.rotate({0, 1});
  passage.limit_to_slab(position.x, speed.x, mover.half_length, {length_axis.x, length_axis.y, 0});
  passage.limit_to_slab(position.y, speed.y, mover.half_width, {width_axis.x, width_axis.y, 0});
}

// Whether the ray passes the circle around the mover at all, and not only beyond `reach`.
bool comes_near(const Mover& mover, Vec2 offset, Vec2 direction, double reach) noexcept {
  const double radius2 = square(mover.radius);
  if (square(cross(offset, direction)) > radius2 * dot(direction, direction)) return false;
  const double distance2 = dot(offset, offset);
  if (distance2 <= radius2) return true;
  return dot(offset, direction) < 0 && distance2 <= square(reach + mover.radius);
}

}  // namespace

Mover make_disc(Vec2 center, double radius, double height, std::int32_t material) noexcept {
  return {.shape = Mover::Shape::disc,
          .pose = {center.x, center.y, 0},
          .radius = radius,
          .half_length = radius,
          .half_width = radius,
          .low = 0,
          .high = height,
          .material = material};
}

Mover make_box(const Pose2& pose, Vec2 size, double height, std::int32_t material) noexcept {
  const Vec2 half = size * 0.5;
  return {.shape = Mover::Shape::box,
          .pose = pose,
          .radius = length(half),
          .half_length = half.x,
          .half_width = half.y,
          .low = 0,
          .high = height,
          .material = material};
}

Mover make_leaf(const Door& door, double opening) noexcept {
  const double angle = door.closed_angle + (door.open_angle - door.closed_angle) * opening;
  const Vec2 center = door.hinge + unit_vector(angle) * (door.width / 2);
  return make_box({center.x, center.y, normalize_angle(angle)}, {door.width, door.thickness}, door.height,
                  door.material);
}

double plan_distance(const Mover& mover, Vec2 point) noexcept {
  if (mover.shape == Mover::Shape::disc) return std::max(distance(mover.pose.position(), point) - mover.radius, 0.0);
  const Vec2 local = Transform2(mover.pose).to_local(point);
  const double beyond_x = std::max(std::fabs(local.x) - mover.half_length, 0.0);
  const double beyond_y = std::max(std::fabs(local.y) - mover.half_width, 0.0);
  return length(Vec2{beyond_x, beyond_y});
}

void cast_on(const Mover& mover, const Ray& ray, Hit& hit) noexcept {
  const Vec2 offset = plan_view(ray.origin) - mover.pose.position();
  const Vec2 direction = plan_view(ray.direction);
  const double reach = std::min(hit.distance, ray.max_distance);
  if (!comes_near(mover, offset, direction, reach)) return;
  Passage passage;
  if (mover.shape == Mover::Shape::disc)
    limit_to_disc(passage, offset, direction, mover.radius);
  else
    limit_to_box(passage, offset, direction, mover);
  const double middle = 0.5 * (mover.low + mover.high);
  passage.limit_to_slab(ray.origin.z - middle, ray.direction.z, 0.5 * (mover.high - mover.low), {0, 0, 1});
  // a ray that begins inside does not meet the mover
  if (!(passage.enter > 0 && passage.enter <= passage.leave)) return;
  if (passage.enter < hit.distance && passage.enter <= ray.max_distance)
    hit = {passage.enter, passage.normal, mover.material};
}

}  // namespace forerun::world
