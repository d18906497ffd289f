// How far dead reckoning strays from what an external sensor saw.
#pragma once

#include <span>
#include <vector>

#include "forerun/learn/innovations.hpp"

namespace forerun::learn {

// The way of the external sensor over one stretch, as it was seen and as the wheels have it from the first pose on.
// Displacements are put end to end, without outliers; where one is missing, another path begins. Without headings the
// way begins in the direction that fits best.
struct ReckonedPath {
  std::vector<Vec2> seen;
  std::vector<Vec2> reckoned;  // as many
};

// Mount and delay of `guess` tell where the sensor is, and when.
[[nodiscard]] std::vector<ReckonedPath> reckon(const CalibrationDrive& drive, const CalibrationGuess& guess);

struct ReckoningError {
  double rms = 0;          // over all moments with an external pose [m]
  double final_error = 0;  // at the end of a path, mean of all paths [m]
};
[[nodiscard]] ReckoningError error_of(std::span<const ReckonedPath> paths);

}  // namespace forerun::learn
