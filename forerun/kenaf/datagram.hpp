// CAN frames in a UDP datagram, for the simulated robot.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "forerun/kenaf/can_frames.hpp"

namespace forerun::kenaf {

inline constexpr std::size_t kMostFrames = 8;  // in a datagram
inline constexpr std::size_t kDatagramHeader = 16, kDatagramFrame = 12;
inline constexpr std::size_t kLargestDatagram = kDatagramHeader + kMostFrames * kDatagramFrame;

struct Datagram {
  std::uint32_t session = 0;   // of the sender; another one each time that it starts
  std::uint32_t sequence = 0;  // one more with each datagram of the session
  std::vector<CanFrame> frames;
};

// At most kMostFrames.
[[nodiscard]] std::vector<std::uint8_t> encode(const Datagram& datagram);
// Nothing where one bit is not as encode() writes it.
[[nodiscard]] std::optional<Datagram> decode(std::span<const std::uint8_t> bytes);

// Whether `sequence` comes after `last`, also where the numbers begin anew.
[[nodiscard]] constexpr bool is_newer(std::uint32_t sequence, std::uint32_t last) noexcept {
  return static_cast<std::int32_t>(sequence - last) > 0;
}

}  // namespace forerun::kenaf
