// Paper 3's square driven whole in one process: simulator and intermediate process on free ports of this machine, the
// library's moves between them, and somebody who watches the camera meanwhile (KEN-7).
#pragma once

#include <string>
#include <vector>

#include "forerun/base/result.hpp"
#include "forerun/robot/description.hpp"
#include "forerun/world/world.hpp"

namespace forerun::bridge {

struct SquareTrial {
  double closure_mm = 0;           // how far from its start the robot ends, by the simulator's word
  double heading_deg = 0;          // how far it is turned against its start
  double duration_s = 0;           // of the drive
  double bridge_delay_ms_p50 = 0;  // that the intermediate process added, both directions
  double bridge_delay_ms_p99 = 0;
  std::vector<Vec2> way;  // as it was driven, by the simulator's word, from the origin on [m]
  double camera_fps = 0;  // pictures of 320 × 240 a second, asked for one after the other during the drive
};

// In real time, about half a minute. `robot` has a crawler. An error where a move does not end well.
[[nodiscard]] Result<SquareTrial> drive_square(const world::World& world, const robot::Description& robot);

}  // namespace forerun::bridge
