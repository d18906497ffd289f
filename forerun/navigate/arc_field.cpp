#include "forerun/navigate/arc_field.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "forerun/base/four.hpp"
#include "forerun/robot/arc.hpp"

namespace forerun::navigate {
namespace {

static_assert(kMaxObstacles % 4 == 0);

// What a disc sweeps on its way along an arc, to the end that is known so far: a piece of a ring between the lines
// across its beginning and its end, and the disc at the end. A little wider than it is, because the numbers are short.
class Swept {
 public:
  // `farthest` [m]: of the points that will be asked about.
  Swept(double radius, double curvature, double farthest) noexcept
      : slack_(4e-6 * (1 + square(farthest)) * (1 + std::fabs(curvature))),
        radius_(radius),
        half_curvature_(all_four(0.5 * curvature)),
        radius2_(all_four(square(radius))),
        half_width2_(all_four(square(radius + slack_))) {}

  void end_at(const robot::ArcEnd& end) noexcept {
    center_x_ = all_four(end.center.x);
    center_y_ = all_four(end.center.y);
    heading_x_ = all_four(end.heading.x);
    heading_y_ = all_four(end.heading.y);
    behind_ = all_four(end.within_turn ? -slack_ : -kFar);
    past_ = all_four(end.within_turn ? slack_ : kFar);
    farthest_ = end.farthest + radius_ + slack_;
    end_radius2_ = all_four(square(radius_) + slack_);
    const std::int32_t one = end.within_half_turn ? -1 : 0;
    one_line_is_enough_ = FourBools{one, one, one, one};
  }

  // No point beyond this is held [m].
  [[nodiscard]] double farthest() const noexcept { return farthest_; }

  [[nodiscard]] FourBools holds(Four x, Four y, Four range2) const noexcept {
    // within the ring: |κ (|p|² − r²) − 2 p_y| ≤ 2 r
    const Four off = half_curvature_ * (range2 - radius2_) - y;
    const Four from_end_x = x - center_x_, from_end_y = y - center_y_;
    const FourBools behind = x < behind_;
    const FourBools past = from_end_x * heading_x_ + from_end_y * heading_y_ > past_;
    const FourBools outside = (behind & past) | ((behind | past) & one_line_is_enough_);
    const FourBools at_end = from_end_x * from_end_x + from_end_y * from_end_y <= end_radius2_;
    return (off * off <= half_width2_) & (~outside | at_end);
  }

 private:
  static constexpr double kFar = 1e30;
  double slack_;
  double radius_;
  double farthest_ = 0;
  Four half_curvature_, radius2_, half_width2_;
  Four center_x_, center_y_, heading_x_, heading_y_, behind_, past_, end_radius2_;
  FourBools one_line_is_enough_;
};

}  // namespace

ArcField::ArcField(const robot::Footprint& footprint, const ObstacleField& obstacles, double limit) noexcept
    : footprint_(footprint), limit_(limit) {
  const std::span<const Obstacle> all_of_them = obstacles.nearest_first();
  std::size_t n = 0;
  for (const Obstacle& o : all_of_them) {
    // no arc is shorter than the straight line
    if (o.range - footprint.radius >= limit) break;
    x_[n] = static_cast<float>(o.point_in_robot.x);
    y_[n] = static_cast<float>(o.point_in_robot.y);
    range2_[n] = static_cast<float>(square(o.range));
    ++n;
    if (o.range <= footprint.radius * (1 + 1e-12)) n_inside_ = n;
  }
  obstacles_ = all_of_them.first(n);
  for (; n % 4 != 0; ++n) x_[n] = y_[n] = range2_[n] = 0;
}

double ArcField::free_arc(double curvature) const noexcept {
  robot::ArcProbe probe(footprint_, curvature, limit_);
  for (const Obstacle& o : obstacles_.first(n_inside_)) probe.meet(o.point_in_robot);
  if (n_inside_ == obstacles_.size()) return probe.nearest();
  Swept swept(footprint_.radius, curvature, obstacles_.back().range);
  swept.end_at(probe.end());
  for (std::size_t i = n_inside_ / 4 * 4; i < obstacles_.size(); i += 4) {
    if (obstacles_[i].range > swept.farthest()) break;
    const FourBools held = swept.holds(load_four(&x_[i]), load_four(&y_[i]), load_four(&range2_[i]));
    if (!any_of_four(held)) continue;
    bool sooner = false;
    for (std::size_t k = std::max(i, n_inside_); k < std::min(i + 4, obstacles_.size()); ++k) {
      if (held[k - i] != 0) sooner |= probe.meet(obstacles_[k].point_in_robot);
    }
    if (sooner) swept.end_at(probe.end());
  }
  return probe.nearest();
}

}  // namespace forerun::navigate
