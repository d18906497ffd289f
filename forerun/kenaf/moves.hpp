// Driving a given way and turning by a given angle, until the robot stands there or cannot.
#pragma once

#include <atomic>
#include <string>

#include "forerun/kenaf/driver.hpp"

namespace forerun::kenaf {

// Nothing: it is there. Else one sentence why not; the tracks stand in every case. Ends early when `stops` changes.
[[nodiscard]] std::string go_forward(Driver& driver, double mm, const std::atomic<unsigned>& stops);
// Left is positive.
[[nodiscard]] std::string turn(Driver& driver, double deg, const std::atomic<unsigned>& stops);

}  // namespace forerun::kenaf
