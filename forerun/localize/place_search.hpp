// Where on the map could this have been seen? Tries places at random and keeps the best of them: how a robot that knows
// nothing, or that was carried away, is found again.
#pragma once

#include <span>
#include <vector>

#include "forerun/base/fields.hpp"
#include "forerun/base/random.hpp"
#include "forerun/localize/echoes.hpp"
#include "forerun/localize/fit.hpp"
#include "forerun/localize/likelihood_field.hpp"

namespace forerun::localize {

struct PlaceSearchParams {
  int tries = 40'000;           // places tried for a scan
  int keep = 100;               // of them go on
  double coarse_sigma_m = 0.3;  // how far an echo may lie from a wall while they are sifted
};

template <class Visit>
void visit_fields(PlaceSearchParams& p, Visit&& visit) {
  visit("tries", p.tries, Field{100, 1e7, "places tried for a scan"});
  visit("keep", p.keep, Field{1, 10'000, "of them go on"});
  visit("coarse_sigma_m", p.coarse_sigma_m,
        Field{0.02, 2, "how far an echo may lie from a wall while they are sifted [m]"});
}

struct FoundPlace {
  Pose2 pose;
  double weight = 0;  // against the others; they sum up to one
  Fit fit;
};

class PlaceSearch {
 public:
  // `map` has at least one free cell, and must outlive the search.
  PlaceSearch(const OccupancyMap& map, const EchoModel& fine, const PlaceSearchParams& params);

  // The best places, moved a little to where the scan fits best. Allocates nothing.
  [[nodiscard]] std::span<const FoundPlace> find(const LikelihoodField& field, const Echoes& echoes,
                                                 Random& random) noexcept;
  // Anywhere on free floor.
  [[nodiscard]] Pose2 random_pose(Random& random) const noexcept;

 private:
  struct Candidate {
    double score = 0;
    Pose2 pose;
  };
  void sift(const LikelihoodField& field, const Echoes& echoes, Random& random) noexcept;
  void keep(const Candidate& candidate) noexcept;
  [[nodiscard]] Pose2 settle(const LikelihoodField& field, const Echoes& echoes, Pose2 pose) const noexcept;

  const OccupancyMap& map_;
  PlaceSearchParams params_;
  std::vector<std::uint32_t> free_cells_;
  EchoTable coarse_, fine_;
  std::vector<Candidate> best_;  // a heap with the worst one first
  std::vector<FoundPlace> found_;
};

}  // namespace forerun::localize
