#include "forerun/mission/trim.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace forerun::mission {
namespace {

constexpr double kStill = 0.002;         // what stands moves less than this [m] …
constexpr double kStillAngle = 0.01;     // … and turns less than this [rad]
constexpr double kRoundness = 0.15;      // a loop has at least this share of the area of a circle of its length
constexpr double kSectionSlack = 0.001;  // a region is left out whole [m]

// A section of the recorded path, between two points at about the same place.
struct Section {
  std::span<const PathPoint> points;
  double length = 0;  // [m]
};

// 1 for a circle, 0 for a way that leads back on itself.
double roundness(const Section& section) noexcept {
  double area = 0;
  const Vec2 origin = section.points.front().pose.position();
  for (std::size_t i = 1; i < section.points.size(); ++i) {
    area += 0.5 * cross(section.points[i - 1].pose.position() - origin, section.points[i].pose.position() - origin);
  }
  return section.length > 0 ? 4 * kPi * std::fabs(area) / square(section.length) : 0;
}

Redundant kind_of(const Section& section) noexcept {
  const bool bumped =
      std::any_of(section.points.begin(), section.points.end(), [](const PathPoint& p) { return p.bumped; });
  if (bumped) return Redundant::bump;
  return roundness(section) < kRoundness ? Redundant::back_and_forth : Redundant::loop;
}

double longest(const Redundancy& redundancy, Redundant kind) noexcept {
  switch (kind) {
    case Redundant::bump:
      return redundancy.bump_m;
    case Redundant::back_and_forth:
      return redundancy.back_and_forth_m;
    case Redundant::loop:
      return redundancy.loop_m;
    case Redundant::dwell:
      break;
  }
  return 0;
}

bool is_in(std::span<const KeptRegion> keep, Vec2 place) noexcept {
  return std::any_of(keep.begin(), keep.end(), [&](const KeptRegion& region) {
    return distance(place, region.center) <= region.radius + kSectionSlack;
  });
}

bool touches(std::span<const KeptRegion> keep, std::span<const PathPoint> points) noexcept {
  return std::any_of(points.begin(), points.end(), [&](const PathPoint& p) { return is_in(keep, p.pose.position()); });
}

class Search {
 public:
  Search(std::span<const PathPoint> path, const Redundancy& redundancy, std::span<const KeptRegion> keep)
      : path_(path), redundancy_(redundancy), keep_(keep), along_(lengths_along(path)) {
    std::vector<Vec2> places;
    places.reserve(path.size());
    for (const PathPoint& point : path) places.push_back(point.pose.position());
    stations_ = make_stations(places, along_, redundancy.pinch.spacing_m);
    returns_ = find_returns(stations_, redundancy.pinch);
  }

  Trim run() {
    for (PinchPoint pinch : pinch_points(stations_, returns_)) {
      pinch.from = stations_.index[pinch.from];
      pinch.to = stations_.index[pinch.to];
      found_.pinches.push_back(pinch);
    }
    std::uint32_t at = 0;
    while (const auto pinch = next_pinch_point(stations_, returns_, at)) at = judge(*pinch) ? pinch->to : pinch->next;
    if (redundancy_.dwell_s > 0) cut_dwells();
    return std::move(found_);
  }

 private:
  // Whether what lies between was cut.
  bool judge(const PinchPoint& pinch) {
    const std::size_t from = stations_.index[pinch.from], to = stations_.index[pinch.to];
    const double length = along_[to] - along_[from];
    // nothing of this length is ever redundant: no need to look at its points
    const bool hopeless = length > std::max({redundancy_.bump_m, redundancy_.back_and_forth_m, redundancy_.loop_m});
    const std::span<const PathPoint> points = path_.subspan(from, to - from + 1);
    const Redundant kind = hopeless ? Redundant::loop : kind_of({points, length});
    if (hopeless || length > longest(redundancy_, kind)) {
      found_.uncut.push_back({kind, Uncut::Why::too_long, from, to, length});
      return false;
    }
    if (touches(keep_, points)) {
      found_.uncut.push_back({kind, Uncut::Why::kept_region, from, to, length});
      return false;
    }
    found_.cuts.push_back(make_cut(kind, from, to));
    return true;
  }

