// What both ends of a handshake must agree on before it begins.
#pragma once

#include <array>
#include <cstdint>

namespace forerun::sync {

inline constexpr std::array<std::uint8_t, 15> kPrologue{'F', 'o', 'r', 'e', 'r', 'u', 'n', ' ',
                                                        'l', 'i', 'n', 'k', ' ', 'v', '1'};

}  // namespace forerun::sync
