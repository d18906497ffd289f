#include "forerun/estimate/change_watch.hpp"

#include <algorithm>

#include "forerun/localize/world_map.hpp"

namespace forerun::estimate {
namespace {

constexpr double kMapCell = 0.05;                 // [m]
constexpr double kReach = 6;                      // what is farther off is not judged [m]
constexpr double kOffWalls = 0.15;                // echoes nearer to a wall are the wall's [m]
constexpr double kInGroup = 0.25;                 // echoes farther apart come from different things [m]
constexpr double kApart = 0.02;                   // of two that are nearer one is enough [m]
constexpr double kBehindWall = 0.3;               // [m]
constexpr double kMostBehind = 0.25;              // of all beams: with more, the robot is not where it believes
constexpr std::uint16_t kLastNumber = 1000;       // then they begin anew: robots drive for years
constexpr Duration kLastWord = from_seconds(60);  // for so long it is still said that nothing is left

}  // namespace

ChangeWatch::ChangeWatch(const world::World& world, const robot::Description& robot)
    : eyes_(world, robot), doors_(world.doors), door_numbers_(world.doors.size(), 0) {
  if (eyes_.empty() || world.terrain.is_rough()) return;
  scan_pose_.emplace(localize::map_of_world(world, eyes_.height(), kMapCell));
  changes_.reserve(StandingThings::kMost + world.doors.size());
}

void ChangeWatch::observe(const Pose2& believed, const sense::Readings& readings) noexcept {
  if (!scan_pose_ || !eyes_.take(readings)) return;
  eyes_.collect(echoes_);
  const auto fans = eyes_.look_from(scan_pose_->correct(believed, echoes_));
  if (!fits(fans)) return;
  if (next_number_ > kLastNumber) number_anew();
  doors_.look(fans);
  note_doors();
  standing_.look(fans);
  clusters_.clear();
  for (const Fan& fan : fans) gather(fan, clusters_);
  join_neighbours(clusters_);
  sightings_.update(eyes_.time(), {clusters_.data(), clusters_.size()});
  sightings_.take_standing(eyes_.time(), [&](const Sighting& sighting) {
    if (standing_.take(sighting.points(), fans, next_number_)) ++next_number_;
  });
  list_changes();
}

// Few beams end behind walls.
bool ChangeWatch::fits(std::span<const Fan> fans) const noexcept {
  std::size_t behind = 0, all = 0;
  for (const Fan& fan : fans) {
    for (const Beam& beam : fan.beams) {
      all += beam.valid ? 1 : 0;
      behind += beam.valid && beam.range > beam.wall + kBehindWall ? 1 : 0;
    }
  }
  return static_cast<double>(behind) <= kMostBehind * static_cast<double>(all);
}

void ChangeWatch::note_doors() noexcept {
  for (std::size_t i = 0; i < doors_.size(); ++i) {
    if (!doors_.differs(i)) {
      door_numbers_[i] = 0;
    } else if (door_numbers_[i] == 0) {
      door_numbers_[i] = next_number_++;
    }
  }
}

void ChangeWatch::number_anew() noexcept {
  next_number_ = standing_.number_anew(1);
  for (std::uint16_t& number : door_numbers_) {
    if (number != 0) number = next_number_++;
  }
  told_up_to_ = 0xffff;
}

// Adds groups of echoes that come from nothing known.
void ChangeWatch::gather(const Fan& fan, Clusters& clusters) const noexcept {
  Cluster group;
  const auto close = [&] {
    if (group.points.size() >= 2) (void)clusters.push_back(group);
    group = {.points = {}, .seen_from = fan.from};
  };
  close();
  for (const Beam& beam : fan.beams) {
    if (!beam.echo || beam.range > kReach || beam.range > beam.wall - kOffWalls) continue;
    const Vec2 at = fan.at(beam);
    if (scan_pose_->off_walls(at) < kOffWalls || doors_.may_be_leaf(at) || standing_.may_be_part(at)) continue;
    if (!group.points.empty()) {
      const double gap = distance(group.points.back(), at);
      if (gap > kInGroup || group.points.full()) {
        close();
      } else if (gap < kApart) {
        continue;
      }
    }
    (void)group.points.push_back(at);
  }
  close();
}

void ChangeWatch::list_changes() noexcept {
  changes_.assign(standing_.boxes().begin(), standing_.boxes().end());
  for (std::size_t i = 0; i < doors_.size(); ++i) {
    if (door_numbers_[i] == 0) continue;
    changes_.push_back({.number = door_numbers_[i],
                        .kind = robot::Change::Kind::door,
                        .door = static_cast<std::uint16_t>(i),
                        .opening = doors_.opening(i)});
  }
  std::sort(changes_.begin(), changes_.end(),
            [](const robot::Change& a, const robot::Change& b) { return a.number < b.number; });
}

std::optional<robot::SeenThings> ChangeWatch::tell(RobotTime now, Vec2 here) noexcept {
  robot::SeenThings things;
  tell_changes(things);
  tell_moving(now, here, things);
  if (!things.changes.empty() || !things.moving.empty()) last_something_ = now;
  if (!last_something_ || now - *last_something_ > kLastWord) return std::nullopt;
  return things;
}

void ChangeWatch::tell_changes(robot::SeenThings& things) noexcept {
  constexpr std::size_t kRoom = decltype(things.changes)::capacity();
  const auto after = [&](std::uint16_t number) {
    return std::find_if(changes_.begin(), changes_.end(), [&](const robot::Change& c) { return c.number > number; });
  };
  auto next = changes_.begin();
  if (changes_.size() > kRoom && told_up_to_ != 0xffff) {
    next = after(told_up_to_);
    things.first = static_cast<std::uint16_t>(told_up_to_ + 1);
  }
  while (next != changes_.end() && things.changes.push_back(*next)) ++next;
  told_up_to_ = next == changes_.end() ? 0xffff : things.changes.back().number;
  things.last = told_up_to_;
}

void ChangeWatch::tell_moving(RobotTime now, Vec2 here, robot::SeenThings& things) const noexcept {
  FixedVector<robot::MovingThing, Sightings::kMost> all;
  for (const Sighting& sighting : sightings_.all()) {
    if (sighting.is_sure()) (void)all.push_back(sighting.thing(now));
  }
  std::sort(all.begin(), all.end(), [&](const robot::MovingThing& a, const robot::MovingThing& b) {
    return distance(a.position, here) < distance(b.position, here);
  });
  for (const robot::MovingThing& thing : all) {
    if (!things.moving.push_back(thing)) break;
  }
}

}  // namespace forerun::estimate
