// Field lists (fields.hpp) as bytes: one list writes and reads a struct, and what is read is checked against the list.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "forerun/base/bytes.hpp"
#include "forerun/base/fields.hpp"
#include "forerun/base/result.hpp"

namespace forerun {

inline constexpr std::size_t kLongestName = 1000;  // bytes; a file's own limit is 200, glTF has none

// Appends little-endian numbers and texts to bytes that grow.
class FieldWriter {
 public:
  void u8(std::uint8_t value) { number(value, 1); }
  void u16(std::uint16_t value) { number(value, 2); }
  void u32(std::uint32_t value) { number(value, 4); }
  void f64(double value);
  // Seven bits a byte, the lowest first; the highest bit says that more follow.
  void varint(std::uint32_t value);
  void bytes(Bytes source) { bytes_.insert(bytes_.end(), source.begin(), source.end()); }

  // As a visitor of field lists.
  void operator()(const char*, double value, const Field&) { f64(value); }
  void operator()(const char*, int value, const Field&) { u32(static_cast<std::uint32_t>(value)); }
  void operator()(const char*, std::uint64_t value, const Field&) { number(value, 8); }
  void operator()(const char*, bool value, const Field&) { u8(value ? 1 : 0); }
  // Control characters become question marks, and what is beyond kLongestName is cut off between two characters.
  void operator()(const char*, std::string_view value, const Field&);

  void reserve(std::size_t size) { bytes_.reserve(size); }
  [[nodiscard]] Bytes written() const noexcept { return bytes_; }
  [[nodiscard]] std::vector<std::uint8_t> take() noexcept { return std::move(bytes_); }

 private:
  void number(std::uint64_t value, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) bytes_.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
  }

  std::vector<std::uint8_t> bytes_;
};

// Reads the same back. The first thing that is wrong is kept as one sentence; from then on all reads give nothing.
class FieldReader {
 public:
  // `what` begins the sentence: "the world".
  FieldReader(Bytes bytes, std::string what) : reader_(bytes), what_(std::move(what)) {}

  // Fields that follow belong to this part: "laser 2"; empty: to the whole.
  void enter(std::string part) { part_ = std::move(part); }

  // Raw numbers.
  std::uint32_t u32() noexcept { return reader_.u32(); }
  double f64() noexcept { return reader_.f64(); }
  // Takes also what has more bytes than it needs.
  std::uint32_t varint();
  Bytes bytes(std::size_t size) noexcept { return reader_.bytes(size); }

  // As a visitor of field lists: the value must lie within the field's range.
  void operator()(const char* name, double& value, const Field& field);
  void operator()(const char* name, int& value, const Field& field);
  void operator()(const char* name, std::uint64_t& value, const Field& field);
  void operator()(const char* name, bool& value, const Field&);
  void operator()(const char* name, std::string& value, const Field&);

  // One byte, low … high.
  [[nodiscard]] std::uint8_t choice(const char* name, std::uint8_t low, std::uint8_t high);
  // A version of two bytes that must be this one.
  void version(std::uint16_t only);
  // A number of elements, each of at least `size` bytes: never more than the bytes that follow can hold.
  [[nodiscard]] std::size_t count(const char* name, std::size_t most, std::size_t size);

  void fail(const std::string& name, const std::string& what_is_wrong);
  [[nodiscard]] bool at_end() const noexcept { return reader_.finished(); }
  [[nodiscard]] std::size_t remaining() const noexcept { return reader_.remaining(); }
  [[nodiscard]] bool failed() const noexcept { return failed_ || !reader_.ok(); }
  // Everything was right, and nothing is left over.
  [[nodiscard]] Result<void> finish();

 private:
  // Whether the value may be taken.
  bool check(const char* name, double value, const Field& field);

  ByteReader reader_;
  std::string what_;
  std::string part_;
  std::string message_;
  bool failed_ = false;
};

}  // namespace forerun
