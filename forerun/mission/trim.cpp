#include "forerun/mission/trim.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <utility>

namespace forerun::mission {
namespace {

constexpr double kStill = 0.002;         // what stands moves less than this [m] …
constexpr double kStillAngle = 0.01;     // … and turns less than this [rad]
constexpr double kRoundness = 0.15;      // a loop has at least this share of the area of a circle of its length
constexpr double kSectionSlack = 0.001;  // a region is left out whole [m]
constexpr double kBacks = 0.01;          // faster backward than this is backing up [m/s]
constexpr double kBacksUpWithin = 1;     // of a contact [s]
constexpr double kBumpWindow = 5;        // way around a contact that is searched [m]
constexpr double kGapCost = 10;          // a centimetre more between the ends is not worth 10 cm more between them

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

// Why these points must not be lost; nothing: they may be.
std::optional<Uncut::Why> reason_to_keep(std::span<const KeptRegion> keep, std::span<const PathPoint> points) noexcept {
  const auto any = [&](auto holds) { return std::any_of(points.begin(), points.end(), holds); };
  if (any([](const PathPoint& p) { return p.waypoint || !p.action.empty(); })) return Uncut::Why::waypoint;
  if (any([&](const PathPoint& p) { return is_in(keep, p.pose.position()); })) return Uncut::Why::kept_region;
  return std::nullopt;
}

double length_between(std::span<const double> along, std::size_t from, std::size_t to) noexcept {
  return along[to] - along[from];
}

// Bumps with the way back from them: what the robot drove backward after a contact, and the same way before it.
class BumpSearch {
 public:
  BumpSearch(std::span<const PathPoint> path, std::span<const double> along, const Redundancy& redundancy)
      : path_(path), along_(along), redundancy_(redundancy) {}

