// A recorded drive once more, moment by moment: what a predictor could know, and where the robot was a while later.
#pragma once

#include <array>
#include <functional>
#include <optional>

#include "forerun/base/fields.hpp"
#include "forerun/learn/commanded_drive.hpp"
#include "forerun/respond/responder.hpp"

namespace forerun::learn {

struct Moment {
  const respond::Responder* responder = nullptr;
  // where the robot was at each horizon, from where it is; the heading counts whole turns. Nothing: nobody saw it
  std::array<std::optional<Pose2>, respond::kMostHorizons> truth{};
};

struct ReplayParams {
  double spacing_s = 0.05;  // between two moments [s]
  double history_s = 0.2;   // seen before the first one [s]
};

template <class Visit>
void visit_fields(ReplayParams& p, Visit&& visit) {
  visit("spacing_s", p.spacing_s, Field{0.001, 10, "between two moments [s]"});
  visit("history_s", p.history_s, Field{0, 10, "seen before the first one [s]"});
}

// Commands are known up to the longest horizon: who predicts for then has given them.
void replay(const CommandedStretch& stretch, const respond::Model& model, const ReplayParams& params,
            const std::function<void(const Moment&)>& visit);

}  // namespace forerun::learn
