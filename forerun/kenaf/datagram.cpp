#include "forerun/kenaf/datagram.hpp"

#include <algorithm>
#include <array>

namespace forerun::kenaf {
namespace {

constexpr std::array<std::uint8_t, 4> kMagic{'H', 'R', 'T', 'K'};
constexpr std::uint8_t kVersion = 1;
constexpr std::uint16_t kLargestId = 0x7ff;

void put_u32(std::uint8_t* out, std::uint32_t value) {
  for (int i = 0; i < 4; ++i) out[i] = static_cast<std::uint8_t>(value >> (8 * i));
}
std::uint32_t get_u32(std::span<const std::uint8_t> bytes, std::size_t at) {
  return bytes[at] | static_cast<std::uint32_t>(bytes[at + 1]) << 8 | static_cast<std::uint32_t>(bytes[at + 2]) << 16 |
         static_cast<std::uint32_t>(bytes[at + 3]) << 24;
}

std::optional<CanFrame> decode_frame(std::span<const std::uint8_t> bytes) {
  CanFrame frame;
  frame.id = static_cast<std::uint16_t>(bytes[0] | bytes[1] << 8);
  frame.length = bytes[2];
  if (frame.id > kLargestId || frame.length > 8 || bytes[3] != 0) return std::nullopt;
  std::copy(bytes.begin() + 4, bytes.end(), frame.data.begin());
  if (std::any_of(frame.data.begin() + frame.length, frame.data.end(), [](auto b) { return b != 0; }))
    return std::nullopt;
  return frame;
}

}  // namespace

std::vector<std::uint8_t> encode(const Datagram& datagram) {
  const std::size_t n = std::min(datagram.frames.size(), kMostFrames);
  std::vector<std::uint8_t> out(kDatagramHeader + n * kDatagramFrame);
  std::copy(kMagic.begin(), kMagic.end(), out.begin());
  out[4] = kVersion;
  out[5] = static_cast<std::uint8_t>(n);
  put_u32(&out[8], datagram.session);
  put_u32(&out[12], datagram.sequence);
  for (std::size_t i = 0; i < n; ++i) {
    const CanFrame& frame = datagram.frames[i];
    std::uint8_t* at = &out[kDatagramHeader + i * kDatagramFrame];
    at[0] = static_cast<std::uint8_t>(frame.id);
    at[1] = static_cast<std::uint8_t>(frame.id >> 8);
    at[2] = frame.length;
    std::copy_n(frame.data.begin(), std::min<std::size_t>(frame.length, 8), at + 4);
  }
  return out;
}

std::optional<Datagram> decode(std::span<const std::uint8_t> bytes) {
  if (bytes.size() < kDatagramHeader || !std::equal(kMagic.begin(), kMagic.end(), bytes.begin())) return std::nullopt;
  const std::size_t n = bytes[5];
  if (bytes[4] != kVersion || n > kMostFrames || bytes[6] != 0 || bytes[7] != 0) return std::nullopt;
  if (bytes.size() != kDatagramHeader + n * kDatagramFrame) return std::nullopt;
  Datagram datagram{get_u32(bytes, 8), get_u32(bytes, 12), {}};
  for (std::size_t i = 0; i < n; ++i) {
    const auto frame = decode_frame(bytes.subspan(kDatagramHeader + i * kDatagramFrame, kDatagramFrame));
    if (!frame) return std::nullopt;
    datagram.frames.push_back(*frame);
  }
  return datagram;
}

}  // namespace forerun::kenaf
