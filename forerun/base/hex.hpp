// Numbers of 64 bits as 16 hexadecimal digits: JSON has no room for them as numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace forerun {

[[nodiscard]] inline std::string to_hex(std::uint64_t number) {
  std::string digits(16, '0');
  for (std::size_t i = 16; i-- > 0; number >>= 4) digits[i] = "0123456789abcdef"[number & 15];
  return digits;
}

// Nothing for what `to_hex` does not write.
[[nodiscard]] inline std::optional<std::uint64_t> from_hex(std::string_view digits) noexcept {
  if (digits.size() != 16) return std::nullopt;
  std::uint64_t number = 0;
  for (const char digit : digits) {
    const bool is_digit = digit >= '0' && digit <= '9', is_letter = digit >= 'a' && digit <= 'f';
    if (!is_digit && !is_letter) return std::nullopt;
    number = number << 4 | static_cast<std::uint64_t>(is_digit ? digit - '0' : digit - 'a' + 10);
  }
  return number;
}

}  // namespace forerun
