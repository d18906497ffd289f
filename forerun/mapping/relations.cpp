#include "forerun/mapping/relations.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "forerun/io/file.hpp"
#include "forerun/io/gzip.hpp"
#include "forerun/io/lines.hpp"
#include "forerun/io/text.hpp"

namespace forerun::mapping {
namespace {

constexpr double kSameStamp = 1e-3;  // [s]
constexpr double kAround = 1;        // relations may begin before the log and end after it by so much [s]
constexpr std::size_t kColumns = 8;

// The numbers of a line; fewer or more than there should be where it is not one of ours.
std::vector<double> read_numbers(std::string_view line) {
  std::vector<double> numbers;
  std::size_t at = 0;
  while ((at = line.find_first_not_of(" \t,", at)) != line.npos && numbers.size() <= kColumns) {
    const std::size_t end = std::min(line.find_first_of(" \t,", at), line.size());
    const auto number = io::parse_number(line.substr(at, end - at));
    if (!number || !std::isfinite(*number)) return {};
    numbers.push_back(*number);
    at = end;
  }
  return numbers;
}

}  // namespace

Result<std::vector<Relation>> parse_relations(std::string_view text, const std::string& file) {
  std::vector<Relation> relations;
  io::Lines lines(text);
  for (std::string_view line; lines.next(line);) {
    if (line.find_first_not_of(" \t") == line.npos || line.front() == '#') continue;
    const std::vector<double> n = read_numbers(line);
    if (n.size() != kColumns) {
      return Error{file + ":" + std::to_string(lines.number()) + ": " + io::quote(line) +
                   " is no relation: two stamps, dx, dy, dz, roll, pitch and yaw"};
    }
    relations.push_back({n[0], n[1], {n[2], n[3], normalize_angle(n[7])}});
  }
  if (relations.empty()) return Error{file + " has no relations"};
  return relations;
}

Result<std::vector<Relation>> load_relations(const std::string& path) {
  const auto text = io::read_unpacked(path, io::kLargestData);
  if (!text) return text.error();
  return parse_relations(*text, path);
}

std::optional<std::size_t> find_stamp(const std::vector<double>& stamps, double stamp) {
  const auto first = std::lower_bound(stamps.begin(), stamps.end(), stamp - kSameStamp);
  if (first == stamps.end() || *first > stamp + kSameStamp) return std::nullopt;
  auto best = first;
  for (auto it = first; it != stamps.end() && *it <= stamp + kSameStamp; ++it) {
    if (std::fabs(*it - stamp) < std::fabs(*best - stamp)) best = it;
  }
  return static_cast<std::size_t>(best - stamps.begin());
}

Result<std::vector<ScanRelation>> match_relations(const std::vector<Relation>& relations, const std::string& file,
                                                  const std::vector<double>& stamps) {
  std::vector<std::size_t> scans(stamps.size());
  std::iota(scans.begin(), scans.end(), 0);
  std::stable_sort(scans.begin(), scans.end(), [&](auto a, auto b) { return stamps[a] < stamps[b]; });
  std::vector<double> rising;
  for (const std::size_t scan : scans) rising.push_back(stamps[scan]);
  std::vector<ScanRelation> matched;
  for (const Relation& relation : relations) {
    for (const double stamp : {relation.from, relation.to}) {
      if (stamp >= rising.front() - kAround && stamp <= rising.back() + kAround) continue;
      return Error{file + " names the stamp " + io::show(stamp) + ", but the log goes from " +
                   io::show(rising.front()) + " to " + io::show(rising.back())};
    }
    const auto from = find_stamp(rising, relation.from), to = find_stamp(rising, relation.to);
    if (from && to) matched.push_back({scans[*from], scans[*to], relation.from_from_to});
  }
  if (matched.empty()) return Error{file + " names no two scans of the log: no scan has its stamps"};
  return matched;
}

RelationScore score_relations(const std::vector<ScanRelation>& relations,
                              const std::function<Pose2(std::size_t)>& pose_of) {
  RelationScore score;
  const double share = 1 / static_cast<double>(relations.size());
  for (const ScanRelation& relation : relations) {
    const Pose2 found = inverse(pose_of(relation.from)) * pose_of(relation.to);
    score.error += distance(found.position(), relation.from_from_to.position()) * share;
    score.turn_error += std::fabs(normalize_angle(found.theta - relation.from_from_to.theta)) * share;
  }
  return score;
}

}  // namespace forerun::mapping
