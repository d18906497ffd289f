// What stands in the way of arcs: the obstacles of one moment, laid out so that four are looked at together.
#pragma once

#include <array>
#include <span>

#include "forerun/navigate/obstacles.hpp"
#include "forerun/robot/description.hpp"

namespace forerun::navigate {

class ArcField {
 public:
  // Both must outlive it. Nothing farther along an arc than `limit` matters.
  ArcField(const robot::Footprint& footprint, const ObstacleField& obstacles, double limit) noexcept;

  // Exact path length to contact of the footprint along an arc of this curvature, at most the limit: the shortest that
  // `robot::arc_to_contact` says of any obstacle.
  [[nodiscard]] double free_arc(double curvature) const noexcept;

 private:
  const robot::Footprint& footprint_;
  std::span<const Obstacle> obstacles_;  // those that an arc can meet
  std::size_t n_inside_ = 0;             // of them, within the circumscribed disc already
  double limit_;
  // the same points as short numbers, which serve to leave out most of them; the rest of the last four is zero
  alignas(16) std::array<float, kMaxObstacles> x_;
  alignas(16) std::array<float, kMaxObstacles> y_;
  alignas(16) std::array<float, kMaxObstacles> range2_;
};

}  // namespace forerun::navigate
