// Recorded paths: CSV with the columns of a drive log and a few more. Described in docs/formats.md.
#pragma once

#include <string>
#include <string_view>

#include "forerun/base/result.hpp"
#include "forerun/mission/recorded_path.hpp"

namespace forerun::io {

[[nodiscard]] std::string write_path(const mission::RecordedPath& path);

// `file` is the name used in messages. Times must grow, and poses must be there; velocities that are not are taken from
// the poses. At least two points.
[[nodiscard]] Result<mission::RecordedPath> parse_path(std::string_view text, const std::string& file);
// May be packed with gzip.
[[nodiscard]] Result<mission::RecordedPath> load_path(const std::string& path);

}  // namespace forerun::io
