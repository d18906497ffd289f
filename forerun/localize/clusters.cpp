#include "forerun/localize/clusters.hpp"

#include <algorithm>
#include <cmath>

namespace forerun::localize {
namespace {

constexpr double kBinEdge = 0.5;  // where to look for a heavy place [m]
constexpr double kBinTurn = kPi / 8;
constexpr double kReach = 1.0;        // a cluster's particles are this near to its mean [m]
constexpr double kTurnReach = 0.6;    // and look this much alike [rad]
constexpr double kLeastShare = 0.02;  // places with less are not worth naming
constexpr int kRounds = 3;            // of moving the mean to what is near it

std::uint64_t part(double value, double size) noexcept {
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(std::floor(value / size)) + (1 << 19)) & 0xfffff;
}

std::uint64_t key_of(const Pose2& pose) noexcept {
  return 1 +
         (part(pose.x, kBinEdge) << 40 | part(pose.y, kBinEdge) << 20 | part(normalize_angle(pose.theta), kBinTurn));
}

bool is_near(const Pose2& a, const Pose2& b) noexcept {
  return square(a.x - b.x) + square(a.y - b.y) <= square(kReach) &&
         std::fabs(normalize_angle(a.theta - b.theta)) <= kTurnReach;
}

}  // namespace

ClusterFinder::ClusterFinder(std::size_t capacity) : taken_(capacity) {
  std::size_t size = 64;
  while (size < 2 * capacity) size *= 2;
  bins_.resize(size);
}

std::size_t ClusterFinder::slot_of(std::uint64_t key) const noexcept {
  const std::size_t mask = bins_.size() - 1;
  std::size_t slot = static_cast<std::size_t>((key * 0x9e3779b97f4a7c15u) >> 32) & mask;
  while (bins_[slot].key != 0 && bins_[slot].key != key) slot = (slot + 1) & mask;
  return slot;
}

void ClusterFinder::fill_bins(std::span<const Particle> particles) noexcept {
  std::fill(bins_.begin(), bins_.end(), Bin{});
  for (const Particle& p : particles) {
    const std::uint64_t key = key_of(p.pose);
    Bin& bin = bins_[slot_of(key)];
    bin.key = key;
    bin.weight += p.weight;
  }
}

// The first particle of the heaviest bin.
Pose2 ClusterFinder::heaviest_place(std::span<const Particle> particles) const noexcept {
  double heaviest = -1;
  Pose2 place;
  for (std::size_t i = 0; i < particles.size(); ++i) {
    if (taken_[i]) continue;
    const double weight = bins_[slot_of(key_of(particles[i].pose))].weight;
    if (weight <= heaviest) continue;
    heaviest = weight;
    place = particles[i].pose;
  }
  return place;
}

Cluster ClusterFinder::gather(std::span<const Particle> particles, const Pose2& around) noexcept {
  Cluster cluster;
  cluster.mean = around;
  for (int round = 0; round < kRounds; ++round) {
    const Pose2 center = cluster.mean;
    const Cluster nearer =
        summarize(particles, [&](std::size_t i) { return !taken_[i] && is_near(particles[i].pose, center); });
    if (!(nearer.share > 0)) break;
    cluster = nearer;
  }
  return cluster;
}

void ClusterFinder::take_out(std::span<const Particle> particles, const Cluster& cluster) noexcept {
  for (std::size_t i = 0; i < particles.size(); ++i) {
    if (taken_[i] || !is_near(particles[i].pose, cluster.mean)) continue;
    taken_[i] = 1;
    Bin& bin = bins_[slot_of(key_of(particles[i].pose))];
    bin.weight -= particles[i].weight;
  }
}

Clusters ClusterFinder::find(std::span<const Particle> particles) noexcept {
  Clusters clusters;
  FORERUN_CHECK(particles.size() <= taken_.size());
  fill_bins(particles);
  std::fill(taken_.begin(), taken_.end(), 0);
  double rest = 1;
  while (!clusters.full() && rest > kLeastShare) {
    const Cluster cluster = gather(particles, heaviest_place(particles));
    if (cluster.share < kLeastShare) break;
    clusters.push_back(cluster);
    take_out(particles, cluster);
    rest -= cluster.share;
  }
  // the heaviest bin need not lie in the heaviest cluster
  for (std::size_t i = 1; i < clusters.size(); ++i) {
    for (std::size_t j = i; j > 0 && clusters[j - 1].share < clusters[j].share; --j) {
      std::swap(clusters[j - 1], clusters[j]);
    }
  }
  return clusters;
}

}  // namespace forerun::localize
