// Exact Euclidean distances in linear time, after Felzenszwalb and Huttenlocher: first along the rows, then along the
// columns as the lower envelope of parabolas. Their vertices stand on the borders between cells, because distances
// run to the edges of taken cells and not to their centres.
#include <algorithm>
#include <cmath>
#include <vector>

#include "forerun/world/plan_grid.hpp"

namespace forerun::world {
namespace {

// All lengths in cells; half cells are exact in floats up to eight million.

// In each cell the distance from its centre to the nearest taken cell of the same row.
void measure_rows(const FreeGrid& free, Grid<float>& distances) noexcept {
  const auto width = static_cast<std::size_t>(free.frame().width);
  for (std::size_t begin = 0; begin < free.size(); begin += width) {
    float distance = -0.5f;
    for (std::size_t i = begin; i < begin + width; ++i) {
      distance = free[i] ? distance + 1 : -0.5f;
      distances[i] = std::max(distance, 0.0f);
    }
    distance = -0.5f;
    for (std::size_t i = begin + width; i-- > begin;) {
      distance = free[i] ? distance + 1 : -0.5f;
      distances[i] = std::min(distances[i], std::max(distance, 0.0f));
    }
  }
}

// One column at a time; the memory is kept.
class ColumnEnvelope {
 public:
  explicit ColumnEnvelope(std::size_t height) : squares_(height), vertices_(height + 1), starts_(height + 2) {}

  // In: the squared distances within each row. Out: those within the grid.
  [[nodiscard]] std::vector<double>& squares() noexcept { return squares_; }

  void measure() noexcept {
    build();
    std::size_t k = 0;
    for (std::size_t y = 0; y < squares_.size(); ++y) {
      const double center = static_cast<double>(y) + 0.5;
      while (k + 1 < n_vertices_ && starts_[k + 1] < center) ++k;
      const double along = center - vertices_[k].border;
      // a taken cell in the same row is nearer than its borders
      squares_[y] = std::min(squares_[y], along * along + vertices_[k].square);
    }
  }

 private:
  struct Vertex {
    double border;
    double square;
  };

  // The squared distance from a border to what is taken beside it; outside is taken.
  [[nodiscard]] double square_at(std::size_t border) const noexcept {
    if (border == 0 || border == squares_.size()) return 0;
    return std::min(squares_[border - 1], squares_[border]);
  }

  // Finds the parabolas that are lowest somewhere, and from where on each of them is.
  void build() noexcept {
    n_vertices_ = 0;
    for (std::size_t i = 0; i <= squares_.size(); ++i) {
      const Vertex next{static_cast<double>(i), square_at(i)};
      double start = -kInfinity;
      while (n_vertices_ > 0) {
        start = crossing(vertices_[n_vertices_ - 1], next);
        if (start > starts_[n_vertices_ - 1]) break;
        --n_vertices_;
      }
      starts_[n_vertices_] = n_vertices_ == 0 ? -kInfinity : start;
      vertices_[n_vertices_++] = next;
    }
  }

  [[nodiscard]] static double crossing(const Vertex& a, const Vertex& b) noexcept {
    const double rise = (b.square + b.border * b.border) - (a.square + a.border * a.border);
    return rise / (2 * (b.border - a.border));
  }

  std::vector<double> squares_;
  std::vector<Vertex> vertices_;
  std::vector<double> starts_;
  std::size_t n_vertices_ = 0;
};

// Calls `visit(index, squared distance)` for every cell.
template <class Visit>
void measure(const FreeGrid& free, Visit&& visit) {
  Grid<float> distances(free.frame());
  measure_rows(free, distances);
  const auto width = static_cast<std::size_t>(free.frame().width);
  const auto height = static_cast<std::size_t>(free.frame().height);
  ColumnEnvelope column(height);
  for (std::size_t x = 0; x < width; ++x) {
    for (std::size_t y = 0; y < height; ++y) column.squares()[y] = square(double{distances[y * width + x]});
    column.measure();
    for (std::size_t y = 0; y < height; ++y) visit(y * width + x, column.squares()[y]);
  }
}

float round_down(double x) noexcept {
  const auto rounded = static_cast<float>(x);
  return rounded > x ? std::nextafter(rounded, 0.0f) : rounded;
}

}  // namespace

Grid<float> clearance(const FreeGrid& free) {
  Grid<float> distances(free.frame());
  const double cell_size = free.frame().cell_size;
  measure(free, [&](std::size_t i, double squared) { distances[i] = round_down(sqrt(squared) * cell_size); });
  return distances;
}

FreeGrid inflate(const FreeGrid& free, double radius) {
  // a radius that is a whole number of half cells may have been rounded up
  constexpr double kRounding = 1e-9;
  FreeGrid inflated(free.frame());
  const double least = square(std::max(radius / free.frame().cell_size - kRounding, 0.0));
  measure(free, [&](std::size_t i, double squared) { inflated[i] = free[i] != 0 && squared >= least; });
  return inflated;
}

}  // namespace forerun::world