  // Points that the robot comes back to, before and after each contact; in order, and apart from each other.
  [[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> run() const {
    std::vector<std::pair<std::size_t, std::size_t>> found;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < path_.size(); ++i) {
      if (!path_[i].bumped) continue;
      std::size_t end = i;  // of the contact
      while (end + 1 < path_.size() && path_[end + 1].bumped) ++end;
      if (const auto pair = best_pair(begin, i, end)) {
        found.push_back(*pair);
        begin = pair->second;
      }
      i = end;
    }
    return found;
  }

 private:
  // The last point up to which it backs up after the contact.
  [[nodiscard]] std::size_t end_of_backing(std::size_t contact) const noexcept {
    std::size_t at = contact;
    const double until = path_[contact].time + kBacksUpWithin;
    while (at + 1 < path_.size() && path_[at].velocity.vx > -kBacks && path_[at].time < until) ++at;
    while (at + 1 < path_.size() && path_[at].velocity.vx < -kBacks && !path_[at + 1].bumped) ++at;
    return at;
  }
  [[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> best_pair(std::size_t begin, std::size_t first,
                                                                             std::size_t last) const {
    const std::size_t stop = end_of_backing(last);
    const double longest = std::min(redundancy_.bump_m, kBumpWindow);
    std::optional<std::pair<std::size_t, std::size_t>> best;
    double best_worth = 0;
    for (std::size_t i = first; i-- > begin;) {
      if (length_between(along_, i, stop) > longest) break;
      for (std::size_t j = stop; j > last; --j) {
        const double gap = distance(path_[i].pose.position(), path_[j].pose.position());
        const double worth = length_between(along_, i, j) - kGapCost * gap;
        if (gap > redundancy_.pinch.reach_m || worth <= best_worth) continue;
        best_worth = worth;
        best = {i, j};
      }
    }
    return best;
  }

  std::span<const PathPoint> path_;
  std::span<const double> along_;
  const Redundancy& redundancy_;
};

class Search {
 public:
  Search(std::span<const PathPoint> path, const Redundancy& redundancy, std::span<const KeptRegion> keep)
      : path_(path), redundancy_(redundancy), keep_(keep), along_(lengths_along(path)) {}

  Trim run() {
    index_.resize(path_.size());
    for (std::size_t i = 0; i < index_.size(); ++i) index_[i] = i;
    list_pinches();
    if (redundancy_.bump_m > 0) cut_bumps();
    cut_pinches();
    if (redundancy_.dwell_s > 0) cut_dwells();
    return std::move(found_);
  }

 private:
  // Stations on what is left of the path.
  void lay_stations() {
    std::vector<Vec2> places;
    std::vector<double> along;
    for (const std::size_t i : index_) {
      const Vec2 place = path_[i].pose.position();
      along.push_back(places.empty() ? 0 : along.back() + distance(places.back(), place));
      places.push_back(place);
    }
    stations_ = make_stations(places, along, redundancy_.pinch.spacing_m);
    returns_ = find_returns(stations_, redundancy_.pinch);
  }
  [[nodiscard]] std::size_t point_of(std::uint32_t station) const noexcept { return index_[stations_.index[station]]; }

  void list_pinches() {
    lay_stations();
    for (const PinchPoint& pinch : pinch_points(stations_, returns_)) {
      found_.pinches.push_back({point_of(pinch.from), point_of(pinch.to)});
    }
  }

  void cut_bumps() {
    for (const auto& [from, to] : BumpSearch(path_, along_, redundancy_).run()) {
      if (is_kept(Redundant::bump, from, to)) continue;
      found_.cuts.push_back(make_cut(Redundant::bump, from, to));
    }
    index_.clear();
    std::size_t i = 0;
    for (const Cut& cut : found_.cuts) {
      for (; i <= cut.from; ++i) index_.push_back(i);
      i = cut.to;
    }
    for (; i < path_.size(); ++i) index_.push_back(i);
    if (!found_.cuts.empty()) lay_stations();
  }

  void cut_pinches() {
    std::uint32_t at = 0;
    while (const auto pinch = next_pinch_point(stations_, returns_, at)) at = judge(*pinch) ? pinch->to : pinch->next;
    std::sort(found_.cuts.begin(), found_.cuts.end(), [](const Cut& a, const Cut& b) { return a.from < b.from; });
  }

  // Whether what lies between was cut.
  bool judge(const PinchPoint& pinch) {
    const std::size_t from = point_of(pinch.from), to = point_of(pinch.to);
    const double length = stations_.along[pinch.to] - stations_.along[pinch.from];
    // nothing of this length is ever redundant: no need to look at its points
    const bool hopeless = length > std::max({redundancy_.bump_m, redundancy_.back_and_forth_m, redundancy_.loop_m});
    const Redundant kind = hopeless ? Redundant::loop : kind_of({path_.subspan(from, to - from + 1), length});
    if (hopeless || length > longest(redundancy_, kind)) {
      found_.uncut.push_back({kind, Uncut::Why::too_long, from, to, length});
      return false;
    }
    if (is_kept(kind, from, to)) return false;
    // cuts within it go with it
    std::erase_if(found_.cuts, [&](const Cut& cut) { return cut.from >= from && cut.to <= to; });
    found_.cuts.push_back(make_cut(kind, from, to));
    return true;
  }

  [[nodiscard]] bool is_kept(Redundant kind, std::size_t from, std::size_t to) {
    const auto why = reason_to_keep(keep_, path_.subspan(from, to - from + 1));
    if (why) found_.uncut.push_back({kind, *why, from, to, length_between(along_, from, to)});
    return why.has_value();
  }

  [[nodiscard]] Cut make_cut(Redundant kind, std::size_t from, std::size_t to) const {
    return {kind,
            from,
            to,
            length_between(along_, from, to),
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
    if (!is_kept(Redundant::dwell, begin, end)) dwells.push_back(make_cut(Redundant::dwell, from, end));
    return end;
  }

  std::span<const PathPoint> path_;
  const Redundancy& redundancy_;
  std::span<const KeptRegion> keep_;
  std::vector<double> along_;
  std::vector<std::size_t> index_;  // points of the path that are left after the bumps were cut
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

const char* to_string(Uncut::Why why) noexcept {
  switch (why) {
    case Uncut::Why::too_long:
      return "too long";
    case Uncut::Why::kept_region:
      return "kept region";
    case Uncut::Why::waypoint:
      break;
  }
  return "waypoint";
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
