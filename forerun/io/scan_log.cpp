#include "forerun/io/scan_log.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "forerun/io/carmen_log.hpp"
#include "forerun/io/file.hpp"
#include "forerun/io/gzip.hpp"
#include "forerun/io/radish_json.hpp"
#include "forerun/io/text.hpp"

namespace forerun::io {

Result<ScanLog> parse_scan_log(std::string_view text, const std::string& file) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return Error{file + " is empty, but must hold at least one scan"};
  Result<ScanLog> log = text[first] == '{' ? parse_radish_json(text, file) : parse_carmen_log(text, file);
  if (!log) return log.error();
  // a wall's echo beyond any laser's reach, or a log of nothing at all
  const auto seen = [](const LoggedScan& scan) {
    return std::any_of(scan.ranges.begin(), scan.ranges.end(), [](float range) { return range != kNoEcho; });
  };
  if (std::none_of(log->scans.begin(), log->scans.end(), seen)) {
    return Error{file + ": no beam of any scan has an echo, but at least one must"};
  }
  return log;
}

Result<ScanLog> load_scan_log(const std::string& path) {
  const Result<std::string> text = read_unpacked(path, kLargestData);
  if (!text) return text.error();
  return parse_scan_log(*text, path);
}

Result<void> add_corrected(ScanLog& log, const ScanLog& truth, const std::string& truth_file) {
  std::unordered_map<double, Pose2> poses;
  for (const LoggedScan& scan : truth.scans) poses.emplace(scan.time, scan.best());
  // all of them or none
  for (const LoggedScan& scan : log.scans) {
    if (poses.contains(scan.time)) continue;
    return Error{truth_file + " has no pose of time " + show(scan.time) + ", but must have one for every scan"};
  }
  for (LoggedScan& scan : log.scans) scan.corrected = poses.at(scan.time);
  return {};
}

}  // namespace forerun::io
