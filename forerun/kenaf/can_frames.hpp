// What travels between a controller and Kenaf: CAN frames, the same on the robot's bus and inside the simulator's
// datagrams. docs/kenaf.md has the layout.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace forerun::kenaf {

struct CanFrame {
  std::uint16_t id = 0;     // 11 bits
  std::uint8_t length = 0;  // of the data, at most 8
  std::array<std::uint8_t, 8> data{};

  friend bool operator==(const CanFrame&, const CanFrame&) = default;
};

// The frames' numbers.
inline constexpr std::uint16_t kTracksId = 0x110, kFlippersId = 0x111, kAskId = 0x11f;  // to the robot
inline constexpr std::uint16_t kTrackEncodersId = 0x210, kFlipperEncodersId = 0x211, kPostureId = 0x212,
                               kStateId = 0x213;  // from it

// The real robot's gears, which the simulator side converts to.
inline constexpr double kTrackRadius_mm = 90, kTicksPerTurn = 2000;
inline constexpr double kMmPerTick = 2 * 3.14159265358979323846 * kTrackRadius_mm / kTicksPerTurn;
inline constexpr double kDegreesPerTick = 360 / kTicksPerTurn;
// Beyond this no frame can say it; the robot is slower anyway.
inline constexpr double kMostSpeed_mm = 1000, kMostAngle_deg = 180;
// Motors stand when the newest command is older [s].
inline constexpr double kWatchdog_s = 0.5;

struct TrackSpeeds {
  double left_mm = 0, right_mm = 0;  // [mm/s]
  std::uint8_t counter = 0;          // one more with each command
};
using FlipperAngles = std::array<double, 4>;  // [deg], front left, front right, rear left, rear right

struct Status {
  std::int32_t left_ticks = 0, right_ticks = 0;
  std::array<std::int16_t, 4> flipper_ticks{};
  double roll_deg = 0, pitch_deg = 0, yaw_deg = 0;
  double battery_s = 0;
  bool fallen = false, timed_out = false;
  std::uint8_t command = 0;   // counter of the newest command that the robot took
  std::uint16_t counter = 0;  // one more with each status
};

// Values beyond what a frame can say become the largest it can; what is no number becomes 0.
[[nodiscard]] CanFrame encode(const TrackSpeeds& speeds) noexcept;
[[nodiscard]] CanFrame encode(const FlipperAngles& angles) noexcept;
[[nodiscard]] CanFrame ask_for_status() noexcept;
// Four frames, the state last.
[[nodiscard]] std::array<CanFrame, 4> encode(const Status& status) noexcept;

// Nothing where it is another frame, or its length is wrong.
[[nodiscard]] std::optional<TrackSpeeds> decode_tracks(const CanFrame& frame) noexcept;
[[nodiscard]] std::optional<FlipperAngles> decode_flippers(const CanFrame& frame) noexcept;

// Puts a status together again. A group that lacks a frame, or mixes two, gives none.
class StatusGatherer {
 public:
  // A status with the last frame of its group.
  [[nodiscard]] std::optional<Status> take(const CanFrame& frame) noexcept;

 private:
  Status status_;
  unsigned seen_ = 0;  // a bit for each of the first three frames
};

}  // namespace forerun::kenaf
