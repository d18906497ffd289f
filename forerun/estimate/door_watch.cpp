#include "forerun/estimate/door_watch.hpp"

#include <algorithm>
#include <cmath>

namespace forerun::estimate {
namespace {

constexpr double kReach = 5;         // doors that are farther off are not judged [m]
constexpr double kAsExpected = 0.1;  // a beam that ends this near to where it should speaks for it [m]
constexpr double kBeyond = 0.15;     // one that goes on for more than this speaks against it [m]
constexpr double kKept = 0.7;        // of what was seen before, from scan to scan
constexpr double kClearly = 4;       // beams more that speak for another opening
constexpr std::size_t kTold = 3;     // steps off the model that are worth a word
constexpr double kLeafSlack = 0.15;  // [m]

}  // namespace

DoorWatch::DoorWatch(std::span<const world::Door> doors) {
  for (const world::Door& door : doors) {
    Belief& belief = beliefs_.emplace_back();
    belief.hinge = door.hinge;
    belief.width = door.width;
    belief.model = belief.now = door.open ? kSteps : 0;
    for (std::size_t k = 0; k <= kSteps; ++k) {
      belief.leaves[k] = world::make_leaf(door, static_cast<double>(k) / static_cast<double>(kSteps));
    }
  }
}

double DoorWatch::opening(std::size_t door) const noexcept {
  return static_cast<double>(beliefs_[door].now) / static_cast<double>(kSteps);
}

bool DoorWatch::differs(std::size_t door) const noexcept {
  const Belief& belief = beliefs_[door];
  return std::max(belief.now, belief.model) - std::min(belief.now, belief.model) >= kTold;
}

bool DoorWatch::may_be_leaf(Vec2 place) const noexcept {
  return std::any_of(beliefs_.begin(), beliefs_.end(),
                     [&](const Belief& door) { return world::comes_within(door.leaves[door.now], place, kLeafSlack); });
}

void DoorWatch::look(std::span<const Fan> fans) noexcept {
  for (Belief& door : beliefs_) {
    bool near = false;
    for (const Fan& fan : fans) near = near || distance(fan.from, door.hinge) < kReach + door.width;
    if (!near) continue;
    for (double& votes : door.votes) votes *= kKept;
    for (const Fan& fan : fans) count(door, fan);
    const auto best =
        static_cast<std::size_t>(std::max_element(door.votes.begin(), door.votes.end()) - door.votes.begin());
    if (door.votes[best] > door.votes[door.now] + kClearly) door.now = best;
  }
}

void DoorWatch::count(Belief& door, const Fan& fan) noexcept {
  const Vec2 to_hinge = door.hinge - fan.from;
  for (const Beam& beam : fan.beams) {
    const bool passes =
        std::fabs(cross(beam.direction, to_hinge)) < door.width && dot(beam.direction, to_hinge) > -door.width;
    // what stands before the door hides it
    if (!beam.valid || !passes || beam.range < length(to_hinge) - door.width - kBeyond) continue;
    const world::Ray ray{{fan.from.x, fan.from.y, fan.height}, {beam.direction.x, beam.direction.y, 0}, beam.wall};
    for (std::size_t k = 0; k <= kSteps; ++k) {
      world::Hit hit{.distance = beam.wall};
      cast_on(door.leaves[k], ray, hit);
      const double beyond = beam.range - hit.distance;
      if (beyond > kBeyond) {
        door.votes[k] -= 1;
      } else if (std::fabs(beyond) < kAsExpected) {
        door.votes[k] += 1;
      }
    }
  }
}

}  // namespace forerun::estimate
