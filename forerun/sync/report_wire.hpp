// The body of a sync frame: a robot's report in 76 bytes, or 84 with odometry, each at its place (docs/protocol.md).
#pragma once

#include "forerun/base/bytes.hpp"
#include "forerun/base/fixed_vector.hpp"
#include "forerun/robot/report.hpp"
#include "forerun/sync/drops.hpp"

namespace forerun::sync {

inline constexpr std::size_t kReportBodySize = 76;
inline constexpr std::size_t kOdometrySize = 8;  // after the body, where the robot tells it
using ReportBody = FixedVector<std::uint8_t, kReportBodySize + kOdometrySize>;

// Nothing when a number is not finite or does not fit. A target beyond 65 m is left out, and an error beyond 32 m is
// written as 32 m.
[[nodiscard]] std::optional<ReportBody> encode_report(const robot::Report& report) noexcept;

// What was read, or why not. Bytes after the last field belong to newer writers and are skipped.
struct DecodedReport {
  std::optional<robot::Report> report;
  Drop problem = Drop::malformed;
};
[[nodiscard]] DecodedReport decode_report(Bytes body) noexcept;

}  // namespace forerun::sync
