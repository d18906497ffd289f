// Recorded round trips: one a line, or a table with the time of each. The formats are described in docs/formats.md.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "forerun/base/result.hpp"
#include "forerun/impair/profile.hpp"

namespace forerun::io {

struct RttTrace {
  std::vector<impair::TraceSample> samples;  // never empty; in the order of time, the first one at 0
  double length = 0;                         // [s]: the last sample counts as long as the others do on average
  bool timed = false;                        // the recording has times of its own
};

// The file may be packed with gzip. `rate_hz` spaces the samples of a recording without times.
[[nodiscard]] Result<RttTrace> load_rtt_trace(const std::string& path, double rate_hz);
// The same from memory; `file` is the name used in messages.
[[nodiscard]] Result<RttTrace> parse_rtt_trace(std::string_view text, const std::string& file, double rate_hz);

}  // namespace forerun::io
