// A rectangle of the plane cut into square cells. Cell (0, 0) has its low corner at the origin; x runs fastest.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "forerun/base/check.hpp"
#include "forerun/geom/vec.hpp"

namespace forerun {

struct Cell {
  int x = 0;
  int y = 0;
  constexpr bool operator==(const Cell&) const noexcept = default;
};

// The size and place of a grid, without its contents.
struct GridFrame {
  int width = 0;         // cells along x
  int height = 0;        // cells along y
  double cell_size = 1;  // [m]
  Vec2 origin;           // low corner of cell (0, 0)

  [[nodiscard]] std::size_t size() const noexcept {
    return static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  }
  [[nodiscard]] bool contains(Cell c) const noexcept { return c.x >= 0 && c.x < width && c.y >= 0 && c.y < height; }
  [[nodiscard]] std::size_t index(Cell c) const noexcept {
    FORERUN_ASSERT(contains(c));
    return static_cast<std::size_t>(c.y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(c.x);
  }
  [[nodiscard]] Cell cell_at(std::size_t index) const noexcept {
    const auto w = static_cast<std::size_t>(width);
    return {static_cast<int>(index % w), static_cast<int>(index / w)};
  }
  // The cell that holds the point; may lie outside the grid.
  [[nodiscard]] Cell cell_of(Vec2 p) const noexcept {
    return {static_cast<int>(std::floor((p.x - origin.x) / cell_size)),
            static_cast<int>(std::floor((p.y - origin.y) / cell_size))};
  }
  [[nodiscard]] Vec2 center(Cell c) const noexcept {
    return {origin.x + (c.x + 0.5) * cell_size, origin.y + (c.y + 0.5) * cell_size};
  }
  constexpr bool operator==(const GridFrame&) const noexcept = default;
};

template <class T>
class Grid {
 public:
  Grid() = default;
  explicit Grid(const GridFrame& frame, T value = T{}) : frame_(frame), cells_(frame.size(), value) {}

  [[nodiscard]] const GridFrame& frame() const noexcept { return frame_; }
  [[nodiscard]] std::size_t size() const noexcept { return cells_.size(); }
  T& operator[](std::size_t i) noexcept { return cells_[i]; }
  const T& operator[](std::size_t i) const noexcept { return cells_[i]; }
  T& operator[](Cell c) noexcept { return cells_[frame_.index(c)]; }
  const T& operator[](Cell c) const noexcept { return cells_[frame_.index(c)]; }
  T* data() noexcept { return cells_.data(); }
  const T* data() const noexcept { return cells_.data(); }
  void fill(T value) noexcept {
    for (auto& cell : cells_) cell = value;
  }
  bool operator==(const Grid&) const = default;

 private:
  GridFrame frame_;
  std::vector<T> cells_;
};

}  // namespace forerun
