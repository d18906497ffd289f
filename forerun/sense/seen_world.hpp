// What a robot has said of where the world is not as its model says: what stands and what moves there, as the sensors
// of a replica see it (PSS-15).
#pragma once

#include <span>
#include <vector>

#include "forerun/base/fixed_vector.hpp"
#include "forerun/base/time.hpp"
#include "forerun/robot/report.hpp"
#include "forerun/world/mover.hpp"
#include "forerun/world/world.hpp"

namespace forerun::sense {

class SeenWorld {
 public:
  static constexpr std::size_t kMostChanges = 256;  // of more, those that were told last are not known
  using Movers = FixedVector<world::Mover, 64>;

  // `height`: how high the sensors may look [m].
  SeenWorld(std::span<const world::Door> doors, double height);

  // A report that says nothing of what was seen leaves it all as it was.
  void take(const robot::Report& report) noexcept;

  // Nothing is known to differ from the model.
  [[nodiscard]] bool empty() const noexcept { return changes_.empty() && moving_.empty(); }
  // A door stands otherwise than in the model: then `movers` holds the leaves of all that are near.
  [[nodiscard]] bool moves_doors() const noexcept { return moves_doors_; }
  [[nodiscard]] std::span<const robot::Change> changes() const noexcept { return {changes_.data(), changes_.size()}; }
  // As they were seen at `seen_at`.
  [[nodiscard]] std::span<const robot::MovingThing> moving() const noexcept { return {moving_.data(), moving_.size()}; }
  [[nodiscard]] RobotTime seen_at() const noexcept { return seen_at_; }
  // How much is left of what was known of those that move: 1 when just seen, 0 when it says nothing any more.
  [[nodiscard]] double trust_in_moving(RobotTime now) const noexcept;

  // What there is within `reach` of a place. Who moves is expected to go on as it did, for a while.
  [[nodiscard]] Movers movers(RobotTime now, Vec2 near, double reach) const noexcept;

 private:
  void add_doors(Vec2 near, double reach, Movers& movers) const noexcept;
  void note_doors() noexcept;

  std::vector<world::Door> doors_;  // as they stand in the model
  std::vector<double> openings_;    // as they stand now
  double height_;
  FixedVector<robot::Change, kMostChanges> changes_;  // in the order of their numbers
  FixedVector<robot::MovingThing, 8> moving_;
  RobotTime seen_at_;
  bool moves_doors_ = false;
};

// Where something that moves is expected after this time.
[[nodiscard]] Vec2 expected_place(const robot::MovingThing& thing, double time) noexcept;

}  // namespace forerun::sense
