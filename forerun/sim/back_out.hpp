// How a robot that touches something leaves it: back along the way it came, or to the other side where that is blocked,
// slowly and no farther than it needs to turn.
#pragma once

#include <optional>

#include "forerun/geom/pose.hpp"
#include "forerun/navigate/hand_watch.hpp"
#include "forerun/robot/description.hpp"

namespace forerun::sim {

class BackOut {
 public:
  // From where dead reckoning believes the robot is. `came`: how it went into the contact.
  void begin(const robot::Twist& came, const robot::Limits& limits, const navigate::Percept& percept) noexcept;
  void end() noexcept { going_.reset(); }
  [[nodiscard]] bool is_going() const noexcept { return going_.has_value(); }

  // The velocity for the next period; nothing when that is done, or cannot be. `watch` looks where it goes; without one
  // it goes back a little way only, which was free when it came. Allocates nothing.
  [[nodiscard]] std::optional<robot::Twist> next(const navigate::Percept& percept, navigate::HandWatch* watch) noexcept;

 private:
  struct Going {
    robot::Twist velocity;
    Pose2 from;  // in the odometry's frame
    RobotTime since;
    bool other_way = false;
  };
  std::optional<Going> going_;
};

}  // namespace forerun::sim
