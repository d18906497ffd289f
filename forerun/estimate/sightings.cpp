#include "forerun/estimate/sightings.hpp"

#include <algorithm>

namespace forerun::estimate {
namespace {

constexpr double kTogether = 0.25;                  // groups that are nearer are one [m]
constexpr double kGate = 0.5;                       // from where it was expected [m]
constexpr Duration kForgotten = from_seconds(0.8);  // not seen for so long: it is gone
constexpr Duration kBetweenGlimpses = from_seconds(0.24);
constexpr Duration kWhile = from_seconds(0.7);           // what has not moved in this time stands
constexpr double kSamePlace = 0.1;                       // [m]
constexpr double kSameShare = 0.75;                      // of the echoes
constexpr double kLeastRadius = 0.1, kMostRadius = 0.6;  // [m]
constexpr double kArcDepth = 0.7;                        // of a disc's radius: its middle behind the echoes' mean
constexpr double kSlow = 0.15;                           // slower counts as standing [m/s]
constexpr double kFastest = 2.5;                         // [m/s]

struct Disc {
  Vec2 middle;
  double radius = 0;
};

Disc disc_of(const Cluster& cluster) noexcept {
  Vec2 sum;
  for (const Vec2 p : cluster.points) sum = sum + p;
  const Vec2 mean = sum * (1.0 / static_cast<double>(cluster.points.size()));
  double across = 0;
  for (const Vec2 p : cluster.points) across = std::max(across, distance(cluster.points[0], p));
  const double radius = clamp(0.5 * across, kLeastRadius, kMostRadius);
  const Vec2 away = mean - cluster.seen_from;
  const double far = length(away);
  return {far > 0 ? mean + away * (kArcDepth * radius / far) : mean, radius};
}

bool lie_together(const Points& a, const Points& b) noexcept {
  return std::any_of(a.begin(), a.end(), [&](Vec2 p) {
    return std::any_of(b.begin(), b.end(), [&](Vec2 q) { return distance(p, q) <= kTogether; });
  });
}

// One after the other, so that the ends which are near each other meet; of too many the last are left out.
Points joined(const Points& a, const Points& b) noexcept {
  const bool a_first = distance(a.back(), b[0]) <= distance(b.back(), a[0]);
  Points points = a_first ? a : b;
  for (const Vec2 p : a_first ? b : a) (void)points.push_back(p);
  return points;
}

// Share of the points of `a` that have a point of `b` close by.
double share_in(const Points& a, const Points& b) noexcept {
  const auto is_there = [&](Vec2 p) {
    return std::any_of(b.begin(), b.end(), [&](Vec2 q) { return distance(p, q) <= kSamePlace; });
  };
  const auto n = std::count_if(a.begin(), a.end(), is_there);
  return a.empty() ? 0 : static_cast<double>(n) / static_cast<double>(a.size());
}

}  // namespace

void join_neighbours(Clusters& clusters) noexcept {
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    for (std::size_t j = i + 1; j < clusters.size();) {
      if (!lie_together(clusters[i].points, clusters[j].points)) {
        ++j;
        continue;
      }
      clusters[i].points = joined(clusters[i].points, clusters[j].points);
      clusters[j] = clusters.back();
      clusters.pop_back();
      j = i + 1;  // the one that has grown may reach others
    }
  }
}

Sighting::Sighting(RobotTime now, const Cluster& cluster) noexcept : last_(now), n_(1) {
  const Disc disc = disc_of(cluster);
  position_ = disc.middle;
  radius_ = disc.radius;
  glimpses_[0] = {now, cluster.points};
  n_glimpses_ = 1;
}

Vec2 Sighting::expected(RobotTime now) const noexcept { return position_ + velocity_ * to_seconds(now - last_); }

void Sighting::update(RobotTime now, const Cluster& cluster) noexcept {
  const double dt = to_seconds(now - last_);
  if (dt <= 0) return;
  const Disc disc = disc_of(cluster);
  ++n_;
  // a steady gain from a few sightings on; before, that of the line through all of them
  const double n = n_;
  const double gain = std::max(0.5, 2 * (2 * n - 1) / (n * (n + 1)));
  const double speed_gain = std::max(0.2, 6 / (n * (n + 1)));
  const Vec2 there = expected(now);
  const Vec2 off = disc.middle - there;
  position_ = there + off * gain;
  velocity_ = velocity_ + off * (speed_gain / dt);
  const double speed = length(velocity_);
  if (speed > kFastest) velocity_ = velocity_ * (kFastest / speed);
  radius_ += (disc.radius - radius_) * 0.3;
  last_ = now;
  // the newest glimpse is replaced until it is a quarter of a second older than the next
  const std::size_t before = (newest_ + glimpses_.size() - 1) % glimpses_.size();
  const bool first = n_glimpses_ < 2;
  if (first || glimpses_[newest_].time - glimpses_[before].time >= kBetweenGlimpses) {
    newest_ = (newest_ + 1) % glimpses_.size();
    n_glimpses_ = std::min(n_glimpses_ + 1, glimpses_.size());
  }
  glimpses_[newest_] = {now, cluster.points};
}

bool Sighting::stands() const noexcept {
  const Glimpse& now = glimpses_[newest_];
  for (std::size_t i = 1; i < n_glimpses_; ++i) {
    const Glimpse& then = glimpses_[(newest_ + glimpses_.size() - i) % glimpses_.size()];
    if (now.time - then.time < kWhile) continue;
    // more of it may have come into sight, or less
    return std::max(share_in(now.points, then.points), share_in(then.points, now.points)) >= kSameShare;
  }
  return false;
}

robot::MovingThing Sighting::thing(RobotTime now) const noexcept {
  const bool slow = length(velocity_) < kSlow;
  return {slow ? position_ : expected(now), slow ? Vec2{} : velocity_, radius_};
}

void Sightings::update(RobotTime now, std::span<const Cluster> clusters) noexcept {
  std::array<bool, decltype(all_)::capacity()> seen{};
  for (const Cluster& cluster : clusters) {
    const Vec2 middle = disc_of(cluster).middle;
    std::size_t nearest = all_.size();
    double off = kGate;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const double its_off = distance(all_[i].expected(now), middle);
      if (seen[i] || !(its_off < off)) continue;
      nearest = i;
      off = its_off;
    }
    if (nearest < all_.size()) {
      all_[nearest].update(now, cluster);
      seen[nearest] = true;
    } else if (all_.push_back(Sighting(now, cluster))) {
      seen[all_.size() - 1] = true;
    }
  }
  const auto end =
      std::remove_if(all_.begin(), all_.end(), [&](const Sighting& s) { return now - s.last() > kForgotten; });
  all_.resize(static_cast<std::size_t>(end - all_.begin()));
}

}  // namespace forerun::estimate
