// What a robot says of the mission that it was given: how far it is, and why it stopped.
#pragma once

#include <cstdint>

namespace forerun::robot {

enum class MissionState : std::uint8_t {
  ready = 0,        // not started
  running = 1,      // on its way, or waiting for something to get out of it
  handed_back = 2,  // stopped: the operator decides
  done = 3,         // at the end of the path
};
inline constexpr std::uint8_t kMissionStates = 4;
[[nodiscard]] const char* to_string(MissionState state) noexcept;

// Why it handed back; none: because somebody took over.
enum class Departure : std::uint8_t {
  none = 0,
  blocked = 1,
  off_path = 2,
  sensors_disagree = 3,
  calibration_drifted = 4,
  action_failed = 5,    // at a waypoint
  action_not_done = 6,  // nobody did it in time
  held = 7,             // as planned, until it is started again
};
inline constexpr std::uint8_t kDepartures = 8;
[[nodiscard]] const char* to_string(Departure departure) noexcept;

struct MissionStatus {
  std::uint64_t number = 0;  // of the object that holds the mission
  MissionState state = MissionState::ready;
  Departure departure = Departure::none;
  double time = 0;           // on the path [s]
  std::uint16_t starts = 0;  // how often it was started
  bool operator==(const MissionStatus&) const noexcept = default;
};

}  // namespace forerun::robot
