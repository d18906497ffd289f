// Little-endian numbers in byte sequences, for wire formats. Neither end ever runs past its bytes: the first read or
// write that does not fit makes `ok()` false, and from then on reads give zeros and writes do nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace forerun {

using Bytes = std::span<const std::uint8_t>;
using MutableBytes = std::span<std::uint8_t>;

class ByteReader {
 public:
  explicit ByteReader(Bytes bytes) noexcept : bytes_(bytes) {}

  std::uint8_t u8() noexcept { return static_cast<std::uint8_t>(number(1)); }
  std::uint16_t u16() noexcept { return static_cast<std::uint16_t>(number(2)); }
  std::uint32_t u32() noexcept { return static_cast<std::uint32_t>(number(4)); }
  std::uint64_t u48() noexcept { return number(6); }
  std::int32_t i24() noexcept { return static_cast<std::int32_t>(static_cast<std::uint32_t>(number(3)) << 8) >> 8; }
  std::uint64_t u64() noexcept { return number(8); }
  std::int8_t i8() noexcept { return static_cast<std::int8_t>(u8()); }
  std::int16_t i16() noexcept { return static_cast<std::int16_t>(u16()); }
  std::int32_t i32() noexcept { return static_cast<std::int32_t>(u32()); }
  std::int64_t i64() noexcept { return static_cast<std::int64_t>(u64()); }
  // As stored: the caller checks for infinities and NaN.
  double f64() noexcept {
    const std::uint64_t bits = u64();
    double value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  // The next `size` bytes; empty when there are not so many.
  Bytes bytes(std::size_t size) noexcept {
    if (!take(size)) return {};
    return bytes_.subspan(at_ - size, size);
  }

  [[nodiscard]] bool ok() const noexcept { return ok_; }
  [[nodiscard]] std::size_t remaining() const noexcept { return ok_ ? bytes_.size() - at_ : 0; }
  // Everything was read, and nothing is left.
  [[nodiscard]] bool finished() const noexcept { return ok_ && at_ == bytes_.size(); }

 private:
  bool take(std::size_t size) noexcept {
    ok_ = ok_ && bytes_.size() - at_ >= size;
    if (ok_) at_ += size;
    return ok_;
  }
  std::uint64_t number(std::size_t size) noexcept {
    if (!take(size)) return 0;
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < size; ++i) value |= std::uint64_t{bytes_[at_ - size + i]} << (8 * i);
    return value;
  }

  Bytes bytes_;
  std::size_t at_ = 0;
  bool ok_ = true;
};

class ByteWriter {
 public:
  explicit ByteWriter(MutableBytes bytes) noexcept : bytes_(bytes) {}

  void u8(std::uint8_t value) noexcept { number(value, 1); }
  void u16(std::uint16_t value) noexcept { number(value, 2); }
  void u32(std::uint32_t value) noexcept { number(value, 4); }
  void u48(std::uint64_t value) noexcept { number(value, 6); }
  // The lowest 24 bits: larger numbers wrap round.
  void i24(std::int32_t value) noexcept { number(static_cast<std::uint32_t>(value) & 0xffffff, 3); }
  void u64(std::uint64_t value) noexcept { number(value, 8); }
  void i8(std::int8_t value) noexcept { number(static_cast<std::uint8_t>(value), 1); }
  void i16(std::int16_t value) noexcept { number(static_cast<std::uint16_t>(value), 2); }
  void i32(std::int32_t value) noexcept { number(static_cast<std::uint32_t>(value), 4); }
  void i64(std::int64_t value) noexcept { number(static_cast<std::uint64_t>(value), 8); }
  void f64(double value) noexcept {
    std::uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    u64(bits);
  }
  void bytes(Bytes source) noexcept {
    if (take(source.size()) && !source.empty()) {
      std::memcpy(bytes_.data() + at_ - source.size(), source.data(), source.size());
    }
  }

  [[nodiscard]] bool ok() const noexcept { return ok_; }
  [[nodiscard]] std::size_t size() const noexcept { return at_; }
  // What was written so far.
  [[nodiscard]] Bytes written() const noexcept { return Bytes(bytes_).first(at_); }

 private:
  bool take(std::size_t size) noexcept {
    ok_ = ok_ && bytes_.size() - at_ >= size;
    if (ok_) at_ += size;
    return ok_;
  }
  void number(std::uint64_t value, std::size_t size) noexcept {
    if (!take(size)) return;
    for (std::size_t i = 0; i < size; ++i) bytes_[at_ - size + i] = static_cast<std::uint8_t>(value >> (8 * i));
  }

  MutableBytes bytes_;
  std::size_t at_ = 0;
  bool ok_ = true;
};

}  // namespace forerun
