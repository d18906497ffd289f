// Floor that a robot can have come to since a report, whatever it did.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "forerun/geom/grid.hpp"
#include "forerun/predict/region.hpp"

namespace forerun::predict {

class Reach {
 public:
  // Floor is where this is more than 0: the distance to the nearest obstacle [m]. Must outlive it. All that will ever
  // be needed is allocated here.
  explicit Reach(const Grid<float>& clearance);

  // Forgets all that was reached. Where the robot stands in a wall, nothing is known of its reach.
  void start(Vec2 from) noexcept;
  // Goes on to everything that is at most `way` off along the floor [m]. Allocates nothing; amortized over a report,
  // each cell costs its neighbours once.
  void extend(double way) noexcept;
  // False: the robot was said to be where no floor is, so nothing can be said.
  [[nodiscard]] bool known() const noexcept { return !seen_.empty(); }
  // Whether the way to this place is at most `way`, which is not beyond what was extended to.
  [[nodiscard]] bool contains(Vec2 place, double way) const noexcept;
  // Whether all of a disc is floor that was reached; false where that would take long to say.
  [[nodiscard]] bool contains_disc(Vec2 centre, double radius, double way) const noexcept;
  // Says so of every place of the mask.
  void mark(FloorMask& mask, double way) const noexcept;

 private:
  using Steps = std::uint16_t;
  static constexpr Steps kNever = 0xffff;

  [[nodiscard]] Steps steps_of(double way) const noexcept;
  void step() noexcept;
  void take(Cell cell) noexcept;

  const Grid<float>& clearance_;
  Grid<Steps> arrival_;              // after how many steps
  std::vector<std::uint32_t> seen_;  // cells in the order of their arrival
  std::size_t first_of_last_ = 0;    // those of the last step begin here
  Steps n_steps_ = 0;
  Vec2 from_;
};

}  // namespace forerun::predict
