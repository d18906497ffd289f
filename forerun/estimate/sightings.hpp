// What lasers see that is none of the model's walls: groups of echoes, followed from scan to scan.
#pragma once

#include <array>
#include <span>

#include "forerun/base/fixed_vector.hpp"
#include "forerun/base/time.hpp"
#include "forerun/geom/vec.hpp"
#include "forerun/robot/seen_things.hpp"

namespace forerun::estimate {

using Points = FixedVector<Vec2, 48>;

// Echoes of one scan that lie together.
struct Cluster {
  Points points;  // at least two, in the order of the beams
  Vec2 seen_from;
};
using Clusters = FixedVector<Cluster, 24>;

// Makes one of those that lie together, as where two lasers see the same thing, or each a side of it.
void join_neighbours(Clusters& clusters) noexcept;

// Somebody or something, as seen in several scans.
class Sighting {
 public:
  Sighting(RobotTime now, const Cluster& cluster) noexcept;
  Sighting() = default;

  void update(RobotTime now, const Cluster& cluster) noexcept;

  [[nodiscard]] Vec2 expected(RobotTime now) const noexcept;
  [[nodiscard]] RobotTime last() const noexcept { return last_; }
  // Seen often enough to be no mistake.
  [[nodiscard]] bool is_sure() const noexcept { return n_ >= 3; }
  // Its echoes come from where they came from a while ago.
  [[nodiscard]] bool stands() const noexcept;
  [[nodiscard]] const Points& points() const noexcept { return glimpses_[newest_].points; }
  [[nodiscard]] robot::MovingThing thing(RobotTime now) const noexcept;

 private:
  struct Glimpse {
    RobotTime time;
    Points points;
  };

  Vec2 position_;  // of its middle
  Vec2 velocity_;
  double radius_ = 0;
  RobotTime last_;
  int n_ = 0;
  // the newest, and one for every quarter of a second before it
  std::array<Glimpse, 5> glimpses_{};
  std::size_t newest_ = 0;
  std::size_t n_glimpses_ = 0;
};

class Sightings {
 public:
  static constexpr std::size_t kMost = 24;  // of more, the others wait

  // The groups that were seen at this time.
  void update(RobotTime now, std::span<const Cluster> clusters) noexcept;

  [[nodiscard]] std::span<const Sighting> all() const noexcept { return {all_.data(), all_.size()}; }
  // Takes out those that stand, one after the other: take(sighting) for each.
  template <class Take>
  void take_standing(RobotTime now, Take&& take) noexcept {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if (all_[i].last() == now && all_[i].stands()) {
        take(all_[i]);
      } else {
        if (kept != i) all_[kept] = all_[i];
        ++kept;
      }
    }
    all_.resize(kept);
  }

 private:
  FixedVector<Sighting, kMost> all_;
};

}  // namespace forerun::estimate
