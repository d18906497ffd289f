// How an operator moves the flippers on a step: one programme for all heights. The front ones reach for the edge; as
// the nose rises they come down on it while the rear ones lift the tail; when the robot tips over the edge, all level.
#pragma once

#include <cstdint>

#include "forerun/robot/crawler.hpp"

namespace forerun::mobility {

class FlipperProgramme {
 public:
  // `nose_up` [rad]: how the robot stands now.
  [[nodiscard]] robot::FlipperAngles next(double nose_up) noexcept;

 private:
  enum class Phase : std::uint8_t { reach, lean, push, level };
  Phase phase_ = Phase::reach;
};

}  // namespace forerun::mobility
