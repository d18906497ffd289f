#include "forerun/kenaf/can_frames.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace forerun::kenaf {
namespace {

constexpr double kTenths = 10, kHundredths = 100;
constexpr std::uint8_t kFallen = 1, kTimedOut = 2;

// Little-endian throughout.
void put_u16(CanFrame& frame, std::size_t at, std::uint16_t value) noexcept {
  frame.data[at] = static_cast<std::uint8_t>(value);
  frame.data[at + 1] = static_cast<std::uint8_t>(value >> 8);
}
std::uint16_t get_u16(const CanFrame& frame, std::size_t at) noexcept {
  return static_cast<std::uint16_t>(frame.data[at] | frame.data[at + 1] << 8);
}
void put_i32(CanFrame& frame, std::size_t at, std::int32_t value) noexcept {
  const auto bits = static_cast<std::uint32_t>(value);
  put_u16(frame, at, static_cast<std::uint16_t>(bits));
  put_u16(frame, at + 2, static_cast<std::uint16_t>(bits >> 16));
}
std::int32_t get_i32(const CanFrame& frame, std::size_t at) noexcept {
  return static_cast<std::int32_t>(get_u16(frame, at) | static_cast<std::uint32_t>(get_u16(frame, at + 2)) << 16);
}

void put_scaled(CanFrame& frame, std::size_t at, double value, double scale) noexcept {
  constexpr double kMost = std::numeric_limits<std::int16_t>::max();
  const double scaled = std::isfinite(value) ? std::clamp(std::round(value * scale), -kMost, kMost) : 0;
  put_u16(frame, at, static_cast<std::uint16_t>(static_cast<std::int16_t>(scaled)));
}
double get_scaled(const CanFrame& frame, std::size_t at, double scale) noexcept {
  return static_cast<std::int16_t>(get_u16(frame, at)) / scale;
}

bool is(const CanFrame& frame, std::uint16_t id) noexcept { return frame.id == id && frame.length == 8; }

}  // namespace

CanFrame encode(const TrackSpeeds& speeds) noexcept {
  CanFrame frame{kTracksId, 8, {}};
  put_scaled(frame, 0, speeds.left_mm, kTenths);
  put_scaled(frame, 2, speeds.right_mm, kTenths);
  frame.data[4] = speeds.counter;
  return frame;
}

CanFrame encode(const FlipperAngles& angles) noexcept {
  CanFrame frame{kFlippersId, 8, {}};
  for (std::size_t i = 0; i < angles.size(); ++i) put_scaled(frame, 2 * i, angles[i], kHundredths);
  return frame;
}

CanFrame ask_for_status() noexcept { return {kAskId, 0, {}}; }

std::array<CanFrame, 4> encode(const Status& status) noexcept {
  CanFrame tracks{kTrackEncodersId, 8, {}}, flippers{kFlipperEncodersId, 8, {}}, posture{kPostureId, 8, {}},
      state{kStateId, 8, {}};
  put_i32(tracks, 0, status.left_ticks);
  put_i32(tracks, 4, status.right_ticks);
  for (std::size_t i = 0; i < 4; ++i) put_u16(flippers, 2 * i, static_cast<std::uint16_t>(status.flipper_ticks[i]));
  put_scaled(posture, 0, status.roll_deg, kHundredths);
  put_scaled(posture, 2, status.pitch_deg, kHundredths);
  put_scaled(posture, 4, status.yaw_deg, kHundredths);
  put_u16(posture, 6, status.counter);
  const double battery = std::isfinite(status.battery_s) ? std::clamp(status.battery_s, 0.0, 65535.0) : 0;
  put_u16(state, 0, static_cast<std::uint16_t>(battery));
  state.data[2] = static_cast<std::uint8_t>((status.fallen ? kFallen : 0) | (status.timed_out ? kTimedOut : 0));
  state.data[3] = status.command;
  put_u16(state, 4, status.counter);
  return {tracks, flippers, posture, state};
}

std::optional<TrackSpeeds> decode_tracks(const CanFrame& frame) noexcept {
  if (!is(frame, kTracksId)) return std::nullopt;
  return TrackSpeeds{get_scaled(frame, 0, kTenths), get_scaled(frame, 2, kTenths), frame.data[4]};
}

std::optional<FlipperAngles> decode_flippers(const CanFrame& frame) noexcept {
  if (!is(frame, kFlippersId)) return std::nullopt;
  FlipperAngles angles;
  for (std::size_t i = 0; i < angles.size(); ++i) angles[i] = get_scaled(frame, 2 * i, kHundredths);
  return angles;
}

std::optional<Status> StatusGatherer::take(const CanFrame& frame) noexcept {
  if (is(frame, kTrackEncodersId)) {
    status_.left_ticks = get_i32(frame, 0);
    status_.right_ticks = get_i32(frame, 4);
    seen_ = 1;  // the first of its group: whatever came before is of another
  } else if (is(frame, kFlipperEncodersId)) {
    for (std::size_t i = 0; i < 4; ++i) status_.flipper_ticks[i] = static_cast<std::int16_t>(get_u16(frame, 2 * i));
    seen_ |= 2;
  } else if (is(frame, kPostureId)) {
    status_.roll_deg = get_scaled(frame, 0, kHundredths);
    status_.pitch_deg = get_scaled(frame, 2, kHundredths);
    status_.yaw_deg = get_scaled(frame, 4, kHundredths);
    status_.counter = get_u16(frame, 6);
    seen_ |= 4;
  } else if (is(frame, kStateId)) {
    const bool whole = seen_ == 7 && status_.counter == get_u16(frame, 4);
    seen_ = 0;
    status_.battery_s = get_u16(frame, 0);
    status_.fallen = (frame.data[2] & kFallen) != 0;
    status_.timed_out = (frame.data[2] & kTimedOut) != 0;
    status_.command = frame.data[3];
    if (whole) return status_;
  }
  return std::nullopt;
}

}  // namespace forerun::kenaf
