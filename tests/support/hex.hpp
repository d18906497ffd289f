// Bytes as hexadecimal digits, for known answers typed in from papers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "forerun/base/bytes.hpp"

namespace forerun::test {

inline std::vector<std::uint8_t> from_hex(std::string_view text) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    bytes.push_back(static_cast<std::uint8_t>(std::stoi(std::string(text.substr(i, 2)), nullptr, 16)));
  }
  return bytes;
}

inline std::string show_hex(Bytes bytes) {
  std::string text;
  for (const std::uint8_t byte : bytes) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

// A key, or another array of bytes, from as many digits as it needs.
template <class Array>
Array array_from_hex(std::string_view text) {
  Array array{};
  const std::vector<std::uint8_t> bytes = from_hex(text);
  for (std::size_t i = 0; i < array.size() && i < bytes.size(); ++i) array[i] = bytes[i];
  return array;
}

inline std::vector<std::uint8_t> to_bytes(std::string_view text) { return {text.begin(), text.end()}; }

}  // namespace forerun::test
