// The section of a report that says how a robot on rough ground stands (docs/protocol.md).
#pragma once

#include <optional>

#include "forerun/base/bytes.hpp"
#include "forerun/robot/posture.hpp"
#include "forerun/sync/sections.hpp"

namespace forerun::sync {

inline constexpr std::size_t kPostureSize = 19;
inline constexpr double kFlipperUnit = 2e-4;  // [rad]; ±6.5 rad, also of commands

// False when a number is not finite or does not fit, or there is no room.
[[nodiscard]] bool add_posture(const robot::Posture& posture, SectionWriter& out) noexcept;
[[nodiscard]] std::optional<robot::Posture> decode_posture(Bytes content) noexcept;

}  // namespace forerun::sync
