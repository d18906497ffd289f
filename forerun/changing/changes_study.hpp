// How well a robot finds where its world has changed, what telling costs, and what it brings to prediction (PSS-15).
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>

#include "forerun/base/fields.hpp"
#include "forerun/base/result.hpp"
#include "forerun/changing/change_judge.hpp"
#include "forerun/sim/model.hpp"
#include "forerun/study/office_study.hpp"
#include "forerun/study/workers.hpp"

namespace forerun::changing {

struct ChangesParams {
  int runs = 20;
  int crowded_runs = 6;
  std::uint64_t seed = 1;
};

template <class Visit>
void visit_fields(ChangesParams& p, Visit&& visit) {
  visit("runs", p.runs, Field{1, 10000, "drives with planted changes, and as many in which nothing changes"});
  visit("crowded_runs", p.crowded_runs, Field{0, 1000, "drives among people, with changes told and without; 0: none"});
  visit("seed", p.seed, Field{.about = "of the changes and of all chance"});
}

struct ChangesResult {
  ChangeScore planted;  // boxes that come and go, and doors
  ChangeScore still;    // where nothing changes
  double bytes_told = 0;
  int things_told = 0;
  std::optional<study::OfficeResult> without, with;  // among people: changes not told, and told
};

// `setting` has the world, the robot, the scenario and the level of reality; people and boxes of the level do not
// count.
[[nodiscard]] Result<ChangesResult> run_changes_study(const sim::Setting& setting, const ChangesParams& params,
                                                      const study::OnProgress& on_progress = {});

[[nodiscard]] nlohmann::ordered_json to_json(const ChangesResult& result);

}  // namespace forerun::changing
