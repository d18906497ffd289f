// The section `things_seen` of a report: where the world is not as its model says, and what moves (docs/protocol.md).
#pragma once

#include <optional>

#include "forerun/base/bytes.hpp"
#include "forerun/robot/seen_things.hpp"
#include "forerun/sync/sections.hpp"

namespace forerun::sync {

inline constexpr std::size_t kSeenHeaderSize = 6;  // first, last, how many of each
inline constexpr std::size_t kSeenBoxSize = 10;
inline constexpr std::size_t kSeenDoorSize = 6;
inline constexpr std::size_t kMovingThingSize = 7;

// `here` is the report's position. What is more than 327 m from it is left out. False when a number is not finite, or
// there is no room.
[[nodiscard]] bool add_seen_things(const robot::SeenThings& things, Vec2 here, SectionWriter& out) noexcept;
// The same place comes out the same wherever the robot says it from. Nothing when the content is none.
[[nodiscard]] std::optional<robot::SeenThings> decode_seen_things(Bytes content, Vec2 here) noexcept;

}  // namespace forerun::sync
