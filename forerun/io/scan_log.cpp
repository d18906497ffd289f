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
  struct Stamped {
    std::vector<Pose2> poses;
    std::size_t n_scans = 0;
  };
  std::unordered_map<double, Stamped> found;
  for (const LoggedScan& scan : truth.scans) found[scan.stamp].poses.push_back(scan.best());
  for (const LoggedScan& scan : log.scans) ++found[scan.stamp].n_scans;
  // all of them or none
  for (const LoggedScan& scan : log.scans) {
    const auto& [poses, n_scans] = found[scan.stamp];
    if (poses.empty()) {
      return Error{truth_file + " has no pose of time " + show(scan.stamp) + ", but must have one for every scan"};
    }
    // which of them is whose
    if (poses.size() == n_scans) continue;
    return Error{truth_file + " has " + std::to_string(poses.size()) + " poses of time " + show(scan.stamp) +
                 ", but must have as many as there are scans of that time, " + std::to_string(n_scans)};
  }
  for (LoggedScan& scan : log.scans) {
    auto& [poses, n_left] = found[scan.stamp];
    scan.corrected = poses[poses.size() - n_left--];
  }
  return {};
}

std::string order_note(const ScanLog& log, const std::string& file) {
  if (log.n_stamps_raised == 0) return "";
  return std::to_string(log.n_stamps_raised) + " of the " + std::to_string(log.scans.size()) + " scans in " + file +
         " are stamped earlier than one before them: the order of the file counts";
}

}  // namespace forerun::io
