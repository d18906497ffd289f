// How large a region must have been to hold the robot, at each of many reports: what it takes to hold it as often as
// stated (BEY-2).
#pragma once

#include <array>
#include <cstddef>

#include "forerun/base/fixed_vector.hpp"
#include "forerun/predict/expert_weights.hpp"
#include "forerun/predict/gap_table.hpp"

namespace forerun::predict {

// The newest lessons of each gap and each activity. Sizes are logarithms: 0 is what was stated before anything was
// learned.
class NeededSizes {
 public:
  static constexpr double kLeast = -8, kMost = 8;
  struct Lesson {
    double gap = 0;  // since the report [s]
    std::size_t activity = 0;
    double size = 0;    // that would just have held the robot
    double weight = 1;  // how much it says, 0 … 1
  };
  void learn(const Lesson& lesson) noexcept;

  // What counts how much where the size is asked for.
  struct Asked {
    double gap = 0;
    std::size_t activity = 0;
    double reach = 1;      // how far a lesson at one gap counts at others, in powers of e
    double elsewhere = 0;  // how much it counts for a robot that does something else
  };
  // Held the robot in this share of the lessons; what was thought at first counts as a few of them.
  [[nodiscard]] double holding(double share, const Asked& asked) const noexcept;

 private:
  static constexpr std::size_t kRoom = 16;

  struct Remembered {
    float log_gap = 0, size = 0, weight = 0;
  };
  // The newest of one gap and one activity, in a ring.
  struct Cell {
    std::array<Remembered, kRoom> lessons{};
    std::size_t n = 0;  // ever
  };
  std::array<std::array<Cell, kLearnedGaps.size()>, ExpertWeights::kActivities> cells_{};
};

}  // namespace forerun::predict
