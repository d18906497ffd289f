// How the doors stand, as lasers see them.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "forerun/estimate/beams.hpp"
#include "forerun/world/mover.hpp"
#include "forerun/world/world.hpp"

namespace forerun::estimate {

class DoorWatch {
 public:
  // As they stand in the model, until something else is seen.
  explicit DoorWatch(std::span<const world::Door> doors);

  void look(std::span<const Fan> fans) noexcept;

  [[nodiscard]] std::size_t size() const noexcept { return beliefs_.size(); }
  // 0 closed … 1 open.
  [[nodiscard]] double opening(std::size_t door) const noexcept;
  // It stands clearly otherwise than in the model.
  [[nodiscard]] bool differs(std::size_t door) const noexcept;
  // Something at this place may be a leaf where it is believed to stand.
  [[nodiscard]] bool may_be_leaf(Vec2 place) const noexcept;

 private:
  static constexpr std::size_t kSteps = 20;  // between closed and open
  struct Belief {
    Vec2 hinge;
    double width = 0;       // [m]
    std::size_t model = 0;  // steps open
    std::size_t now = 0;
    std::array<double, kSteps + 1> votes{};
    std::array<world::Mover, kSteps + 1> leaves;
  };
  void count(Belief& door, const Fan& fan) noexcept;

  std::vector<Belief> beliefs_;
};

}  // namespace forerun::estimate
