// What writer and reader of MCAP recordings share: the numbers of the format (https://mcap.dev/spec).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "forerun/base/bytes.hpp"

namespace forerun::record {

inline constexpr std::string_view kMcapMagic{"\x89MCAP0\r\n", 8};
inline constexpr std::size_t kMcapRecordHead = 9;  // opcode and length

enum class McapOpcode : std::uint8_t {
  header = 0x01,
  footer = 0x02,
  schema = 0x03,
  channel = 0x04,
  message = 0x05,
  chunk = 0x06,
  message_index = 0x07,
  chunk_index = 0x08,
  statistics = 0x0b,
  summary_offset = 0x0e,
  data_end = 0x0f,
};

// CRC-32 of IEEE 802.3, as zlib and MCAP have it; goes on from `before`.
[[nodiscard]] std::uint32_t mcap_crc(std::string_view bytes, std::uint32_t before = 0);

// Records put together: little-endian numbers, strings and byte counts that are known afterwards.
class McapBytes {
 public:
  void u8(std::uint8_t value) { number(value, 1); }
  void u16(std::uint16_t value) { number(value, 2); }
  void u32(std::uint32_t value) { number(value, 4); }
  void u64(std::uint64_t value) { number(value, 8); }
  void text(std::string_view value) {
    u32(static_cast<std::uint32_t>(value.size()));
    bytes_.append(value);
  }
  void raw(std::string_view value) { bytes_.append(value); }

  // Writes a record whose content `fill` adds.
  template <class Fill>
  void record(McapOpcode opcode, Fill&& fill) {
    u8(static_cast<std::uint8_t>(opcode));
    counted<8>(fill);
  }
  // A count of bytes, 4 or 8 wide, before what `fill` adds.
  template <std::size_t width, class Fill>
  void counted(Fill&& fill) {
    const std::size_t at = bytes_.size();
    number(0, width);
    fill();
    const std::uint64_t size = bytes_.size() - at - width;
    for (std::size_t i = 0; i < width; ++i) bytes_[at + i] = static_cast<char>(size >> (8 * i));
  }

  [[nodiscard]] std::size_t size() const { return bytes_.size(); }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }
  void clear() { bytes_.clear(); }

 private:
  void number(std::uint64_t value, std::size_t width) {
    for (std::size_t i = 0; i < width; ++i) bytes_ += static_cast<char>(value >> (8 * i));
  }

  std::string bytes_;
};

}  // namespace forerun::record
