#include "forerun/sense/seen_world.hpp"

#include <algorithm>

namespace forerun::sense {
namespace {

constexpr double kGoesOn = 3.0;     // whoever moves is expected to go on for this long [s] …
constexpr double kKeepsOff = 1.2;   // from the robot's middle [m]
constexpr double kForgotten = 4.0;  // … and to be anywhere after this [s]

bool is_within(const world::Mover& mover, Vec2 near, double reach) noexcept {
  const Vec2 off = mover.pose.position() - near;
  return dot(off, off) <= square(reach + mover.radius);
}

// Where it is expected, or where it would have stopped: nobody walks into a robot.
Vec2 before_robot(const robot::MovingThing& thing, double time, Vec2 robot) noexcept {
  constexpr double kStep = 0.1;  // [s]
  Vec2 place = thing.position;
  for (double t = kStep; t <= std::min(time, kGoesOn); t += kStep) {
    const Vec2 next = expected_place(thing, t);
    const double gap = distance(next, robot);
    if (gap < kKeepsOff && gap < distance(place, robot)) break;
    place = next;
  }
  return place;
}

}  // namespace

Vec2 expected_place(const robot::MovingThing& thing, double time) noexcept {
  return thing.position + thing.velocity * clamp(time, 0.0, kGoesOn);
}

SeenWorld::SeenWorld(std::span<const world::Door> doors, double height)
    : doors_(doors.begin(), doors.end()), openings_(doors.size()), height_(height) {
  note_doors();
}

void SeenWorld::take(const robot::Report& report) noexcept {
  if (!report.seen) return;
  const robot::SeenThings& seen = *report.seen;
  // what the list is whole for is what it says; all else stays
  FixedVector<robot::Change, kMostChanges> kept;
  auto told = seen.changes.begin();
  const auto take_told = [&](std::uint32_t before) {
    for (; told != seen.changes.end() && told->number < before; ++told) kept.push_back(*told);
  };
  for (const robot::Change& change : changes_) {
    take_told(change.number);
    const bool again = told != seen.changes.end() && told->number == change.number;
    const bool gone = change.number >= seen.first && change.number <= seen.last;
    if (!again && !gone) kept.push_back(change);
  }
  take_told(0x10000);
  changes_ = kept;
  moving_ = seen.moving;
  seen_at_ = report.time;
  note_doors();
}

void SeenWorld::note_doors() noexcept {
  for (std::size_t i = 0; i < doors_.size(); ++i) openings_[i] = doors_[i].open ? 1 : 0;
  moves_doors_ = false;
  for (const robot::Change& change : changes_) {
    if (change.kind != robot::Change::Kind::door || change.door >= doors_.size()) continue;
    openings_[change.door] = change.opening;
    moves_doors_ = true;
  }
}

double SeenWorld::trust_in_moving(RobotTime now) const noexcept {
  return clamp((kForgotten - to_seconds(now - seen_at_)) / (kForgotten - kGoesOn), 0.0, 1.0);
}

SeenWorld::Movers SeenWorld::movers(RobotTime now, Vec2 near, double reach) const noexcept {
  Movers movers;
  const auto add = [&](const world::Mover& mover) {
    if (is_within(mover, near, reach)) movers.push_back(mover);
  };
  if (trust_in_moving(now) > 0) {
    const double since = to_seconds(now - seen_at_);
    for (const robot::MovingThing& thing : moving_) {
      add(world::make_disc(before_robot(thing, since, near), thing.radius, height_, 0));
    }
  }
  for (const robot::Change& change : changes_) {
    if (change.kind != robot::Change::Kind::box) continue;
    add(world::make_box(change.pose, {2 * change.half_length, 2 * change.half_width}, height_, 0));
  }
  if (moves_doors_) add_doors(near, reach, movers);
  return movers;
}

void SeenWorld::add_doors(Vec2 near, double reach, Movers& movers) const noexcept {
  for (std::size_t i = 0; i < doors_.size(); ++i) {
    if (distance(doors_[i].hinge, near) > reach + doors_[i].width) continue;
    movers.push_back(world::make_leaf(doors_[i], openings_[i]));
  }
}

}  // namespace forerun::sense
