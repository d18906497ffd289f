#include "forerun/localize/place_search.hpp"

#include <algorithm>

namespace forerun::localize {
namespace {

constexpr std::size_t kCoarseEchoes = 24;  // are enough to sift with
constexpr double kPerThrough = 3;          // a place counts less by this times the share of echoes from behind walls
constexpr double kLeastWeight = 0.01;      // but never less than this

}  // namespace

PlaceSearch::PlaceSearch(const OccupancyMap& map, const EchoModel& fine, const PlaceSearchParams& params)
    : map_(map), params_(params), coarse_({params.coarse_sigma_m, fine.outlier_share}), fine_(fine) {
  for (std::size_t i = 0; i < map.size(); ++i) {
    if (map[i] == Occupancy::free) free_cells_.push_back(static_cast<std::uint32_t>(i));
  }
  FORERUN_CHECK(!free_cells_.empty());
  best_.reserve(static_cast<std::size_t>(params_.keep));
  found_.reserve(static_cast<std::size_t>(params_.keep));
}

Pose2 PlaceSearch::random_pose(Random& random) const noexcept {
  const Cell cell = map_.frame().cell_at(free_cells_[random.below(free_cells_.size())]);
  const double x = map_.frame().origin.x + (cell.x + random.uniform()) * map_.frame().cell_size;
  const double y = map_.frame().origin.y + (cell.y + random.uniform()) * map_.frame().cell_size;
  return {x, y, random.uniform(-kPi, kPi)};
}

// A heap of our own: which of two equal candidates goes must not depend on a library.
void PlaceSearch::keep(const Candidate& candidate) noexcept {
  std::size_t i = 0;
  if (best_.size() < best_.capacity()) {
    best_.push_back(candidate);
    for (i = best_.size() - 1; i > 0 && best_[i].score < best_[(i - 1) / 2].score; i = (i - 1) / 2) {
      std::swap(best_[i], best_[(i - 1) / 2]);
    }
    return;
  }
  if (candidate.score <= best_[0].score) return;
  best_[0] = candidate;
  for (;;) {
    std::size_t least = i;
    for (const std::size_t child : {2 * i + 1, 2 * i + 2}) {
      if (child < best_.size() && best_[child].score < best_[least].score) least = child;
    }
    if (least == i) return;
    std::swap(best_[i], best_[least]);
    i = least;
  }
}

void PlaceSearch::sift(const LikelihoodField& field, const Echoes& echoes, Random& random) noexcept {
  Echoes some;
  const std::size_t every = (echoes.size() + kCoarseEchoes - 1) / kCoarseEchoes;
  for (std::size_t i = 0; i < echoes.size(); i += every) some.push_back(echoes[i]);
  best_.clear();
  for (int i = 0; i < params_.tries; ++i) {
    const Pose2 pose = random_pose(random);
    keep({explained_share(field, coarse_, some, pose), pose});
  }
}

// Climbs to the nearest place that explains more, in steps that become smaller.
Pose2 PlaceSearch::settle(const LikelihoodField& field, const Echoes& echoes, Pose2 pose) const noexcept {
  double score = explained_share(field, coarse_, echoes, pose);
  double step = 0.2, turn = 0.1;
  for (int level = 0; level < 4; ++level, step /= 2, turn /= 2) {
    const EchoTable& table = level < 2 ? coarse_ : fine_;
    if (level == 2) score = explained_share(field, table, echoes, pose);
    for (int round = 0; round < 3; ++round) {
      const Pose2 before = pose;
      for (const Pose2& move : {Pose2{step, 0, 0}, Pose2{-step, 0, 0}, Pose2{0, step, 0}, Pose2{0, -step, 0},
                                Pose2{0, 0, turn}, Pose2{0, 0, -turn}}) {
        const Pose2 tried{pose.x + move.x, pose.y + move.y, pose.theta + move.theta};
        const double tried_score = explained_share(field, table, echoes, tried);
        if (tried_score <= score) continue;
        score = tried_score;
        pose = tried;
      }
      if (pose == before) break;
    }
  }
  return {pose.x, pose.y, normalize_angle(pose.theta)};
}

std::span<const FoundPlace> PlaceSearch::find(const LikelihoodField& field, const Echoes& echoes,
                                              Random& random) noexcept {
  found_.clear();
  if (echoes.empty()) return found_;
  sift(field, echoes, random);
  double sum = 0;
  for (const Candidate& candidate : best_) {
    const Pose2 pose = settle(field, echoes, candidate.pose);
    // nobody sees through walls, but doors and maps are not always what they were
    const Fit fit = fit_of(map_, field, fine_, echoes, pose);
    found_.push_back({pose, std::max(1 - kPerThrough * fit.through, kLeastWeight), fit});
    sum += found_.back().weight;
  }
  for (FoundPlace& place : found_) place.weight /= sum;
  return found_;
}

}  // namespace forerun::localize
