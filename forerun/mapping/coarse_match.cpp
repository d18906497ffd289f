#include "forerun/mapping/coarse_match.hpp"

#include <algorithm>
#include <queue>

namespace forerun::mapping {
namespace {

constexpr double kElsewhere = 0.7;      // further off than this is another place [m]
constexpr double kElsewhereTurn = 0.5;  // [rad]
constexpr double kPriorWeight = 0.02;   // of the score, for being one sigma off

// A square of 2^level by 2^level shifts, in cells from the window's middle, at one angle.
struct Square {
  double bound = 0;  // no shift in it scores higher; on level 0 the score itself
  int angle = 0;
  Cell low;
  int level = 0;
  bool operator<(const Square& other) const { return bound < other.bound; }
};

class Search {
 public:
  Search(const LikelihoodGrid& reference, std::span<const SurfacePoint> points, const SearchWindow& window,
         double angle_step)
      : reference_(reference), window_(window), step_(angle_step) {
    half_turns_ = static_cast<int>(std::ceil(window.turn / angle_step));
    half_cells_ = static_cast<int>(std::ceil(window.reach / LikelihoodGrid::kCell));
    for (int a = -half_turns_; a <= half_turns_; ++a) {
      const Transform2 turned({window.middle.x, window.middle.y, window.middle.theta + a * step_});
      std::vector<Cell>& cells = cells_.emplace_back();
      for (const SurfacePoint& point : points) cells.push_back(reference.frame().cell_of(turned * point.at));
    }
  }

  CoarseMatch run() {
    begin();
    CoarseMatch match{window_.middle};
    bool found = false;
    while (!open_.empty()) {
      const Square best = open_.top();
      open_.pop();
      if (found && is_near(best)) continue;
      if (best.level > 0) {
        split(best);
      } else if (!found) {
        found = true;
        first_ = best;
        match.reference_from_points = pose_of(best);
        match.score = best.bound;
      } else {
        match.runner_up = best.bound;
        break;
      }
    }
    return match;
  }

 private:
  // Squares that together cover the window.
  void begin() {
    int level = 0;
    while (level + 1 < LikelihoodGrid::kLevels && (1 << level) < half_cells_) ++level;
    for (int a = -half_turns_; a <= half_turns_; ++a) {
      for (int y = -half_cells_; y <= half_cells_; y += 1 << level) {
        for (int x = -half_cells_; x <= half_cells_; x += 1 << level) add({0, a, {x, y}, level});
      }
    }
  }

  void split(const Square& square) {
    const int half = 1 << (square.level - 1);
    for (const Cell d : {Cell{0, 0}, Cell{half, 0}, Cell{0, half}, Cell{half, half}}) {
      const Cell low{square.low.x + d.x, square.low.y + d.y};
      if (low.x <= half_cells_ && low.y <= half_cells_) add({0, square.angle, low, square.level - 1});
    }
  }

  void add(Square square) {
    const std::vector<Cell>& cells = cells_[static_cast<std::size_t>(square.angle + half_turns_)];
    if (cells.empty()) return;
    int sum = 0;
    for (const Cell& cell : cells)
      sum += reference_.value({cell.x + square.low.x, cell.y + square.low.y}, square.level);
    square.bound = sum / (255.0 * static_cast<double>(cells.size())) - held_against(square);
    open_.push(square);
  }

  // What the belief holds against the nearest pose of the square.
  [[nodiscard]] double held_against(const Square& s) const {
    const auto nearest = [&](int low) {
      return std::max({0, low, -(low + (1 << s.level) - 1)}) * LikelihoodGrid::kCell;
    };
    const double off2 = square(nearest(s.low.x)) + square(nearest(s.low.y));
    return kPriorWeight * (off2 / square(window_.sigma) + square(s.angle * step_ / window_.turn_sigma));
  }

  // All of it is the place that was found.
  [[nodiscard]] bool is_near(const Square& s) const {
    const auto off = [&](int low, int best) {
      return std::max(std::abs(low - best), std::abs(low + (1 << s.level) - 1 - best));
    };
    return std::abs(s.angle - first_.angle) * step_ < kElsewhereTurn &&
           std::max(off(s.low.x, first_.low.x), off(s.low.y, first_.low.y)) * LikelihoodGrid::kCell < kElsewhere;
  }

  [[nodiscard]] Pose2 pose_of(const Square& s) const {
    return {window_.middle.x + s.low.x * LikelihoodGrid::kCell, window_.middle.y + s.low.y * LikelihoodGrid::kCell,
            normalize_angle(window_.middle.theta + s.angle * step_)};
  }

  const LikelihoodGrid& reference_;
  const SearchWindow& window_;
  double step_;
  int half_turns_ = 0;
  int half_cells_ = 0;
  std::vector<std::vector<Cell>> cells_;  // of the points, for each angle
  std::priority_queue<Square> open_;
  Square first_;
};

}  // namespace

CoarseMatch match_coarsely(const LikelihoodGrid& reference, std::span<const SurfacePoint> points,
                           const SearchWindow& window, double angle_step) {
  return Search(reference, points, window, angle_step).run();
}

}  // namespace forerun::mapping
