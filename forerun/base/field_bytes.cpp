#include "forerun/base/field_bytes.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace forerun {
namespace {

bool is_control(char c) noexcept { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

std::string show(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.10g", value);
  return text;
}

}  // namespace

void FieldWriter::f64(double value) {
  std::uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  number(bits, 8);
}

void FieldWriter::varint(std::uint32_t value) {
  for (; value > 0x7f; value >>= 7) u8(static_cast<std::uint8_t>(value | 0x80));
  u8(static_cast<std::uint8_t>(value));
}

void FieldWriter::operator()(const char*, std::string_view value, const Field&) {
  std::size_t size = std::min(value.size(), kLongestName);
  // the second and later bytes of a UTF-8 character begin with the bits 10
  while (size < value.size() && size > 0 && (static_cast<unsigned char>(value[size]) & 0xc0) == 0x80) --size;
  u16(static_cast<std::uint16_t>(size));
  for (const char c : value.substr(0, size)) u8(is_control(c) ? std::uint8_t{'?'} : static_cast<std::uint8_t>(c));
}

void FieldReader::fail(const std::string& name, const std::string& what_is_wrong) {
  // what is missing at the end has a sentence of its own
  if (failed()) return;
  failed_ = true;
  message_ = what_ + ": " + part_ + (part_.empty() ? "" : " ") + name + " " + what_is_wrong;
}

std::uint32_t FieldReader::varint() {
  std::uint64_t value = 0;
  for (int shift = 0; shift < 35; shift += 7) {
    const std::uint8_t byte = reader_.u8();
    value |= std::uint64_t{byte & 0x7fu} << shift;
    if (byte > 0x7f) continue;
    if (value <= UINT32_MAX) return static_cast<std::uint32_t>(value);
    break;
  }
  fail("number", "has more than 32 bits");
  return 0;
}

bool FieldReader::check(const char* name, double value, const Field& field) {
  // NaN is in no range
  if (!(value >= field.low && value <= field.high)) {
    fail(name, "is " + show(value) + ", but must be " + show(field.low) + " to " + show(field.high));
  }
  return !failed();
}

void FieldReader::operator()(const char* name, double& value, const Field& field) {
  const double read = reader_.f64();
  if (check(name, read, field)) value = read;
}

void FieldReader::operator()(const char* name, int& value, const Field& field) {
  const std::int32_t read = reader_.i32();
  if (check(name, read, field)) value = read;
}

void FieldReader::operator()(const char* name, std::uint64_t& value, const Field& field) {
  const std::uint64_t read = reader_.u64();
  if (check(name, static_cast<double>(read), field)) value = read;
}

void FieldReader::operator()(const char* name, bool& value, const Field&) { value = choice(name, 0, 1) == 1; }

void FieldReader::operator()(const char* name, std::string& value, const Field&) {
  const std::size_t size = reader_.u16();
  if (size > kLongestName) {
    fail(name, "has " + std::to_string(size) + " bytes, but must have at most " + std::to_string(kLongestName));
    return;
  }
  const Bytes read = reader_.bytes(size);
  std::string text(read.begin(), read.end());
  if (std::any_of(text.begin(), text.end(), is_control)) fail(name, "has control characters, but must be plain text");
  if (!failed()) value = std::move(text);
}

std::uint8_t FieldReader::choice(const char* name, std::uint8_t low, std::uint8_t high) {
  const std::uint8_t read = reader_.u8();
  return check(name, read, {static_cast<double>(low), static_cast<double>(high), ""}) ? read : low;
}

void FieldReader::version(std::uint16_t only) {
  const std::uint16_t read = reader_.u16();
  if (read != only) fail("version", "is " + std::to_string(read) + ", but must be " + std::to_string(only));
}

std::size_t FieldReader::count(const char* name, std::size_t most, std::size_t size) {
  const std::size_t read = reader_.u32();
  if (read > most) {
    fail(name, "count is " + std::to_string(read) + ", but must be at most " + std::to_string(most));
  } else if (read > reader_.remaining() / size) {
    fail(name,
         "count is " + std::to_string(read) + ", but only " + std::to_string(reader_.remaining()) + " bytes follow");
  }
  return failed() ? 0 : read;
}

Result<void> FieldReader::finish() {
  if (failed_) return Error{message_};
  if (!reader_.ok()) return Error{what_ + " is cut short"};
  if (!reader_.finished()) return Error{what_ + " has " + std::to_string(reader_.remaining()) + " bytes too many"};
  return {};
}

}  // namespace forerun
