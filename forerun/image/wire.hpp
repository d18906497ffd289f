// Bodies of the frames that carry camera images: a part of an image, and who wants images (docs/protocol.md).
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "forerun/base/bytes.hpp"
#include "forerun/base/time.hpp"
#include "forerun/geom/rotation.hpp"

namespace forerun::image {

enum class Encoding : std::uint8_t { jpeg = 1 };  // a newer writer's may be any up to 15

inline constexpr std::uint8_t kMostCameras = 8;  // of a robot
using Cameras = std::uint8_t;                    // a set of them: bit i stands for the robot's camera i
inline constexpr Cameras kNoCamera = 0, kFirstCamera = 1;
[[nodiscard]] constexpr bool has(Cameras cameras, std::uint8_t camera) noexcept { return (cameras >> camera & 1) != 0; }

// What is said of an image in each of its parts.
struct Info {
  std::uint32_t number = 0;  // counts the images of this robot side
  RobotTime taken;
  Vec3 place;                  // of the lens, in the world [m]
  Attitude attitude;           // of the camera, which looks along x
  double field_of_view = 0.8;  // from top to bottom [rad]
  std::uint16_t width = 0;     // [pixels]
  std::uint16_t height = 0;
  Encoding encoding = Encoding::jpeg;
  std::uint8_t camera = 0;  // which of the robot's
  std::uint32_t size = 0;   // of the encoded image in bytes
};

inline constexpr std::size_t kHeaderSize = 43;
inline constexpr std::size_t kLargestPart = 1100;   // bytes; fits into every datagram with what is around it
inline constexpr std::size_t kMostParts = 64;       // that an image is cut into
inline constexpr std::size_t kMostSentParts = 128;  // with spare ones
inline constexpr std::uint32_t kLargestImage = kMostParts * kLargestPart;
inline constexpr std::uint16_t kWidestImage = 4096;  // and highest [pixels]

// Into how many parts an image of this size is cut, and how long each of them is; the last is filled up with zeros.
[[nodiscard]] constexpr std::size_t n_parts(std::uint32_t size) noexcept {
  return (size + kLargestPart - 1) / kLargestPart;
}
[[nodiscard]] constexpr std::size_t part_size(std::uint32_t size) noexcept {
  const std::size_t n = n_parts(size);
  return (size + n - 1) / n;
}

struct Part {
  Info info;
  std::uint8_t index = 0;  // from n_parts on: a spare one
  Bytes bytes;             // part_size of them; points into what was decoded
};

// Who sends this wants images for the next seconds.
struct Look {
  double lost = 0;              // share of the datagrams from the robot side that do not come
  double wait_s = 0;            // how much longer than at best they take at the moment [s]
  Cameras cameras = kNoCamera;  // that are wanted; none, as viewers say that know but one: the first
};
inline constexpr std::size_t kLookSize = 4;
inline constexpr std::size_t kShortestLook = 3;  // of viewers that know one camera

// Gives the written beginning of `body`; nothing when a number does not fit.
[[nodiscard]] Bytes encode(const Part& part, std::array<std::uint8_t, kHeaderSize + kLargestPart>& body) noexcept;
[[nodiscard]] std::array<std::uint8_t, kLookSize> encode(const Look& look) noexcept;

// Nothing where the body is too short, too long or says what cannot be.
[[nodiscard]] std::optional<Part> decode_part(Bytes body) noexcept;
[[nodiscard]] std::optional<Look> decode_look(Bytes body) noexcept;

}  // namespace forerun::image
