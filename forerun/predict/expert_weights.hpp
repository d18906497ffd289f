// Which of several experts is believed at which gap: by what has been right at such gaps (BEY-3).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "forerun/base/fields.hpp"
#include "forerun/predict/gap_table.hpp"

namespace forerun::predict {

inline constexpr std::size_t kMostExperts = 8;
// One number for each expert; those that there are not have 0.
using ExpertRow = std::array<double, kMostExperts>;
// One bit for each expert: it has something to say.
using ExpertSet = std::uint8_t;
[[nodiscard]] constexpr bool contains(ExpertSet set, std::size_t expert) noexcept { return (set >> expert & 1U) != 0; }

struct WeightParams {
  double rate = 4;         // how fast an expert that errs loses its weight
  double share = 0.03;     // of all weight that goes back to where it was at first, with each lesson
  double reach = 1.0;      // how far a lesson at one gap counts at others, in powers of e
  double elsewhere = 0.2;  // how much it counts for a robot that does something else
};

template <class Visit>
void visit_fields(WeightParams& p, Visit&& visit) {
  visit("rate", p.rate, Field{0, 100, "how fast an expert that errs loses its weight"});
  visit("share", p.share, Field{0, 1, "of all weight that goes back to where it was at first, with each lesson"});
  visit("reach", p.reach, Field{0.01, 10, "how far a lesson at one gap counts at others, in powers of e"});
  visit("elsewhere", p.elsewhere, Field{0, 1, "how much it counts for a robot that does something else"});
}

// Exponential weights with fixed share (Herbster and Warmuth), for each gap and each activity of the robot. A lesson
// at one gap counts at its neighbours too: errors grow with the gap by a power that is known for each expert.
class ExpertWeights {
 public:
  static constexpr std::size_t kActivities = 6;
  // By activity and gap; each row sums up to 1.
  using Table = std::array<std::array<ExpertRow, kLearnedGaps.size()>, kActivities>;

  // `growth`: an expert's error at a gap is in proportion to this power of it.
  ExpertWeights(const Table& prior, const ExpertRow& growth, const WeightParams& params = {}) noexcept
      : params_(params), prior_(prior), weights_(prior), growth_(growth) {}

  // What the experts who had something to say were off by, `gap` seconds after a report of a robot in this activity,
  // as a share of `scale` per second of the gap: more than that is all one.
  struct Lesson {
    std::size_t activity = 0;
    double gap = 0;      // [s]
    ExpertRow errors{};  // [m]
    ExpertSet awake = 0;
    double scale = 0;  // [m/s]
  };
  void learn(const Lesson& lesson) noexcept;

  // Of those that are awake, 1 together. Between the gaps of the table they go straight.
  [[nodiscard]] ExpertRow at(std::size_t activity, double gap, ExpertSet awake) const noexcept;

  // The loss that counts, 0 … 1.
  [[nodiscard]] static double loss(double error, double gap, double scale) noexcept;

 private:
  void teach(ExpertRow& weights, const ExpertRow& prior, const Lesson& lesson, double gap, double strength) noexcept;

  WeightParams params_;
  Table prior_;
  Table weights_;
  ExpertRow growth_;
};

}  // namespace forerun::predict
