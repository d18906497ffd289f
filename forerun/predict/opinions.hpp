// What may have become of the robot since its report: all that speaks for one place or another, before it is summed up.
#pragma once

#include "forerun/predict/expert_weights.hpp"
#include "forerun/predict/hold_ups.hpp"
#include "forerun/predict/milestones.hpp"
#include "forerun/predict/mixture.hpp"
#include "forerun/predict/trail.hpp"

namespace forerun::predict {

// A robot on its way, `gap` seconds after its report.
struct UnderWay {
  double gap = 0;           // [s]
  double speed = 0;         // at which it drives where nothing slows it down [m/s]
  bool on_mission = false;  // its path and its times are known
};

// Each expert has it at its place, as far as it is believed; those with weight 0 have no say.
void add_experts(Opinions& all, const ExpertPlaces& places, const ExpertRow& weights,
                 const UnderWay& under_way) noexcept;

// Something held it up, so that it is where it was predicted to be earlier. Gives how likely that is.
double add_delays(Opinions& all, const Milestones& milestones, const HoldUps& hold_ups,
                  const UnderWay& under_way) noexcept;

// A robot that waits, and of which nobody knows where it goes next.
struct Wait {
  Vec2 place;
  double so_far = 0;   // that it had waited when that was last known …
  double since_s = 0;  // … which is so long ago [s]
};
// It has left, whatever for. Gives how likely that is.
double add_departures(Opinions& all, const Wait& wait, const SurvivalCurve& waiting, double speed) noexcept;

}  // namespace forerun::predict
