// The body of a sync frame: a robot's report in 76 bytes, or 84 with odometry, each at its place, and then sections
// (docs/protocol.md).
#pragma once

#include "forerun/base/bytes.hpp"
#include "forerun/base/fixed_vector.hpp"
#include "forerun/robot/report.hpp"
#include "forerun/sync/drops.hpp"
#include "forerun/sync/sections.hpp"

namespace forerun::sync {

inline constexpr std::size_t kReportBodySize = 76;
inline constexpr std::size_t kOdometrySize = 8;  // after the body, where the robot tells it
inline constexpr std::size_t kWheelsSize = 18;   // of the section `calibration`
inline constexpr std::size_t kMissionSize = 16;  // of the section `mission`
inline constexpr std::size_t kResponseSize = 8;  // of the section `response`
// As it is sent, and as it was received, with sections.
using SyncBody = FixedVector<std::uint8_t, kReportBodySize + kOdometrySize + kMostSectionBytes>;

// Nothing when a number is not finite or does not fit. A target beyond 65 m is left out, and an error beyond 32 m is
// written as 32 m. `sections` go behind, and sections for the planned path, the wheels, the response, the posture and
// the mission where the report says them and they do not; nothing also when they are not whole, or too long.
[[nodiscard]] std::optional<SyncBody> encode_report(const robot::Report& report, Bytes sections = {}) noexcept;

// What was read, or why not. Sections stay where they are in the body. Planned path, wheels, response, posture and
// mission are in the report, if their sections are right; what others say is for who knows their kinds.
struct DecodedReport {
  std::optional<robot::Report> report;
  Drop problem = Drop::malformed;
  Bytes sections;
};
[[nodiscard]] DecodedReport decode_report(Bytes body) noexcept;
// Of a body that was decoded before.
[[nodiscard]] Bytes sections_of(Bytes body) noexcept;

}  // namespace forerun::sync
