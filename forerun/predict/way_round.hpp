// The shortest way between two places near each other, round whatever stands between them.
#pragma once

#include <array>
#include <cstddef>

#include "forerun/geom/grid.hpp"

namespace forerun::predict {

// Whether a disc may stand here, and slide from here to there in a straight line, in a plan view that says how far each
// cell is from the nearest obstacle.
class Room {
 public:
  // `clearance` must outlive the room.
  Room(const Grid<float>& clearance, double body_radius) noexcept : clearance_(clearance), body_radius_(body_radius) {}

  // The centre lies on free floor, and the body reaches into no obstacle by more than half its radius: estimates are
  // off by some centimetres. Places outside the plan do not count.
  [[nodiscard]] bool can_stand(Vec2 place) const noexcept;
  // Both places are fit to stand at, and between them the body comes no nearer to obstacles than it is at either end or
  // than its radius, to within a cell.
  [[nodiscard]] bool can_slide(Vec2 from, Vec2 to) const noexcept;
  // How much room the body needs around its centre on the way [m].
  [[nodiscard]] double needed(Vec2 from, Vec2 to) const noexcept;
  [[nodiscard]] bool has(Cell cell, double needed) const noexcept;
  [[nodiscard]] const GridFrame& frame() const noexcept { return clearance_.frame(); }

 private:
  const Grid<float>& clearance_;
  double body_radius_;
};

// A window of the plan, large enough for ways of a few metres, in which every cell knows its distance to one place.
class WayRound {
 public:
  // How long the way is [m]; infinity where there is none of at most `longest`. Allocates nothing.
  double find(const Room& room, Vec2 from, Vec2 to, double longest) noexcept;
  // A place `step` farther on the way that was found, at most its end. Everything in between is fit to slide through.
  [[nodiscard]] Vec2 follow(const Room& room, Vec2 from, double step) const noexcept;

 private:
  static constexpr int kMaxSize = 65;  // cells each way; longer ways than fit in are not found

  [[nodiscard]] float& at(Cell cell) noexcept { return distance_[index(cell)]; }
  [[nodiscard]] float at(Cell cell) const noexcept { return distance_[index(cell)]; }
  [[nodiscard]] bool contains(Cell cell) const noexcept {
    return cell.x >= low_.x && cell.x < low_.x + size_ && cell.y >= low_.y && cell.y < low_.y + size_;
  }
  [[nodiscard]] std::size_t index(Cell cell) const noexcept {
    return static_cast<std::size_t>((cell.y - low_.y) * size_ + cell.x - low_.x);
  }
  [[nodiscard]] float over(Cell cell, unsigned direction) const noexcept;
  [[nodiscard]] bool improve(Cell cell) noexcept;
  [[nodiscard]] bool sweep() noexcept;
  [[nodiscard]] Cell next(Cell cell) const noexcept;
  [[nodiscard]] Vec2 farthest_in_sight(const Room& room, Vec2 from) const noexcept;

  Cell low_;      // corner of the window
  int size_ = 0;  // cells each way
  Vec2 to_;
  Cell goal_;
  std::array<float, std::size_t{kMaxSize} * kMaxSize> distance_{};  // [cells]; negative: taken
};

}  // namespace forerun::predict
