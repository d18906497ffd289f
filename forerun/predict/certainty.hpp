// From the spread of plausible replicas to regions that are right as often as they say (BEY-2).
#pragma once

#include <array>
#include <cstddef>

#include "forerun/base/fields.hpp"
#include "forerun/predict/expert_weights.hpp"
#include "forerun/predict/mixture.hpp"
#include "forerun/predict/needed_sizes.hpp"
#include "forerun/predict/region.hpp"

namespace forerun::predict {

// Measured once over many simulated drives, and adapted to each robot by what its reports show.
struct CertaintyParams {
  double half = 1.3;              // size of the region of 50 %, as a share of a normal distribution's …
  double most = 1.12;             // … and of 95 % …
  double later = 1.37;            // … which is larger at long gaps: decisions that went the other way make long tails
  double unevenness = 1.3;        // power with which uneven members make the region of 50 % smaller
  double stranger_half = 1.4;     // size of the region of 50 % of a robot whose control system is not known …
  double stranger_slower = 0.75;  // … which grows slower than the region of 95 %, by this power of the gap
  double gain = 0.45;             // how fast regions of 95 % become wider or narrower …
  double half_gain = 0.04;        // … and the share of what was seen that regions of 50 % hold
  double reach = 1.0;             // how far a lesson at one gap counts at others, in powers of e …
  double half_reach = 0.6;        // … and for regions of 50 %
  double elsewhere = 0.2;         // how much it counts for a robot that does something else …
  double half_elsewhere = 0.35;   // … and for regions of 50 %: what a robot that waits has too much, others have less
};

template <class Visit>
void visit_fields(CertaintyParams& p, Visit&& visit) {
  visit("half", p.half, Field{0.1, 10, "size of the region of 50 %, as a share of a normal distribution's"});
  visit("most", p.most, Field{0.1, 10, "the same of 95 %"});
  visit("later", p.later, Field{0.1, 10, "the same of 95 % at long gaps"});
  visit("unevenness", p.unevenness, Field{0, 10, "power with which uneven members make the region of 50 % smaller"});
  visit("stranger_half", p.stranger_half,
        Field{0.1, 10, "size of the region of 50 % of a robot whose control system is not known"});
  visit("stranger_slower", p.stranger_slower,
        Field{0, 10, "power of the gap by which that grows slower than the region of 95 %"});
  visit("gain", p.gain, Field{0, 1, "how fast regions of 95 % become wider or narrower"});
  visit("half_gain", p.half_gain, Field{0, 1, "how fast the share of what was seen changes that regions of 50 % hold"});
  visit("reach", p.reach, Field{0.01, 10, "how far a lesson at one gap counts at others, in powers of e"});
  visit("half_reach", p.half_reach, Field{0.01, 10, "the same for regions of 50 %"});
  visit("elsewhere", p.elsewhere, Field{0, 1, "how much it counts for a robot that does something else"});
  visit("half_elsewhere", p.half_elsewhere, Field{0, 1, "the same for regions of 50 %"});
}

// Regions are steered: a robot that was outside makes them wider, one that was inside narrower, in such steps that both
// cancel out when it is outside as often as stated (adaptive conformal inference, after Gibbs and Candès). Sizes are
// kept for each gap and each activity of the robot.
class Certainty {
 public:
  explicit Certainty(const CertaintyParams& params = {}) noexcept;

  // `gap` seconds after the report of a robot in this activity.
  struct When {
    double gap = 0;
    std::size_t activity = 0;
  };
  // Where the robot is with probability `share`.
  [[nodiscard]] Region region(double share, const Mixture& expected, const When& when) const noexcept;

  // Where the robot was.
  struct Seen {
    Vec2 place;
    double blur = 0;        // of what it was seen by: a standard deviation [m]
    double drawn_from = 0;  // `place` was drawn from all places where it may have been, with this one [m]
  };
  // It was seen there, and was expected so.
  void learn(const Seen& seen, const Mixture& expected, const When& when) noexcept;

  // The robot's control system is not known: until its reports show better, it may be this many times farther off.
  void start_with(double doubt) noexcept;

  // How many times farther off a robot under way has been than was expected; 1: not at all.
  [[nodiscard]] double doubt() const noexcept;

 private:
  using Table = std::array<std::array<double, kLearnedGaps.size()>, ExpertWeights::kActivities>;

  [[nodiscard]] static double at(const Table& table, const When& when) noexcept;
  [[nodiscard]] double factor(double share, double evenness, const When& when, double learned_half) const noexcept;
  // How much farther than the region of 95 % reaches that is, as a share of it: more than 1 when it is outside.
  [[nodiscard]] double farness(const Seen& seen, const Mixture& expected, const When& when) const noexcept;
  void steer(const When& when, double step) noexcept;
  // Of the region of 50 %, before anything is learned …
  [[nodiscard]] double first_half(double gap, double evenness) const noexcept;
  // … how much larger it has to be, as a logarithm …
  [[nodiscard]] double learned_half(const When& when) const noexcept;
  // … and how much larger this would have needed.
  [[nodiscard]] double needed_half(const Seen& seen, const Mixture& expected, double gap) const noexcept;

  CertaintyParams params_;
  bool is_stranger_ = false;
  Table doubts_{};           // of regions of 95 %
  NeededSizes needed_;       // for regions of 50 % …
  double half_level_ = 0.5;  // … which hold this share of them
};

}  // namespace forerun::predict
