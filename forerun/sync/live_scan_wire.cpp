#include "forerun/sync/live_scan_wire.hpp"

#include <algorithm>

namespace forerun::sync {

bool add_live_scan(const robot::LiveScan& scan, SectionWriter& out) noexcept {
  std::array<std::uint8_t, kLiveScanSize> content{scan.unit_cm};
  std::copy(scan.ranges.begin(), scan.ranges.end(), content.begin() + 1);
  return scan.unit_cm > 0 && out.add(SectionKind::live_scan, content);
}

std::optional<robot::LiveScan> decode_live_scan(Bytes content) noexcept {
  if (content.size() < kLiveScanSize || content[0] == 0) return std::nullopt;
  robot::LiveScan scan{.unit_cm = content[0], .ranges = {}};
  std::copy_n(content.begin() + 1, scan.ranges.size(), scan.ranges.begin());
  return scan;
}

}  // namespace forerun::sync
