// The body of a sync frame: a robot's report in 76 bytes, each at its place (docs/protocol.md).
#pragma once

#include <array>

#include "forerun/base/bytes.hpp"
#include "forerun/robot/report.hpp"
#include "forerun/sync/drops.hpp"

namespace forerun::sync {

inline constexpr std::size_t kReportBodySize = 76;
using ReportBody = std::array<std::uint8_t, kReportBodySize>;

// Nothing when a number is not finite or does not fit. A target beyond 65 m is left out, and an error beyond 32 m is
// written as 32 m.
[[nodiscard]] std::optional<ReportBody> encode_report(const robot::Report& report) noexcept;

// What was read, or why not. Bytes after the 76 belong to newer writers and are skipped.
struct DecodedReport {
  std::optional<robot::Report> report;
  Drop problem = Drop::malformed;
};
[[nodiscard]] DecodedReport decode_report(Bytes body) noexcept;

}  // namespace forerun::sync
