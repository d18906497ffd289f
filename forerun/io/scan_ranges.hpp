// What the readers of scan logs share: what counts as an echo, how a number of beams is spread, which stamps may stand.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <string>
#include <vector>

#include "forerun/io/scan_log.hpp"
#include "forerun/io/text.hpp"

namespace forerun::io {

inline constexpr std::size_t kFewestBeams = 2;
inline constexpr std::size_t kMostBeams = 10'000;
inline constexpr std::size_t kMostScans = 1'000'000;
inline constexpr double kFarthestPose = 1e6;    // of any coordinate [m]
inline constexpr double kLargestHeading = 1e6;  // unwrapped [rad]
inline constexpr double kLatestStamp = 1e11;    // the year 5138 [s]
inline constexpr double kStampSlack = 1;        // loggers mix up stamps this close [s]
inline constexpr double kFarthestEcho = 80;  // where a log names no limit: SICK's is 80 m, and more marks no echo [m]

struct Fan {
  double first_angle = 0, step = 0;
};

// A fan as CARMEN guesses it from the number of beams: half a turn but for 400 and 401 beams (100°); even numbers
// leave out the last beam.
[[nodiscard]] inline Fan guess_fan(std::size_t n_beams) {
  const double width = (n_beams == 400 || n_beams == 401 ? 100 : 180) * std::numbers::pi / 180;
  const std::size_t gaps = n_beams % 2 == 0 ? n_beams : n_beams - 1;
  return {-width / 2, width / static_cast<double>(gaps)};
}

// NaN, infinities, zeros and negative numbers are no echo.
[[nodiscard]] inline float as_range(double value) {
  return value > 0 && std::isfinite(value) ? static_cast<float>(value) : kNoEcho;
}

// Many lasers write their limit where there was no echo: the log's largest range, if one beam in 200 reads just that
// and others read less.
[[nodiscard]] inline double find_max_range(const std::vector<LoggedScan>& scans) {
  float largest = 0, least = kNoEcho;
  std::size_t n_largest = 0, n_beams = 0;
  for (const LoggedScan& scan : scans) {
    for (const float range : scan.ranges) {
      ++n_beams;
      least = std::min(least, range);
      if (range == kNoEcho || range < largest) continue;
      n_largest = range == largest ? n_largest + 1 : 1;
      largest = range;
    }
  }
  const bool limit = least < largest && n_largest > 1 && n_largest * 200 >= n_beams;
  return limit ? std::min<double>(largest, kFarthestEcho) : kFarthestEcho;
}

inline void drop_far_echoes(ScanLog& log) {
  for (LoggedScan& scan : log.scans) {
    for (float& range : scan.ranges) {
      if (range >= static_cast<float>(log.max_range)) range = kNoEcho;
    }
  }
}

[[nodiscard]] inline Error wrong_length(const std::string& where, std::size_t n, std::size_t first) {
  return {where + ": the scan has " + std::to_string(n) + " ranges, but must have as many as the first, " +
          std::to_string(first)};
}

[[nodiscard]] inline Error wrong_number_of_beams(const std::string& where, const std::string& n) {
  return {where + ": the number of ranges is " + n + ", but must be from " + std::to_string(kFewestBeams) + " to " +
          std::to_string(kMostBeams)};
}

}  // namespace forerun::io
