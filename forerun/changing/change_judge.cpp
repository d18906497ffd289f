#include "forerun/changing/change_judge.hpp"

#include <algorithm>
#include <cmath>

namespace forerun::changing {
namespace {

using robot::Change;
using world::Mover;

constexpr double kWithin = 4.0;       // what is farther off need not be seen [m]
constexpr int kLeastBeams = 3;        // with fewer on it nothing can be told from a mistake
constexpr double kTolerance = 0.1;    // of a range [m]
constexpr double kInTime = 1.0;       // [s]
constexpr double kAtBox = 0.15;       // a box that is told comes this near to the true one [m]
constexpr double kAsTold = 0.25;      // of a door's opening
constexpr double kAtSomething = 0.2;  // [m]
constexpr Duration kLately = from_seconds(3);

double range_to(const Mover& mover, const estimate::Fan& fan, const estimate::Beam& beam) {
  world::Hit hit{.distance = kWithin};
  const world::Ray ray{{fan.from.x, fan.from.y, fan.height}, {beam.direction.x, beam.direction.y, 0}, kWithin};
  cast_on(mover, ray, hit);
  return hit.distance < kWithin ? hit.distance : kInfinity;
}

// Enough beams end on what is there and not where they would on what is believed, or go through the latter.
bool is_in_sight(const std::optional<Mover>& truly, const std::optional<Mover>& told,
                 std::span<const estimate::Fan> fans) {
  int on = 0, through = 0;
  for (const estimate::Fan& fan : fans) {
    for (const estimate::Beam& beam : fan.beams) {
      if (!beam.valid) continue;
      const double as_told = told ? range_to(*told, fan, beam) : kInfinity;
      const bool is_as_told = std::fabs(beam.range - as_told) < kTolerance;
      if (truly && !is_as_told && std::fabs(beam.range - range_to(*truly, fan, beam)) < kTolerance) ++on;
      if (beam.range > as_told + kTolerance) ++through;
    }
  }
  return on >= kLeastBeams || through >= kLeastBeams;
}

Mover told_box(const Change& change) {
  return world::make_box(change.pose, {2 * change.half_length, 2 * change.half_width}, 1, 0);
}

// Whether the told box stands where the true one does. It may be a part of that.
bool is_at(const Change& change, const Mover& box) {
  if (change.kind != Change::Kind::box) return false;
  const double half = std::max(box.half_length, box.half_width);
  return world::plan_distance(told_box(change), box.pose.position()) < half + kAtBox;
}

double opening_of(const world::Door& door, const Mover& leaf) {
  return normalize_angle(leaf.pose.theta - door.closed_angle) / normalize_angle(door.open_angle - door.closed_angle);
}

}  // namespace

void ChangeScore::add(const ChangeScore& other) {
  new_detected += other.new_detected;
  new_missed += other.new_missed;
  gone_detected += other.gone_detected;
  gone_missed += other.gone_missed;
  strange += other.strange;
  delays_s.insert(delays_s.end(), other.delays_s.begin(), other.delays_s.end());
  driven_s += other.driven_s;
}

ChangeJudge::ChangeJudge(const sim::Model& model, const world::World& known, const robot::Description& robot)
    : model_(model),
      doors_(known.doors),
      eyes_(known, robot),
      moving_doors_(model.cast.doors.size()),
      boxes_(model.cast.passing.size()) {
  for (const sim::MovingDoor& moving : model.cast.doors) {
    const auto found = std::find_if(doors_.begin(), doors_.end(),
                                    [&](const world::Door& door) { return door.name == moving.door.name; });
    door_numbers_.push_back(static_cast<std::size_t>(found - doors_.begin()));
  }
}

void ChangeJudge::look(const sim::Loop& loop, std::span<const Change> told) {
  score_.driven_s = to_seconds(loop.time());
  if (!eyes_.take(loop.readings())) return;
  since_last_s_ = to_seconds(eyes_.time() - last_look_);
  last_look_ = eyes_.time();
  const auto fans = eyes_.look_from(loop.truth().pose);
  see_boxes(loop, told);
  see_doors(loop, told);
  for (Thing& box : boxes_) judge(box, fans);
  for (Thing& door : moving_doors_) judge(door, fans);
  std::erase_if(lately_, [&](const Glimpse& glimpse) { return last_look_ - glimpse.time > kLately; });
  for (const Mover& mover : loop.surroundings().movers()) lately_.push_back({last_look_, mover});
  notice_strange(told);
}

void ChangeJudge::see_boxes(const sim::Loop& loop, std::span<const Change> told) {
  const auto movers = loop.surroundings().movers();
  const std::size_t first = model_.cast.people.size() + model_.cast.doors.size() + model_.cast.boxes.size();
  for (std::size_t i = 0; i < boxes_.size(); ++i) {
    const Mover& box = model_.cast.passing[i].box;
    const bool stands = std::any_of(movers.begin() + static_cast<std::ptrdiff_t>(first), movers.end(),
                                    [&](const Mover& mover) { return mover.pose == box.pose; });
    const auto found = std::find_if(told.begin(), told.end(), [&](const Change& change) { return is_at(change, box); });
    boxes_[i].truly = stands ? std::optional(box) : std::nullopt;
    boxes_[i].told = found != told.end() ? std::optional(told_box(*found)) : std::nullopt;
    boxes_[i].differs = stands != boxes_[i].told.has_value();
    if (boxes_[i].differs) boxes_[i].is_new = stands;
  }
}

void ChangeJudge::see_doors(const sim::Loop& loop, std::span<const Change> told) {
  const auto leaves = loop.surroundings().movers().subspan(model_.cast.people.size());
  for (std::size_t i = 0; i < moving_doors_.size(); ++i) {
    const world::Door& door = model_.cast.doors[i].door;
    const double opening = opening_of(door, leaves[i]);
    Thing& thing = moving_doors_[i];
    thing.settled = thing.truly && opening == thing.opening;
    thing.opening = opening;
    thing.told_opening = door.open ? 1 : 0;
    for (const Change& change : told) {
      if (change.kind == Change::Kind::door && change.door == door_numbers_[i]) thing.told_opening = change.opening;
    }
    thing.truly = leaves[i];
    thing.told = world::make_leaf(door, thing.told_opening);
    thing.differs = std::fabs(thing.opening - thing.told_opening) > kAsTold;
    if (thing.differs) thing.is_new = thing.opening < thing.told_opening;
  }
}

void ChangeJudge::judge(Thing& thing, std::span<const estimate::Fan> fans) {
  if (thing.differs) {
    if (!thing.settled || !is_in_sight(thing.truly, thing.told, fans)) return;
    thing.in_sight_s += since_last_s_;
    if (thing.in_sight_s <= kInTime || thing.missed) return;
    thing.missed = true;
    ++(thing.is_new ? score_.new_missed : score_.gone_missed);
    return;
  }
  if (thing.in_sight_s > 0) {
    score_.delays_s.push_back(thing.in_sight_s);
    if (!thing.missed) ++(thing.is_new ? score_.new_detected : score_.gone_detected);
  }
  thing.in_sight_s = 0;
  thing.missed = false;
}

void ChangeJudge::notice_strange(std::span<const Change> told) {
  for (const Change& change : told) {
    if (change.number <= highest_number_) continue;
    highest_number_ = change.number;
    if (!is_something(change)) ++score_.strange;
  }
}

bool ChangeJudge::is_something(const Change& change) const {
  if (change.kind == Change::Kind::door) {
    for (std::size_t i = 0; i < moving_doors_.size(); ++i) {
      const Thing& door = moving_doors_[i];
      if (door_numbers_[i] == change.door) return !door.settled || std::fabs(door.opening - change.opening) < kAsTold;
    }
    return false;
  }
  const Mover told = told_box(change);
  return std::any_of(lately_.begin(), lately_.end(), [&](const Glimpse& glimpse) {
    return world::plan_distance(told, glimpse.mover.pose.position()) < glimpse.mover.radius + kAtSomething;
  });
}

}  // namespace forerun::changing
