// The places that particles gather in: how much of the belief each has, and how wide it is.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "forerun/base/fixed_vector.hpp"
#include "forerun/geom/matrix.hpp"
#include "forerun/localize/particle.hpp"

namespace forerun::localize {

struct Cluster {
  double share = 0;  // of all weight
  Pose2 mean;
  Matrix<3, 3> covariance;  // x, y, heading
};
using Clusters = FixedVector<Cluster, 8>;

// Finds the heaviest places, heaviest first. Memory for `capacity` particles, taken once.
class ClusterFinder {
 public:
  explicit ClusterFinder(std::size_t capacity);

  // `particles` have weights that sum up to one.
  [[nodiscard]] Clusters find(std::span<const Particle> particles) noexcept;

 private:
  struct Bin {
    std::uint64_t key = 0;  // 0: free
    double weight = 0;
  };
  [[nodiscard]] std::size_t slot_of(std::uint64_t key) const noexcept;
  void fill_bins(std::span<const Particle> particles) noexcept;
  [[nodiscard]] Pose2 heaviest_place(std::span<const Particle> particles) const noexcept;
  Cluster gather(std::span<const Particle> particles, const Pose2& around) noexcept;
  void take_out(std::span<const Particle> particles, const Cluster& cluster) noexcept;

  std::vector<Bin> bins_;
  std::vector<std::uint8_t> taken_;  // by a cluster that was found
};

// Weighted mean and covariance of the particles that `belongs(i)`, about the mean; share 0 when there are none.
template <class Belongs>
[[nodiscard]] Cluster summarize(std::span<const Particle> particles, Belongs&& belongs) noexcept {
  Cluster cluster;
  double sin_sum = 0, cos_sum = 0;
  for (std::size_t i = 0; i < particles.size(); ++i) {
    if (!belongs(i)) continue;
    const Particle& p = particles[i];
    const SinCos heading = sincos(p.pose.theta);
    cluster.share += p.weight;
    cluster.mean.x += p.weight * p.pose.x;
    cluster.mean.y += p.weight * p.pose.y;
    sin_sum += p.weight * heading.sin;
    cos_sum += p.weight * heading.cos;
  }
  if (!(cluster.share > 0)) return {};
  cluster.mean = {cluster.mean.x / cluster.share, cluster.mean.y / cluster.share, atan2(sin_sum, cos_sum)};
  for (std::size_t i = 0; i < particles.size(); ++i) {
    if (!belongs(i)) continue;
    const Particle& p = particles[i];
    const Vector<3> off{{{{p.pose.x - cluster.mean.x},
                          {p.pose.y - cluster.mean.y},
                          {normalize_angle(p.pose.theta - cluster.mean.theta)}}}};
    cluster.covariance += off * transposed(off) * (p.weight / cluster.share);
  }
  return cluster;
}

}  // namespace forerun::localize
