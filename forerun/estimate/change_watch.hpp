// Where the world is not as its model says, found by a robot's lasers while it drives (PSS-15): what stands where
// nothing should, doors that stand otherwise, and what moves.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "forerun/base/result.hpp"
#include "forerun/estimate/beams.hpp"
#include "forerun/estimate/door_watch.hpp"
#include "forerun/estimate/scan_pose.hpp"
#include "forerun/estimate/sightings.hpp"
#include "forerun/estimate/standing_things.hpp"
#include "forerun/robot/description.hpp"
#include "forerun/robot/seen_things.hpp"
#include "forerun/world/world.hpp"

namespace forerun::estimate {

class ChangeWatch {
 public:
  // `world` and `robot` as their viewers have them. Without lasers, or on rough ground where they look up and down, it
  // finds nothing.
  ChangeWatch(const world::World& world, const robot::Description& robot);

  // The newest readings, and where the robot believes it was when they were taken. Allocates nothing.
  void observe(const Pose2& believed, const sense::Readings& readings) noexcept;

  // All that are in force, in the order of their numbers.
  [[nodiscard]] std::span<const robot::Change> changes() const noexcept { return {changes_.data(), changes_.size()}; }

  // What is to be told at this time by a robot that is here: all changes where a report has room for them, else the
  // next of them; and what moves, the nearest first. Nothing where there has been nothing for a while.
  [[nodiscard]] std::optional<robot::SeenThings> tell(RobotTime now, Vec2 here) noexcept;

 private:
  void note_doors() noexcept;
  void number_anew() noexcept;
  [[nodiscard]] bool fits(std::span<const Fan> fans) const noexcept;
  void gather(const Fan& fan, Clusters& clusters) const noexcept;
  void list_changes() noexcept;
  void tell_changes(robot::SeenThings& things) noexcept;
  void tell_moving(RobotTime now, Vec2 here, robot::SeenThings& things) const noexcept;

  Eyes eyes_;
  std::optional<ScanPose> scan_pose_;  // nothing: it does not look
  DoorWatch doors_;
  std::vector<std::uint16_t> door_numbers_;  // of those that differ; 0: none
  StandingThings standing_;
  Sightings sightings_;
  localize::Echoes echoes_;
  Clusters clusters_;
  std::vector<robot::Change> changes_;  // all that are in force, in the order of their numbers
  std::uint16_t next_number_ = 1;
  std::uint16_t told_up_to_ = 0xffff;        // where not all fit into a report
  std::optional<RobotTime> last_something_;  // when there was something to tell
};

}  // namespace forerun::estimate