  [[nodiscard]] Cut make_cut(Redundant kind, std::size_t from, std::size_t to) const {
    return {kind,
            from,
            to,
            along_[to] - along_[from],
            path_[to].time - path_[from].time,
            distance(path_[from].pose.position(), path_[to].pose.position())};
  }

  // The end of the stretch over which the robot stands where it stands at `begin`.
  [[nodiscard]] std::size_t end_of_stand(std::size_t begin, std::size_t limit) const noexcept {
    const Pose2& here = path_[begin].pose;
    std::size_t end = begin;
    while (end + 1 < limit && distance(path_[end + 1].pose.position(), here.position()) < kStill &&
           std::fabs(normalize_angle(path_[end + 1].pose.theta - here.theta)) < kStillAngle) {
      ++end;
    }
    return end;
  }

  // Between the cuts that there are.
  void cut_dwells() {
    std::vector<Cut> dwells;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= found_.cuts.size(); ++i) {
      const std::size_t limit = i < found_.cuts.size() ? found_.cuts[i].from + 1 : path_.size();
      while (begin < limit) begin = std::max(cut_dwell(begin, limit, dwells), begin + 1);
      if (i < found_.cuts.size()) begin = found_.cuts[i].to;
    }
    found_.cuts.insert(found_.cuts.end(), dwells.begin(), dwells.end());
    std::sort(found_.cuts.begin(), found_.cuts.end(), [](const Cut& a, const Cut& b) { return a.from < b.from; });
  }

  // Gives the end of the stand that begins here.
  std::size_t cut_dwell(std::size_t begin, std::size_t limit, std::vector<Cut>& dwells) {
    const std::size_t end = end_of_stand(begin, limit);
    std::size_t from = begin;
    while (from < end && path_[from].time - path_[begin].time < redundancy_.dwell_s) ++from;
    if (end < from + 2) return end;
    if (is_in(keep_, path_[begin].pose.position())) {
      found_.uncut.push_back({Redundant::dwell, Uncut::Why::kept_region, begin, end, 0});
    } else {
      dwells.push_back(make_cut(Redundant::dwell, from, end));
    }
    return end;
  }

  std::span<const PathPoint> path_;
  const Redundancy& redundancy_;
  std::span<const KeptRegion> keep_;
  std::vector<double> along_;
  Stations stations_;
  std::vector<std::uint32_t> returns_;
  Trim found_;
};

}  // namespace

const char* to_string(Redundant kind) noexcept {
  switch (kind) {
    case Redundant::bump:
      return "bump and back up";
    case Redundant::back_and_forth:
      return "back and forth";
    case Redundant::loop:
      return "loop";
    case Redundant::dwell:
      break;
  }
  return "dwell";
}

Trim find_cuts(std::span<const PathPoint> path, const Redundancy& redundancy, std::span<const KeptRegion> keep) {
  return Search(path, redundancy, keep).run();
}

TrimmedPath apply_cuts(std::span<const PathPoint> path, std::span<const Cut> cuts) {
  TrimmedPath trimmed;
  std::size_t i = 0;
  for (const Cut& cut : cuts) {
    if (!cut.applied) continue;
    for (; i <= cut.from; ++i) trimmed.points.push_back(path[i]);
    trimmed.joints.push_back(trimmed.points.size() - 1);
    i = cut.to;
  }
  for (; i < path.size(); ++i) trimmed.points.push_back(path[i]);
  return trimmed;
}

std::string describe(const Cut& cut, std::span<const PathPoint> path) {
  char text[160];
  std::snprintf(text, sizeof text, "%s: %.2f m and %.1f s, from %.1f s on", to_string(cut.kind), cut.length_m,
                cut.duration_s, path[cut.from].time);
  return text;
}

}  // namespace forerun::mission
