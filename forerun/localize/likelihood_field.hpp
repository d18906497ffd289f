// How far from the nearest wall every place of a map is, and how likely that makes an echo there: computed once, then a
// look-up a beam.
#pragma once

#include <array>
#include <cstdint>

#include "forerun/base/fields.hpp"
#include "forerun/base/math.hpp"
#include "forerun/geom/grid.hpp"

namespace forerun::localize {

enum class Occupancy : std::uint8_t { unknown, free, occupied };
using OccupancyMap = Grid<Occupancy>;

// Walls as they are seen at a laser's height.
inline constexpr double kFarFromWalls = 2.55;  // distances are kept up to here [m]

// An echo that comes from what is on the map lies within `sigma` of a wall; others lie anywhere.
struct EchoModel {
  double sigma_m = 0.1;
  double outlier_share = 0.25;
};

class EchoTable {
 public:
  explicit EchoTable(const EchoModel& model = {}) noexcept;

  // Of a distance in the field's units, how well the wall explains the echo, in [0, 1].
  [[nodiscard]] float explained(std::uint8_t distance) const noexcept { return explained_[distance]; }
  // The logarithm of the echo's likelihood, which outliers keep from falling far.
  [[nodiscard]] float log_likelihood(std::uint8_t distance) const noexcept { return log_likelihood_[distance]; }

 private:
  std::array<float, 256> explained_{};
  std::array<float, 256> log_likelihood_{};
};

class LikelihoodField {
 public:
  explicit LikelihoodField(const OccupancyMap& map);

  // To the nearest wall, in hundredths of a metre; 255 stands for that and more, and for what lies off the map.
  [[nodiscard]] std::uint8_t distance_at(Vec2 p) const noexcept {
    const double x = (p.x - frame_.origin.x) * cells_per_metre_, y = (p.y - frame_.origin.y) * cells_per_metre_;
    // written so that NaN is outside
    if (!(x >= 0 && y >= 0 && x < frame_.width && y < frame_.height)) return 255;
    return distances_[frame_.index({static_cast<int>(x), static_cast<int>(y)})];
  }
  [[nodiscard]] const GridFrame& frame() const noexcept { return frame_; }

 private:
  GridFrame frame_;  // wider than the map, so that echoes just beyond its edge count
  double cells_per_metre_;
  Grid<std::uint8_t> distances_;
};

}  // namespace forerun::localize
