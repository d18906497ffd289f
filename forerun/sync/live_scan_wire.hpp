// The section `live_scan` of a report: what its lasers see all round it, coarsely (docs/protocol.md).
#pragma once

#include <optional>

#include "forerun/base/bytes.hpp"
#include "forerun/robot/live_scan.hpp"
#include "forerun/sync/sections.hpp"

namespace forerun::sync {

inline constexpr std::size_t kLiveScanSize = 1 + robot::LiveScan::kSectors;
static_assert(kSectionHeaderSize + kLiveScanSize <= 64);

// False when its unit is 0, or there is no room.
[[nodiscard]] bool add_live_scan(const robot::LiveScan& scan, SectionWriter& out) noexcept;
// Nothing when the content is none.
[[nodiscard]] std::optional<robot::LiveScan> decode_live_scan(Bytes content) noexcept;

}  // namespace forerun::sync
