#include "forerun/io/radish_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "forerun/io/scan_ranges.hpp"
#include "forerun/io/text.hpp"

namespace forerun::io {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kLargestJson = std::size_t{64} << 20;  // it is held in memory many times larger [bytes]
constexpr int kDeepest = 4;                                  // of lists and objects within each other

Result<double> read_field(const Json& node, const char* name, double largest, const std::string& where) {
  const auto field = node.find(name);
  if (field == node.end() || !field->is_number() || !(std::fabs(field->get<double>()) <= largest)) {
    return Error{where + ": " + name + " is " + (field == node.end() ? "missing" : quote(field->dump())) +
                 ", but must be a number within ±" + show(largest)};
  }
  return field->get<double>();
}

Result<Pose2> read_pose(const Json& node, const std::string& where) {
  const Result<double> x = read_field(node, "x", kFarthestPose, where);
  if (!x) return x.error();
  const Result<double> y = read_field(node, "y", kFarthestPose, where);
  if (!y) return y.error();
  const Result<double> theta = read_field(node, "theta", kLargestHeading, where);
  if (!theta) return theta.error();
  return Pose2{*x, *y, normalize_angle(*theta)};
}

// null stands where a writer had NaN or an infinity.
Result<std::vector<float>> read_ranges(const Json& node, const std::string& where) {
  const auto list = node.find("range");
  if (list == node.end() || !list->is_array()) return Error{where + ": range must be a list of ranges"};
  if (list->size() < kFewestBeams || list->size() > kMostBeams) {
    return wrong_number_of_beams(where, std::to_string(list->size()));
  }
  std::vector<float> ranges;
  ranges.reserve(list->size());
  for (const Json& range : *list) {
    if (!range.is_number() && !range.is_null()) {
      return Error{where + ": range " + std::to_string(ranges.size() + 1) + " is " + quote(range.dump()) +
                   ", but must be a number"};
    }
    ranges.push_back(range.is_null() ? kNoEcho : as_range(range.get<double>()));
  }
  return ranges;
}

Result<LoggedScan> read_scan(const std::string& stamp, const Json& node, const std::string& file) {
  const std::string where = file + ": scan " + quote(stamp);
  const std::optional<double> time = parse_number(stamp);
  if (!time || !(std::fabs(*time) <= kLatestStamp)) {
    return Error{where + ": the stamp must be a number of seconds within ±" + show(kLatestStamp)};
  }
  if (!node.is_object()) return Error{where + " must be an object with range, x, y and theta"};
  Result<Pose2> pose = read_pose(node, where);
  if (!pose) return pose.error();
  Result<std::vector<float>> ranges = read_ranges(node, where);
  if (!ranges) return ranges.error();
  return LoggedScan{*time, *time, *pose, std::nullopt, std::move(*ranges)};
}

// The object of stamps, or nothing.
Json parse_map(std::string_view text) {
  bool too_deep = false;
  const auto shallow = [&](int depth, Json::parse_event_t, Json&) {
    too_deep = too_deep || depth > kDeepest;
    return depth <= kDeepest;
  };
  Json document = Json::parse(text, shallow, false);
  if (too_deep || document.is_discarded() || !document.is_object()) return {};
  const auto map = document.find("map");
  return map == document.end() || !map->is_object() ? Json() : std::move(*map);
}

}  // namespace

Result<ScanLog> parse_radish_json(std::string_view text, const std::string& file) {
  if (text.size() > kLargestJson) {
    return Error{file + " has " + std::to_string(text.size()) + " bytes unpacked, but must have at most " +
                 std::to_string(kLargestJson)};
  }
  const Json map = parse_map(text);
  if (map.is_null()) {
    const bool has_nan = text.find("NaN") != text.npos || text.find("Infinity") != text.npos;
    return Error{file + " is no scan log: JSON must be {\"map\": {\"<stamp>\": {\"range\", …}}}" +
                 (has_nan ? ", and knows neither NaN nor Infinity: a beam without an echo is null" : "")};
  }
  if (map.empty()) return Error{file + " has no scan, but must hold at least one"};
  ScanLog log;
  for (const auto& [stamp, node] : map.items()) {
    Result<LoggedScan> scan = read_scan(stamp, node, file);
    if (!scan) return scan.error();
    log.scans.push_back(std::move(*scan));
    const std::size_t n = log.scans.back().ranges.size(), first = log.scans.front().ranges.size();
    if (n != first) return wrong_length(file + ": scan " + quote(stamp), n, first);
  }
  // an object has no order of its own
  std::stable_sort(log.scans.begin(), log.scans.end(), [](const auto& a, const auto& b) { return a.time < b.time; });
  const Fan fan = guess_fan(log.scans.front().ranges.size());
  log.first_angle = fan.first_angle;
  log.step = fan.step;
  log.max_range = find_max_range(log.scans);
  drop_far_echoes(log);
  return log;
}

}  // namespace forerun::io
