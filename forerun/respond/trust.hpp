// How much each way of predicting is believed: by how far off it has been lately, at each horizon.
#pragma once

#include <array>

#include "forerun/respond/model.hpp"
#include "forerun/respond/ways.hpp"

namespace forerun::respond {

class Trust {
 public:
  explicit Trust(const Model& model) noexcept;

  // `off`: the errors of all ways at this horizon; `elapsed`: time since the last ones [s].
  void learn(std::size_t horizon, const WaySquares& off, double elapsed) noexcept;
  // How much each way is believed so far ahead; the best one 1.
  struct Weights {
    std::array<Squares, kWays> of{};
    WayMask counts{};  // those that are believed at all
  };
  [[nodiscard]] Weights weights(double ahead) const noexcept;

 private:
  struct Memory {
    WaySquares sums{};
    double weight = 0;
  };
  [[nodiscard]] Squares expected(std::size_t horizon, std::size_t way) const noexcept;

  const Model& model_;
  std::array<Memory, kMostHorizons> memories_{};
};

// The weighted mean of the ways that count.
[[nodiscard]] Pose2 blend(const Ways& ways, const Trust::Weights& weights) noexcept;

}  // namespace forerun::respond
