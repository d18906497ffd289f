// Characters in UTF-8 that comes from outside.
#pragma once

#include <algorithm>
#include <array>
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

// A character that controls, also one above ASCII, which some terminals obey, and one that breaks lines or turns round
// the direction of writing, with which words could show as others.
[[nodiscard]] inline bool is_control(std::string_view character) noexcept {
  constexpr std::array<std::string_view, 14> kBreakOrTurn{"\u061c", "\u200e", "\u200f", "\u2028", "\u2029",
                                                          "\u202a", "\u202b", "\u202c", "\u202d", "\u202e",
                                                          "\u2066", "\u2067", "\u2068", "\u2069"};
  const auto first = static_cast<unsigned char>(character[0]);
  if (first == 0xc2) return static_cast<unsigned char>(character[1]) < 0xa0;
  return first < 0x20 || first == 0x7f ||
         std::find(kBreakOrTurn.begin(), kBreakOrTurn.end(), character) != kBreakOrTurn.end();
}

}  // namespace forerun
