// Bytes as text, for pictures inside an SVG and for keys.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace forerun::io {

inline constexpr std::string_view kBase64Letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

[[nodiscard]] inline std::string encode_base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    // three bytes make four letters; what is missing at the end is marked by '='
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      group = group << 8 | (i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0u);
    }
    for (std::size_t j = 0; j < 4; ++j) {
      const bool present = i + j <= bytes.size();
      text += present ? kBase64Letters[group >> (18 - 6 * j) & 63] : '=';
    }
  }
  return text;
}

// Takes only what encode_base64() gives, so that no two texts mean the same bytes.
[[nodiscard]] inline std::optional<std::string> decode_base64(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);  // at once: a secret leaves no copies behind
  std::uint32_t group = 0;
  int n_bits = 0;
  const std::size_t n_letters = text.find_last_not_of('=') + 1;
  for (const char letter : text.substr(0, n_letters)) {
    const std::size_t value = kBase64Letters.find(letter);
    if (value == std::string_view::npos) return std::nullopt;
    group = group << 6 | static_cast<std::uint32_t>(value);
    n_bits += 6;
    if (n_bits < 8) continue;
    n_bits -= 8;
    bytes += static_cast<char>(group >> n_bits & 0xff);
  }
  const bool spare_bits_are_zero = (group & ((1u << n_bits) - 1)) == 0;
  const bool padded = text.size() % 4 == 0 && text.size() - n_letters <= 2 && n_letters % 4 != 1;
  if (!spare_bits_are_zero || !padded) return std::nullopt;
  return bytes;
}

}  // namespace forerun::io
