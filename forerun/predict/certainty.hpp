// From the spread of plausible replicas to regions that are right as often as they say (BEY-2).
#pragma once

#include "forerun/base/fields.hpp"
#include "forerun/predict/region.hpp"
#include "forerun/predict/spread.hpp"

namespace forerun::predict {

// Measured once over many simulated drives, and adapted to each robot by what its reports show.
struct CertaintyParams {
  double half = 1.22;        // size of the region of 50 %, as a share of a normal distribution's …
  double most = 1.12;        // … and of 95 % …
  double later = 1.37;       // … which is larger at long gaps: decisions that went the other way make long tails
  double unevenness = 1.3;   // power with which uneven members make the region of 50 % smaller
  double doubt_gain = 0.1;   // how fast surprises widen the region of 95 % …
  double half_gain = 0.1;    // … and of 50 %
  double doubt_after = 2.0;  // surprises come about with time: they widen the regions from about here on [s]
};

template <class Visit>
void visit_fields(CertaintyParams& p, Visit&& visit) {
  visit("half", p.half, Field{0.1, 10, "size of the region of 50 %, as a share of a normal distribution's"});
  visit("most", p.most, Field{0.1, 10, "likewise of 95 %"});
  visit("later", p.later, Field{0.1, 10, "likewise of 95 % at long gaps"});
  visit("unevenness", p.unevenness, Field{0, 10, "power with which uneven members make the region of 50 % smaller"});
  visit("doubt_gain", p.doubt_gain, Field{0, 1, "how fast surprises widen the region of 95 %"});
  visit("half_gain", p.half_gain, Field{0, 1, "how fast surprises widen the region of 50 %"});
  visit("doubt_after_s", p.doubt_after, Field{0, 100, "surprises widen the regions from about here on [s]"});
}

class Certainty {
 public:
  explicit Certainty(const CertaintyParams& params = {}) noexcept : params_(params) {}

  // Where the robot is with probability `share`, `gap` seconds after the report.
  [[nodiscard]] Region region(double share, Vec2 centre, const Spread& spread, double gap) const noexcept;

  // A report came `gap` seconds after the one before, `off` from where the robot was expected with this spread. Its own
  // error has standard deviation `sigma`.
  void learn(Vec2 off, const Spread& spread, double gap, double sigma) noexcept;

  // The robot's control system is not known: until its reports show better, it may be this many times farther off.
  void start_with(double doubt) noexcept { doubt_ = half_doubt_ = doubt; }

  // How many times farther off the robot has been than the replicas had it; 1: not at all.
  [[nodiscard]] double doubt() const noexcept { return doubt_; }

 private:
  [[nodiscard]] double size(double share, double evenness, double gap) const noexcept;

  // How far outside the region it is, as a share of its size there: more than 1 when it is outside.
  [[nodiscard]] bool is_outside(double share, Vec2 off, const Spread& spread, double gap, double sigma,
                                double* far) const noexcept;

  CertaintyParams params_;
  double doubt_ = 1;
  double half_doubt_ = 1;
};

}  // namespace forerun::predict
