// Characters in UTF-8 that comes from outside.
#pragma once

#include <cstddef>
#include <string_view>

namespace forerun {

// How many bytes the first character takes; 0 where there is none, or where it is no UTF-8.
[[nodiscard]] constexpr std::size_t first_character(std::string_view text) noexcept {
  const auto at = [&](std::size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u; };
  if (text.empty()) return 0;
  const unsigned first = at(0);
  const std::size_t n = first < 0x80 ? 1 : first >> 5 == 6 ? 2 : first >> 4 == 14 ? 3 : first >> 3 == 30 ? 4 : 0;
  for (std::size_t k = 1; k < n; ++k) {
    if (at(k) >> 6 != 2) return 0;
  }
  // not longer than needed, no halves of pairs, nothing beyond the last character
  if (n == 2 && first < 0xc2) return 0;
  if (n == 3 && ((first == 0xe0 && at(1) < 0xa0) || (first == 0xed && at(1) >= 0xa0))) return 0;
  if (n == 4 && ((first == 0xf0 && at(1) < 0x90) || (first == 0xf4 && at(1) >= 0x90) || first > 0xf4)) return 0;
  return n;
}

}  // namespace forerun
