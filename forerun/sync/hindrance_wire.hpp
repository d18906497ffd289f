// The section of a report that says what holds an operator's hand back, and what touches the robot (docs/protocol.md).
#pragma once

#include <optional>

#include "forerun/base/bytes.hpp"
#include "forerun/robot/hindrance.hpp"
#include "forerun/sync/sections.hpp"

namespace forerun::sync {

inline constexpr std::size_t kHindranceHeaderSize = 8;  // and two bytes for each side

// False when a number is not finite or negative where that cannot be, or there is no room.
[[nodiscard]] bool add_hindrance(const robot::Hindrance& hindrance, SectionWriter& out) noexcept;
[[nodiscard]] std::optional<robot::Hindrance> decode_hindrance(Bytes content) noexcept;

}  // namespace forerun::sync
