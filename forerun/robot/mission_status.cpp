#include "forerun/robot/mission_status.hpp"

#include <cstddef>

namespace forerun::robot {

const char* to_string(MissionState state) noexcept {
  constexpr const char* kWords[kMissionStates] = {"ready", "running", "handed back", "done"};
  return kWords[static_cast<std::size_t>(state)];
}

const char* to_string(Departure departure) noexcept {
  constexpr const char* kWords[kDepartures] = {"none",
                                               "blocked",
                                               "off the path",
                                               "sensors disagree",
                                               "calibration drifted",
                                               "an action failed",
                                               "an action was not done in time",
                                               "it holds as planned"};
  return kWords[static_cast<std::size_t>(departure)];
}

}  // namespace forerun::robot
