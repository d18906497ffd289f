// The section `planned_path` of a report: points in whole steps from where the robot is (docs/protocol.md).
#pragma once

#include "forerun/base/bytes.hpp"
#include "forerun/base/fixed_vector.hpp"
#include "forerun/robot/report.hpp"

namespace forerun::sync {

inline constexpr std::size_t kPlannedPathHeaderSize = 2;  // exponent, count
inline constexpr std::size_t kPlannedPointSize = 4;
inline constexpr int kLargestPlanExponent = 13;  // of the step, 1 mm at 0; reaches across all that can be a place

using PlannedPathContent =
    FixedVector<std::uint8_t, kPlannedPathHeaderSize + robot::PlannedPath::capacity() * kPlannedPointSize>;

// `here` is the report's position. The same path gives the same points wherever the robot is on its way along it.
// Nothing when a point or the position is not finite, or beyond 100 km.
[[nodiscard]] std::optional<PlannedPathContent> encode_planned_path(const robot::PlannedPath& path, Vec2 here) noexcept;
// Nothing when the content is none. Bytes behind the points are a newer writer's.
[[nodiscard]] std::optional<robot::PlannedPath> decode_planned_path(Bytes content, Vec2 here) noexcept;

}  // namespace forerun::sync
