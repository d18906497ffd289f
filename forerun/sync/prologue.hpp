// What both ends of a handshake must agree on before it begins.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "forerun/base/bytes.hpp"
#include "forerun/sync/wire.hpp"

namespace forerun::sync {

using Prologue = std::array<std::uint8_t, 15 + kGreetingHeaderSize>;

// The protocol's name and the open beginning of the HELLO: who alters that spoils the handshake.
[[nodiscard]] inline Prologue make_prologue(Bytes hello) noexcept {
  constexpr std::array<std::uint8_t, 15> kName{'F', 'o', 'r', 'e', 'r', 'u', 'n', ' ',
                                               'l', 'i', 'n', 'k', ' ', 'v', '1'};
  Prologue prologue{};
  const auto rest = std::copy(kName.begin(), kName.end(), prologue.begin());
  std::copy_n(hello.begin(), kGreetingHeaderSize, rest);
  return prologue;
}

}  // namespace forerun::sync
